import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useText } from '../../context.ts';
import { Dialog } from '../../controls/dialog.tsx';
import { SubmitForm, TextField } from '../../controls/forms.tsx';
import { notify } from '../../errors/notify.ts';
import { ErrorAlert, Waiting } from '../../errors/pending.tsx';
import type { Caption } from './caption.ts';
import { createStoredTexts, REPLICAS_FOLLOW_MS } from './stored-texts.ts';
import { DEFAULT_LOCALE, useCaptions, useCaptionsOfLocales } from './use-captions.ts';

interface TranslateDialogProps {
  readonly target: string;
  readonly onClose: () => void;
}

/** A caption in all languages of the application. */
export function TranslateDialog({ target, onClose }: TranslateDialogProps) {
  const text = useText();
  const first = useCaptions(DEFAULT_LOCALE);
  const locales = [DEFAULT_LOCALE, ...(first.data?.locales ?? [])];
  const found = useCaptionsOfLocales(locales);
  const failed = found.find(({ error }) => error !== null);
  return (
    <Dialog onClose={onClose} title={target}>
      {failed !== undefined && <ErrorAlert error={failed.error} onRetry={() => void failed.refetch()} />}
      <Stack gap="sm">
        {locales.map((locale, at) => {
          const captions = found[at]?.data?.captions;
          if (captions === undefined) return failed === undefined ? <Waiting key={locale} /> : null;
          const caption = captions.find((each) => each.target === target);
          return caption === undefined ? (
            <Text key={locale}>{text('texts.none')}</Text>
          ) : (
            <LocaleText key={locale} locale={locale} caption={caption} />
          );
        })}
      </Stack>
    </Dialog>
  );
}

function LocaleText({ locale, caption }: { readonly locale: string; readonly caption: Caption }) {
  const text = useText();
  const queries = useQueryClient();
  const stored = createStoredTexts(useClient(), locale);
  const [edited, setEdited] = useState(caption.text ?? '');
  const save = useMutation({
    mutationFn: () => stored.save(caption.key, edited),
    onSuccess() {
      notify({ message: text('texts.saved', { target: caption.target }), closeLabel: text('action.close') });
      // The page shows the captions of the model.
      const refresh = (): void => {
        for (const queryKey of [['captions'], ['model']]) void queries.invalidateQueries({ queryKey });
      };
      refresh();
      setTimeout(refresh, REPLICAS_FOLLOW_MS);
    },
  });
  const name = locale === DEFAULT_LOCALE ? text('texts.default') : locale;
  return (
    <SubmitForm onSubmit={() => save.mutate()}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextField
          style={{ flexGrow: 1 }}
          label={name}
          description={caption.source === null ? text('texts.missing') : text(`texts.source.${caption.source}`)}
          placeholder={caption.shown}
          value={edited}
          onChange={setEdited}
        />
        <Button
          type="submit"
          loading={save.isPending}
          disabled={edited === '' || edited === caption.text}
          aria-label={text('texts.saveOf', { name })}
        >
          {text('action.save')}
        </Button>
      </Group>
      {save.error !== null && <ErrorAlert error={save.error} />}
    </SubmitForm>
  );
}
