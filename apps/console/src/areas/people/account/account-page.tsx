import '@mantine/core/styles/PasswordInput.css';
import { useLogin } from '@lintel/react';
import { Button, Group, PasswordInput, Stack, Switch, Tabs, Text, Title } from '@mantine/core';
import { useModel, useText } from '../../../context.ts';
import '@mantine/core/styles/Tabs.css';
import { useForm } from 'react-hook-form';
import { parameterErrors } from '../../../errors/parameter-of-error.ts';
import { useAction } from '../api/use-action.ts';
import { UserApiKeys } from '../users/user-api-keys.tsx';
import { UserHistory } from '../users/user-history.tsx';
import { UserSessions } from '../users/user-sessions.tsx';

const FIELDS = ['currentPassword', 'newPassword'] as const;
const EMPTY = { currentPassword: '', newPassword: '', endOtherSessions: true };

/** Changes the password of the user of this tab, who stays logged in. */
function PasswordForm() {
  const text = useText();
  const { connection } = useModel();
  const { register, handleSubmit, setError, reset, formState } = useForm({ defaultValues: EMPTY });
  const save = useAction(
    async (json: typeof EMPTY) => {
      try {
        await connection.read({ method: 'POST', path: '/oauth2/password', json, repeatable: false });
      } catch (error) {
        for (const [name, message] of parameterErrors(error, FIELDS)) setError(name as keyof typeof EMPTY, { message });
        throw error;
      }
    },
    { done: text('account.passwordChanged'), onDone: () => reset(EMPTY) },
  );
  return (
    <form onSubmit={handleSubmit((values) => save.mutate(values))}>
      <Stack maw={480}>
        {FIELDS.map((name) => (
          <PasswordInput
            key={name}
            label={text(`account.${name}`)}
            withAsterisk
            error={formState.errors[name]?.message}
            autoComplete={name === 'newPassword' ? 'new-password' : 'current-password'}
            visibilityToggleButtonProps={{ 'aria-label': text('users.showPassword') }}
            {...register(name, { required: text('account.required') })}
          />
        ))}
        <Switch label={text('account.endOtherSessions')} defaultChecked {...register('endOtherSessions')} />
        <Group>
          <Button variant="filled" type="submit" loading={save.isPending}>
            {text('account.changePassword')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

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
