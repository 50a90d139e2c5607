import { Code, Text } from '@mantine/core';
import { useText } from '../context.ts';
import { Dialog } from './dialog.tsx';

interface NewSecretProps {
  readonly title: string;
  readonly secret: string | undefined;
  readonly onClose: () => void;
}

/** A new secret, which is shown once. */
export function NewSecret({ title, secret, onClose }: NewSecretProps) {
  const text = useText();
  return (
    <Dialog isOpen={secret !== undefined} onClose={onClose} title={title}>
      <Text size="sm">{text('secret.once')}</Text>
      <Code block mt="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {secret}
      </Code>
    </Dialog>
  );
}
