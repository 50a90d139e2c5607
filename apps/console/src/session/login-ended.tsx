import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useText } from '../language/text-provider.tsx';
import { useLogin } from './login-provider.tsx';

/** Says that the server has ended the login. What the page shows stays, until the user logs in again. */
export function LoginEnded() {
  const text = useText();
  const login = useLogin();
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => login.onEnd(() => setEnded(true)), [login]);
  return (
    <Modal
      opened={hasEnded}
      onClose={() => setEnded(false)}
      title={text('login.ended')}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <Text>{text('login.endedText')}</Text>
      <Group justify="end" mt="md">
        <Button onClick={() => void login.redirect()}>{text('action.logIn')}</Button>
      </Group>
    </Modal>
  );
}
