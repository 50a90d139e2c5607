import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useModel, useText } from '../../../context.ts';
import { TextLink } from '../../../controls/texts.tsx';

interface RoleHoldersProps {
  readonly type: 'resource' | 'row-level';
  readonly code: string;
}

const LIMIT = 50;

/** The users who have a role, with links to them. */
export function RoleHolders({ type, code }: RoleHoldersProps) {
  const text = useText();
  const { client, rights } = useModel();
  const { data } = useQuery({
    queryKey: ['people', 'holders', type, code],
    enabled: rights.may('sec_RoleAssignment', 'read'),
    queryFn: ({ signal }) => {
      const conditions = [
        { property: 'roleType', operator: '=' as const, value: type },
        { property: 'roleCode', operator: '=' as const, value: code },
      ];
      const options = { filter: { conditions }, fetchPlan: '_local', sort: 'username', limit: LIMIT, signal } as const;
      return client.page('sec_RoleAssignment', { ...options, count: 'exact' }) as unknown as Promise<{
        readonly items: readonly { readonly username: string }[];
        readonly total: number | undefined;
      }>;
    },
  });
  if (data === undefined) return null;
  const { items, total = items.length } = data;
  return (
    <Group gap="xs">
      <Text size="sm" fw={600}>
        {text('roles.holders')}
      </Text>
      {items.length === 0 && <Text size="sm">{text('roles.noHolder')}</Text>}
      {items.map(({ username }) => (
        <TextLink key={username} to={`/people/users/${encodeURIComponent(username)}`}>
          {username}
        </TextLink>
      ))}
      {total > items.length && <Text size="sm">{text('roles.moreHolders', { count: total - items.length })}</Text>}
    </Group>
  );
}
