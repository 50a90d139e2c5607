import { ValidationError } from '@lintel/client';
import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useText } from '../../../context.ts';
import { Dialog } from '../../../controls/dialog.tsx';
import { SubmitForm } from '../../../controls/forms.tsx';
import { ErrorAlert } from '../../../errors/pending.tsx';

interface DefinitionFormProps {
  readonly title: string;
  readonly save: () => Promise<unknown>;
  readonly onClose: (isSaved: boolean) => void;
  /** The fields; the function returns what the server has found wrong with an attribute. */
  readonly children: (errorOf: (attribute: string) => string | undefined) => ReactNode;
}

/** The frame of a form. Errors are at their fields, others below; input stays. */
export function DefinitionForm({ title, save, onClose, children }: DefinitionFormProps) {
  const text = useText();
  const saving = useMutation({ mutationFn: save, onSuccess: () => onClose(true) });
  const items = saving.error instanceof ValidationError ? saving.error.items : [];
  const errorOf = (attribute: string): string | undefined => items.find(({ path }) => path === attribute)?.message;
  return (
    <Dialog onClose={() => onClose(false)} title={title}>
      <SubmitForm noValidate onSubmit={() => saving.mutate()}>
        <Stack gap="sm">
          {children(errorOf)}
          {saving.error !== null && <ErrorAlert error={saving.error} />}
          <Group justify="flex-end">
            <Button onClick={() => onClose(false)}>{text('action.cancel')}</Button>
            <Button variant="filled" type="submit" loading={saving.isPending}>
              {text('action.save')}
            </Button>
          </Group>
        </Stack>
      </SubmitForm>
    </Dialog>
  );
}
