import { Alert, Badge, Button, Group, Stack, Tabs, Title } from '@mantine/core';
import { useState } from 'react';
import { useApi, useModel, useText } from '../../../context.ts';
import type { EventFilter } from '../logins/event-filter.ts';
import { LoginEvents } from '../logins/login-events.tsx';
import '@mantine/core/styles/Tabs.css';
import { IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useAction } from '../api/use-action.ts';
import { useSeeAs } from '../see-as/see-as-context.ts';
import { AssignedRoles } from './assigned-roles.tsx';
import { useInvitation } from './use-invitation.ts';
import type { User } from './user.ts';
import { UserApiKeys } from './user-api-keys.tsx';
import { UserFactors } from './user-factors.tsx';
import { UserForm } from './user-form.tsx';
import { UserHistory } from './user-history.tsx';
import { UserRights } from './user-rights.tsx';
import { UserSessions } from './user-sessions.tsx';

/** One user: data, roles, sessions, keys and factors, each as the rights of the caller have it. */
export function UserPage() {
  const { username = '' } = useParams({ strict: false }) as { readonly username?: string };
  const text = useText();
  const { client, rights } = useModel();
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['people', 'user', username],
    queryFn: async ({ signal }) => {
      const conditions = [{ property: 'username', operator: '=' as const, value: username }];
      const [found] = await client.list('sec_User', { filter: { conditions }, fetchPlan: '_base', limit: 1, signal });
      return (found ?? null) as unknown as User | null;
    },
  });
  const requirePassword = useAction(
    () => api.send('POST', 'userSession', `/password-change?${new URLSearchParams({ username })}`),
    { done: text('users.passwordRequired') },
  );
  const invitation = useInvitation();
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  if (data === null) return <Alert color="yellow">{text('users.unknown', { name: username })}</Alert>;
  const tabs = [
    ['data', true, () => <UserForm key={data.version} user={data} onSaved={() => undefined} />],
    ['roles', rights.may('sec_RoleAssignment', 'read'), () => <AssignedRoles username={username} />],
    ['rights', rights.has('rights.view'), () => <UserRights username={username} />],
    ['sessions', rights.has('sessions.manage'), () => <UserSessions username={username} />],
    ['history', rights.has('sessions.manage'), () => <UserHistory username={username} />],
    ['events', rights.has('security-events.view'), () => <UserEvents username={username} />],
    ['factors', rights.has('second-factors.manage'), () => <UserFactors username={username} />],
    ['keys', rights.has('api-keys.manage'), () => <UserApiKeys username={username} />],
  ] as const;
  const shown = tabs.filter(([, isShown]) => isShown);
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={1}>{username}</Title>
          {data.active === false && (
            <Badge variant="filled" color="gray">
              {text('users.disabled')}
            </Badge>
          )}
        </Group>
        <Group gap="xs">
          {rights.has('passwords.manage') && data.active !== false && Boolean(data.email) && (
            <ConfirmButton
              label={text('users.invite')}
              question={text('users.inviteText', { email: data.email ?? '' })}
              loading={invitation.isPending}
              onConfirm={() => invitation.mutate(username)}
            />
          )}
          {rights.has('passwords.manage') && (
            <ConfirmButton
              label={text('users.requirePassword')}
              question={text('users.requirePasswordText', { name: username })}
              action={requirePassword}
            />
          )}
          {rights.has('sessions.see-as') && data.active !== false && <SeeAsButton username={username} />}
        </Group>
      </Group>
      <Tabs defaultValue="data" keepMounted={false}>
        <Tabs.List>
          {shown.map(([name]) => (
            <Tabs.Tab key={name} value={name}>
              {text(`user.tab.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(([name, , content]) => (
          <Tabs.Panel key={name} value={name} pt="md">
            {content()}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

/** The security events of one user. */
function UserEvents({ username }: { readonly username: string }) {
  const [filter, setFilter] = useState<EventFilter>({});
  return <LoginEvents ofUser filter={{ ...filter, user: username }} onFilter={setFilter} />;
}

/** Shows the console as the user sees it. */
function SeeAsButton({ username }: { readonly username: string }) {
  const text = useText();
  const seeAs = useSeeAs();
  const navigate = useNavigate();
  const begin = useAction(async () => {
    await seeAs.begin(username);
    await navigate({ to: '/' as string });
  });
  return (
    <Button
      variant="filled"
      size="xs"
      leftSection={<IconEye size={16} />}
      loading={begin.isPending}
      onClick={() => begin.mutate()}
    >
      {text('seeAs.begin')}
    </Button>
  );
}
