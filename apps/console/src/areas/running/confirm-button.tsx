import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useText } from '../../language/text-provider.tsx';

interface ConfirmButtonProps {
  readonly label: string;
  /** What happens, and that it cannot be undone. */
  readonly question: string;
  readonly loading?: boolean;
  readonly onConfirm: () => void;
}

/** A button for what cannot be undone: the user confirms it. */
export function ConfirmButton({ label, question, loading = false, onConfirm }: ConfirmButtonProps) {
  const text = useText();
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" loading={loading} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={label} closeButtonProps={{ 'aria-label': text('action.close') }}>
        <Text>{question}</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            {text('confirm.cancel')}
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
