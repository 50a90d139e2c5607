import { Button, Group, Text } from '@mantine/core';
import { Dialog } from '../../controls/dialog.tsx';
import { useText } from '../../language/text-provider.tsx';

interface ConfirmCallProps {
  readonly name: string;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

/** Asks before a method is called that the application declares so. */
export function ConfirmCall({ name, onCancel, onConfirm }: ConfirmCallProps) {
  const text = useText();
  return (
    <Dialog onClose={onCancel} title={text('calls.confirm', { name })}>
      <Text size="sm">{text('calls.confirmText')}</Text>
      <Group justify="end" mt="md">
        <Button variant="default" onClick={onCancel}>
          {text('calls.cancel')}
        </Button>
        <Button onClick={onConfirm}>{text('calls.call')}</Button>
      </Group>
    </Dialog>
  );
}
