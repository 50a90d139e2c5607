import { Button, Group, Table, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useClient, useRights, useText } from '../../context.ts';
import { SubmitForm } from '../../controls/forms.tsx';
import { notify } from '../../errors/notify.ts';
import { useShowError } from '../../errors/use-show-error.ts';
import type { Caption } from './caption.ts';
import { createStoredTexts, REPLICAS_FOLLOW_MS } from './stored-texts.ts';

/** Of a field; longer texts scroll. */
const MAX_LINES = 16;

interface CaptionRowProps {
  readonly caption: Caption;
  readonly locale: string;
}

/** A caption, which is edited in the row; a text of the database can be reset to that of the file. */
export function CaptionRow({ caption, locale }: CaptionRowProps) {
  const { target, key, source, shown } = caption;
  const text = useText();
  const rights = useRights();
  const showError = useShowError();
  const queries = useQueryClient();
  const stored = createStoredTexts(useClient(), locale);
  const [edited, setEdited] = useState<string>();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['captions'] });
  const ended = {
    onError: showError,
    onSettled() {
      setTimeout(() => void refresh(), REPLICAS_FOLLOW_MS);
      return refresh();
    },
  };
  const save = useMutation({
    mutationFn: (value: string) => stored.save(key, value),
    onSuccess: () => {
      setEdited(undefined);
      notify({ message: text('texts.saved', { target }), closeLabel: text('action.close') });
    },
    ...ended,
  });
  const reset = useMutation({ mutationFn: () => stored.reset(key), ...ended });
  const mayEdit = rights.may('sys_Message', 'create') && rights.may('sys_Message', 'update');
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <BreakableName name={target} />
        </Text>
      </Table.Td>
      <Table.Td>
        {edited === undefined ? (
          <Text
            size="sm"
            fs={caption.text === null ? 'italic' : undefined}
            style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}
          >
            {shown}
          </Text>
        ) : (
          <SubmitForm onSubmit={() => save.mutate(edited)}>
            <Group gap="xs" wrap="nowrap" align="flex-end">
              <TextField
                label={text('texts.textOf', { target })}
                value={edited}
                onChange={setEdited}
                onCancel={() => setEdited(undefined)}
              />
              <Button variant="filled" size="xs" type="submit" loading={save.isPending}>
                {text('action.save')}
              </Button>
            </Group>
          </SubmitForm>
        )}
      </Table.Td>
      <Table.Td>{source === null ? text('texts.missing') : text(`texts.source.${source}`)}</Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          {mayEdit && edited === undefined && (
            <Button
              size="xs"
              aria-label={text('texts.editOf', { target })}
              onClick={() => setEdited(caption.text ?? shown)}
            >
              {text('texts.edit')}
            </Button>
          )}
          {edited !== undefined && (
            <Button size="xs" onClick={() => setEdited(undefined)}>
              {text('texts.cancel')}
            </Button>
          )}
          {edited === undefined && source === 'database' && rights.may('sys_Message', 'delete') && (
            <Button
              size="xs"
              loading={reset.isPending}
              aria-label={text('texts.resetOf', { target })}
              onClick={() => reset.mutate()}
            >
              {text('texts.reset')}
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onCancel: () => void;
}

/** A text of several lines, such as that of a mail, keeps them. */
function TextField({ label, value, onChange, onCancel }: TextFieldProps) {
  const [lines] = useState(() => value.trimEnd().split('\n').length);
  const field = {
    size: 'xs',
    'aria-label': label,
    value,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
    onKeyDown: ({ key }: { readonly key: string }) => {
      if (key === 'Escape') onCancel();
    },
    'data-autofocus': true,
    autoFocus: true,
    required: true,
    style: { flexGrow: 1 },
  } as const;
  return lines === 1 ? <TextInput {...field} /> : <Textarea {...field} rows={Math.min(lines + 1, MAX_LINES)} />;
}

/** A name with dots, such as `sales_Order.number`, which is broken after a dot where it is too long. */
const BreakableName = ({ name }: { readonly name: string }) =>
  [...name.matchAll(/[^.]*\.|[^.]+/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
