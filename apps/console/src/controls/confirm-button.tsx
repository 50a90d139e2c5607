import { Button, type ButtonProps, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useText } from '../context.ts';
import { Dialog } from './dialog.tsx';

interface ConfirmButtonProps extends ButtonProps {
  readonly label: string;
  /** What happens, and that it cannot be undone. */
  readonly question: string;
  readonly onConfirm?: () => void;
  /** The request that is sent then, instead of what `onConfirm` does. */
  readonly action?: { readonly isPending: boolean; mutate(): void };
}

/** A button for what cannot be undone: the user confirms it. */
export function ConfirmButton({ label, question, onConfirm, action, ...button }: ConfirmButtonProps) {
  const text = useText();
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" loading={action?.isPending ?? false} {...button} onClick={open}>
        {label}
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={label}>
        <Text size="sm">{question}</Text>
        <Group justify="flex-end" mt="md">
          <Button onClick={close}>{text('action.cancel')}</Button>
          <Button
            variant="filled"
            color="red.9"
            onClick={() => {
              close();
              action?.mutate();
              onConfirm?.();
            }}
          >
            {label}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
