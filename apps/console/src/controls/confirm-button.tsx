import { Button, type ButtonProps, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useText } from '../language/text-provider.tsx';
import { DIALOG_HEADER } from './dialog-header.ts';

interface ConfirmButtonProps extends ButtonProps {
  readonly label: string;
  /** What happens, and that it cannot be undone. */
  readonly question: string;
  readonly onConfirm: () => void;
}

/** A button for what cannot be undone: the user confirms it. */
export function ConfirmButton({ label, question, onConfirm, ...button }: ConfirmButtonProps) {
  const text = useText();
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" {...button} onClick={open}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={label}
        closeButtonProps={{ 'aria-label': text('action.close') }}
        attributes={DIALOG_HEADER}
      >
        <Text size="sm">{question}</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            {text('action.cancel')}
          </Button>
          <Button
            color="red"
            onClick={() => {
              close();
              onConfirm();
            }}
          >
            {label}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
