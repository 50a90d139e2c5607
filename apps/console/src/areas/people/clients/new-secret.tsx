import { Code, Text } from '@mantine/core';
import { Dialog } from '../../../controls/dialog.tsx';
import { useText } from '../../../language/text-provider.tsx';

interface NewSecretProps {
  readonly secret: string | undefined;
  readonly onClose: () => void;
}

/** A new secret, which is shown once. */
export function NewSecret({ secret, onClose }: NewSecretProps) {
  const text = useText();
  return (
    <Dialog isOpen={secret !== undefined} onClose={onClose} title={text('clients.secret')}>
      <Text size="sm">{text('clients.secretText')}</Text>
      <Code block mt="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {secret}
      </Code>
    </Dialog>
  );
}
