import { useLogin } from '@lintel/react';
import { Button, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { useModel, useText } from '../../../context.ts';
import '@mantine/core/styles/Tabs.css';
import { UserApiKeys } from '../users/user-api-keys.tsx';
import { UserHistory } from '../users/user-history.tsx';
import { UserSessions } from '../users/user-sessions.tsx';
import { PasswordForm } from './password-form.tsx';

const TABS = [
  ['password', PasswordForm],
  ['sessions', UserSessions],
  ['history', UserHistory],
  ['keys', UserApiKeys],
] as const;

/** The account of the user of this tab, for which no right is needed. */
export function AccountPage() {
  const text = useText();
  const { user, isSeen } = useModel();
  const login = useLogin();
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <Title order={1}>{text('account.title')}</Title>
          <Text size="sm">{text('account.of', { name: user.username })}</Text>
        </div>
        {isSeen !== true && <Button onClick={() => void login.openSecurity()}>{text('account.factors')}</Button>}
      </Group>
      {isSeen === true ? (
        <Text>{text('account.seen')}</Text>
      ) : (
        <Tabs defaultValue="password" keepMounted={false}>
          <Tabs.List>
            {TABS.map(([name]) => (
              <Tabs.Tab key={name} value={name}>
                {text(`user.tab.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {TABS.map(([name, Content]) => (
            <Tabs.Panel key={name} value={name} pt="md">
              <Content />
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </Stack>
  );
}
