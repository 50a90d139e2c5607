import { Badge, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { TextLink } from '../../../controls/texts.tsx';
import { ErrorAlert, Pending } from '../../../errors/pending.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import { useRoles } from '../api/roles.ts';
import { useAction } from '../api/use-action.ts';
import { assignmentOf, roleOptions } from './role-options.ts';

interface Assignment {
  readonly id: string;
  readonly roleCode: string;
  readonly roleType: 'resource' | 'row-level';
}

/** The roles of a user: assign and remove. */
export function AssignedRoles({ username }: { readonly username: string }) {
  const text = useText();
  const { client, rights } = useModel();
  const { data, error, refetch } = useQuery({
    queryKey: ['people', 'assignments', username],
    queryFn: ({ signal }) => {
      const conditions = [{ property: 'username', operator: '=' as const, value: username }];
      const options = { filter: { conditions }, fetchPlan: '_local', sort: 'roleType,roleCode', limit: 500, signal };
      return client.list('sec_RoleAssignment', options) as unknown as Promise<readonly Assignment[]>;
    },
  });
  const remove = useAction((id: string) => client.remove('sec_RoleAssignment', id), {
    done: text('roles.unassigned'),
  });
  const mayViewRoles = rights.has('rights.view');
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <DataTable
        label={text('user.tab.roles')}
        rows={data}
        empty={text('roles.noneAssigned')}
        columns={[
          ...(mayViewRoles
            ? [{ caption: text('roles.role'), cell: (each: Assignment) => <RoleLink assignment={each} /> }]
            : []),
          { caption: text('roles.code'), cell: ({ roleCode }) => roleCode },
          {
            caption: text('roles.kind'),
            cell: ({ roleType }) => (
              <Badge variant="default">{text(roleType === 'resource' ? 'roles.resource' : 'roles.rowLevel')}</Badge>
            ),
          },
          {
            caption: text('people.actions'),
            cell: ({ id, roleCode }) =>
              rights.may('sec_RoleAssignment', 'delete') && (
                <ConfirmButton
                  label={text('roles.unassign')}
                  aria-label={`${text('roles.unassign')}: ${roleCode}`}
                  question={text('roles.unassignText', { role: roleCode, name: username })}
                  onConfirm={() => remove.mutate(id)}
                />
              ),
          },
        ]}
      />
      {rights.may('sec_RoleAssignment', 'create') && mayViewRoles && <Assign username={username} assigned={data} />}
    </Stack>
  );
}

function RoleLink({ assignment: { roleType, roleCode } }: { readonly assignment: Assignment }) {
  const { data } = useRoles();
  const isResource = roleType === 'resource';
  const role = (isResource ? data?.resourceRoles : data?.rowLevelRoles)?.find(({ code }) => code === roleCode);
  return (
    role !== undefined && (
      <TextLink to={`/people/${isResource ? 'roles' : 'rules'}/${encodeURIComponent(roleCode)}`}>{role.name}</TextLink>
    )
  );
}

function Assign({ username, assigned }: { readonly username: string; readonly assigned: readonly Assignment[] }) {
  const text = useText();
  const { client } = useModel();
  const { data, error } = useRoles();
  const [chosen, setChosen] = useState<string | null>(null);
  const assign = useAction((key: string) => client.create('sec_RoleAssignment', { username, ...assignmentOf(key) }), {
    done: text('roles.assigned'),
    onDone: () => setChosen(null),
  });
  if (error !== null) return <ErrorAlert error={error} />;
  if (data === undefined) return null;
  const has = new Set(assigned.map(({ roleType, roleCode }) => `${roleType}/${roleCode}`));
  return (
    <Group align="end">
      <Select
        label={text('roles.assign')}
        placeholder={text('roles.choose')}
        searchable
        nothingFoundMessage={text('palette.nothing')}
        value={chosen}
        onChange={setChosen}
        data={roleOptions(data, text, has)}
        w={320}
      />
      <Button
        variant="filled"
        disabled={chosen === null}
        loading={assign.isPending}
        onClick={() => chosen !== null && assign.mutate(chosen)}
      >
        {text('roles.assignNow')}
      </Button>
      <Text size="xs">{text('roles.assignHint')}</Text>
    </Group>
  );
}
