import { ValidationError } from '@lintel/client';
import { Button, Group, MultiSelect, PasswordInput, Stack, Switch, TextInput } from '@mantine/core';
import { captionOf, useModel, useText } from '../../../context.ts';
import { CheckField } from '../../../controls/forms.tsx';
import '@mantine/core/styles/PasswordInput.css';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { sentenceOf } from '../../../errors/parameter-of-error.ts';
import { useRoles } from '../api/roles.ts';
import { useAction } from '../api/use-action.ts';
import { type EnteredUser, enteredUser, isChangeable, TEXT_ATTRIBUTES, writtenUser } from './entered-user.ts';
import { assignmentOf, roleOptions } from './role-options.ts';
import { unknownPassword, useInvitation } from './use-invitation.ts';
import type { User } from './user.ts';

interface UserFormProps {
  /** Undefined for a new one. */
  readonly user: User | undefined;
  readonly onSaved: (user: User) => void;
}

/** The data of a user. Only attributes that the caller may see are shown. */
export function UserForm({ user, onSaved }: UserFormProps) {
  const text = useText();
  const model = useModel();
  const { rights, client } = model;
  const mayModify = (name: string): boolean =>
    rights.may('sec_User', user === undefined ? 'create' : 'update') && rights.mayModify('sec_User', name);
  const form = useForm<EnteredUser>({
    defaultValues: enteredUser(user),
  });
  const { register, handleSubmit, setError, formState } = form;
  const mayAssign = user === undefined && rights.has('rights.view') && rights.may('sec_RoleAssignment', 'create');
  const roles = useRoles(mayAssign);
  const [chosen, setChosen] = useState<string[]>([]);
  const [isInvited, setInvited] = useState(false);
  const invitation = useInvitation();
  const mayInvite = user === undefined && rights.has('passwords.manage') && mayModify('password') && mayModify('email');
  const save = useAction(
    async (values: EnteredUser): Promise<User> => {
      const entered = isInvited ? { ...values, password: unknownPassword() } : values;
      const body = writtenUser(entered, mayModify);
      try {
        const options = { fetchPlan: '_base' } as const;
        if (user !== undefined) return (await client.update('sec_User', user.id, body, options)) as unknown as User;
        const created = (await client.create('sec_User', body, options)) as unknown as User;
        const { username } = created;
        const assignments = chosen.map((role) => ({ username, ...assignmentOf(role) }));
        if (assignments.length > 0) await client.create('sec_RoleAssignment', assignments);
        // If the mail is refused, the page of the user sends another one.
        if (isInvited) invitation.mutate(username);
        return created;
      } catch (error) {
        if (error instanceof ValidationError)
          for (const { path, message } of error.items)
            setError(path as keyof EnteredUser, { message: sentenceOf(message) });
        throw error;
      }
    },
    { done: text('people.saved'), onDone: onSaved, fields: ['username', 'password', ...TEXT_ATTRIBUTES] },
  );
  const caption = (name: string): string => captionOf(model, 'sec_User', name);
  const problem = (name: keyof EnteredUser) => formState.errors[name]?.message;
  return (
    <form onSubmit={handleSubmit((values) => save.mutate(values))}>
      <Stack maw={480}>
        <TextInput
          label={caption('username')}
          required
          disabled={!mayModify('username')}
          error={problem('username')}
          autoComplete="off"
          {...register('username', { required: true })}
        />
        {mayInvite && (
          <CheckField
            label={text('users.invite')}
            description={text('users.inviteHint')}
            checked={isInvited}
            onChange={setInvited}
          />
        )}
        {mayModify('password') && !isInvited && (
          <PasswordInput
            label={text(user === undefined ? 'users.password' : 'users.newPassword')}
            error={problem('password')}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': text('users.showPassword') }}
            {...register('password')}
          />
        )}
        {TEXT_ATTRIBUTES.filter((name) => rights.mayView('sec_User', name)).map((name) => (
          <TextInput
            key={name}
            label={caption(name)}
            required={name === 'email' && isInvited}
            description={name === 'locale' || name === 'country' ? text(`users.${name}Hint`) : undefined}
            disabled={!mayModify(name)}
            error={problem(name)}
            {...register(name)}
          />
        ))}
        {rights.mayView('sec_User', 'active') && (
          <Switch
            label={caption('active')}
            disabled={!mayModify('active')}
            // What it shows is not read from the form.
            defaultChecked={user?.active ?? true}
            {...register('active')}
          />
        )}
        {mayAssign && (
          <MultiSelect
            label={text('user.tab.roles')}
            description={text('users.rolesHint')}
            searchable
            hidePickedOptions
            data={roles.data === undefined ? [] : roleOptions(roles.data, text)}
            value={chosen}
            onChange={setChosen}
          />
        )}
        <Group>
          <Button variant="filled" type="submit" loading={save.isPending} disabled={!isChangeable(mayModify)}>
            {text('action.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
