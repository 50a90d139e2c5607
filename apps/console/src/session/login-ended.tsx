import { useLogin } from '@lintel/react';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../context.ts';
import { Dialog } from '../controls/dialog.tsx';

/** Says that the server has ended the login. What the page shows stays, until the user logs in again. */
export function LoginEnded() {
  const text = useText();
  const login = useLogin();
  const [isOpen, setOpen] = useState(true);
  return (
    <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={text('login.ended')}>
      <Text>{text('login.endedText')}</Text>
      <Group justify="end" mt="md">
        <Button variant="filled" onClick={() => void login.redirect()}>
          {text('action.logIn')}
        </Button>
      </Group>
    </Dialog>
  );
}
