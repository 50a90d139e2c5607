import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../../context.ts';
import { Dialog } from '../../../controls/dialog.tsx';
import { SubmitForm, TextField } from '../../../controls/forms.tsx';
import type { ReasonQuestion } from '../../../reason/ask-reason.ts';

/** The limit of `X-Change-Reason` (contract/history.md#reason). */
const MAX_LENGTH = 500;

/** Asks for the reason of a change. */
export function ReasonDialog({ close }: ReasonQuestion) {
  const text = useText();
  const [reason, setReason] = useState('');
  const cancel = (): void => close(undefined);
  return (
    <Dialog title={text('reason.title')} onClose={cancel}>
      <SubmitForm
        onSubmit={() => {
          if (reason.trim() !== '') close(reason.trim());
        }}
      >
        <Text size="sm" mb="sm">
          {text('reason.needed')}
        </Text>
        <TextField
          data-autofocus
          label={text('reason.label')}
          value={reason}
          maxLength={MAX_LENGTH}
          onChange={setReason}
        />
        <Group justify="flex-end" mt="md">
          <Button onClick={cancel}>{text('action.cancel')}</Button>
          <Button variant="filled" type="submit" disabled={reason.trim() === ''}>
            {text('reason.confirm')}
          </Button>
        </Group>
      </SubmitForm>
    </Dialog>
  );
}
