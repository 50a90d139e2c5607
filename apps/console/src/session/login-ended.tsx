import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import { useLogin } from '@lintel/react';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../language/text-provider.tsx';

/** Says that the server has ended the login. What the page shows stays, until the user logs in again. */
export function LoginEnded() {
  const text = useText();
  const login = useLogin();
  const [isOpen, setOpen] = useState(true);
  return (
    <Modal
      opened={isOpen}
      onClose={() => setOpen(false)}
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
