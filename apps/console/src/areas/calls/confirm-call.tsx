import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import { Button, Group, Modal, Text } from '@mantine/core';
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
    <Modal
      opened
      onClose={onCancel}
      title={text('calls.confirm', { name })}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <Text size="sm">{text('calls.confirmText')}</Text>
      <Group justify="end" mt="md">
        <Button variant="default" onClick={onCancel}>
          {text('calls.cancel')}
        </Button>
        <Button onClick={onConfirm}>{text('calls.call')}</Button>
      </Group>
    </Modal>
  );
}
