import { Code, Modal, Text } from '@mantine/core';
import { useText } from '../../../language/text-provider.tsx';

interface NewSecretProps {
  readonly secret: string | undefined;
  readonly onClose: () => void;
}

/** A new secret, which is shown once. */
export function NewSecret({ secret, onClose }: NewSecretProps) {
  const text = useText();
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={text('clients.secret')}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <Text size="sm">{text('clients.secretText')}</Text>
      <Code block mt="sm">
        {secret}
      </Code>
    </Modal>
  );
}
