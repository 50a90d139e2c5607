import { Badge, Button, Group, Stack, Title } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { captionOf, useModel, useText } from '../../../context.ts';
import { Dialog } from '../../../controls/dialog.tsx';
import { SearchWords } from '../../../controls/search-words.tsx';
import { TextLink } from '../../../controls/texts.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import { useRoles } from '../api/roles.ts';
import { filterOfUsers } from './filter-of-users.ts';
import type { User } from './user.ts';
import { UserForm } from './user-form.tsx';

const LIMIT = 1_000;

/** The names of the roles of each of these users; undefined for callers who may not read them. */
function useRolesOf(usernames: readonly string[]): ((username: string) => string) | undefined {
  const { client, rights } = useModel();
  const mayRead = rights.may('sec_RoleAssignment', 'read') && rights.has('rights.view');
  const roles = useRoles(mayRead);
  const { data } = useQuery({
    queryKey: ['people', 'assignments-of', usernames],
    enabled: mayRead && usernames.length > 0,
    queryFn: ({ signal }) => {
      const conditions = [{ property: 'username', operator: 'in' as const, value: usernames }];
      const options = { filter: { conditions }, fetchPlan: '_local', sort: 'roleType,roleCode', limit: LIMIT, signal };
      return client.list('sec_RoleAssignment', options) as unknown as Promise<
        readonly { readonly username: string; readonly roleCode: string; readonly roleType: string }[]
      >;
    },
    placeholderData: keepPreviousData,
  });
  if (!mayRead) return undefined;
  const { resourceRoles = [], rowLevelRoles = [] } = roles.data ?? {};
  const nameOf = (type: string, code: string): string =>
    (type === 'resource' ? resourceRoles : rowLevelRoles).find((role) => role.code === code)?.name ?? code;
  return (username) =>
    (data ?? [])
      .filter((each) => each.username === username)
      .map(({ roleType, roleCode }) => nameOf(roleType, roleCode))
      .join(', ');
}

const PAGE = 50;

/** The users, with a search by name. */
export function UsersPage() {
  const text = useText();
  const model = useModel();
  const navigate = useNavigate();
  const [words, setWords] = useState('');
  const [searched] = useDebouncedValue(words, 200);
  const [count, setCount] = useState(PAGE);
  const [isNew, { open, close }] = useDisclosure();
  const { data, error, refetch } = useQuery({
    queryKey: ['people', 'users', searched, count],
    queryFn: ({ signal }) =>
      model.client.page('sec_User', {
        filter: filterOfUsers(searched, (name) => model.rights.mayView('sec_User', name)),
        fetchPlan: '_base',
        sort: 'username',
        limit: count,
        count: 'exact',
        signal,
      }) as unknown as Promise<{ readonly items: readonly User[]; readonly total: number | undefined }>,
    placeholderData: keepPreviousData,
  });
  const rolesOf = useRolesOf(data?.items.map(({ username }) => username) ?? []);
  const caption = (name: string): string => captionOf(model, 'sec_User', name);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text('people.users')}</Title>
        {model.rights.may('sec_User', 'create') && (
          <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={open}>
            {text('users.create')}
          </Button>
        )}
      </Group>
      <SearchWords label={text('users.find')} words={words} onChange={setWords} />
      {(error !== null || data === undefined) && <Pending error={error} onRetry={refetch} />}
      {data !== undefined && (
        <DataTable
          label={text('people.users')}
          rows={data.items}
          empty={text('users.none')}
          columns={[
            {
              caption: caption('username'),
              cell: ({ username }) => (
                <TextLink to={`/people/users/${encodeURIComponent(username)}`}>{username}</TextLink>
              ),
            },
            {
              caption: text('users.name'),
              cell: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' '),
            },
            { caption: caption('email'), cell: ({ email }) => email },
            ...(rolesOf === undefined
              ? []
              : [{ caption: text('users.roles'), wraps: true, cell: ({ username }: User) => rolesOf(username) }]),
            {
              caption: caption('active'),
              cell: ({ active }) => (
                <Badge color={active === true ? 'green' : 'gray'}>
                  {text(active === true ? 'users.active' : 'users.disabled')}
                </Badge>
              ),
            },
          ]}
        />
      )}
      {data?.total !== undefined && data.total > data.items.length && (
        <Button onClick={() => setCount(count + PAGE)}>
          {text('people.more', { shown: data.items.length, count: data.total })}
        </Button>
      )}
      <Dialog isOpen={isNew} onClose={close} title={text('users.create')}>
        <UserForm
          user={undefined}
          onSaved={({ username }) => void navigate({ to: `/people/users/${encodeURIComponent(username)}` as string })}
        />
      </Dialog>
    </Stack>
  );
}
