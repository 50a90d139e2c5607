import { Button, Group, PasswordInput, Stack, Switch } from '@mantine/core';
import { useModel, useText } from '../../../context.ts';
import '@mantine/core/styles/PasswordInput.css';
import { useForm } from 'react-hook-form';
import { parameterErrors } from '../../../errors/parameter-of-error.ts';
import { useAction } from '../api/use-action.ts';

const FIELDS = ['currentPassword', 'newPassword'] as const;
const EMPTY = { currentPassword: '', newPassword: '', endOtherSessions: true };

/** Changes the password of the user of this tab, who stays logged in. */
export function PasswordForm() {
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
