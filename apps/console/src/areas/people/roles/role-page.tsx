import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { useText } from '../../../language/text-provider.tsx';
import { useModel } from '../../../model/model-provider.tsx';
import { Waiting } from '../../../shell/waiting.tsx';
import { type ResourcePolicy, type ResourceRole, useRoles } from '../api/roles.ts';
import { useAction } from '../api/use-action.ts';
import { RoleDifference } from './role-difference.tsx';
import { RoleMatrix } from './role-matrix.tsx';

/** One resource role: what it grants, and the difference to another one. Roles of the database can be changed. */
export function RolePage() {
  const { code = '' } = useParams({ strict: false }) as { readonly code?: string };
  const text = useText();
  const { data, error, refetch } = useRoles();
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const role = data.resourceRoles.find((each) => each.code === code && !each.isReplaced);
  if (role === undefined) return <Alert color="yellow">{text('roles.unknown', { name: code })}</Alert>;
  return (
    <Stack>
      <Group gap="sm">
        <Title order={1} size="h2">
          {role.name}
        </Title>
        <Badge variant="default">{text(`roles.source.${role.source}`)}</Badge>
      </Group>
      <Text size="sm">{[role.code, role.description].filter(Boolean).join(' · ')}</Text>
      {role.childRoles.length > 0 && (
        <Text size="sm">{text('roles.children', { roles: role.childRoles.join(', ') })}</Text>
      )}
      <RoleDifference
        code={code}
        others={data.resourceRoles.map((each) => each.code).filter((each) => each !== code)}
      />
      <Policies key={code} role={role} />
    </Stack>
  );
}

interface StoredRole {
  readonly id: string;
  readonly version: number;
  readonly resourcePolicies?: readonly (ResourcePolicy & { readonly id: string })[];
}

const PLAN = {
  properties: ['version', { name: 'resourcePolicies', fetchPlan: '_local' }],
} as const;

function Policies({ role }: { readonly role: ResourceRole }) {
  const text = useText();
  const { client, rights } = useModel();
  const isEditable = role.source === 'database' && rights.may('sec_ResourceRole', 'update');
  const [edited, setEdited] = useState<readonly ResourcePolicy[]>();
  const stored = useQuery({
    queryKey: ['people', 'stored-role', role.code],
    enabled: isEditable,
    queryFn: async ({ signal }) => {
      const conditions = [{ property: 'code', operator: '=' as const, value: role.code }];
      const [found] = await client.list('sec_ResourceRole', { filter: { conditions }, fetchPlan: PLAN, signal });
      return found as unknown as StoredRole;
    },
  });
  const save = useAction(
    async (policies: readonly ResourcePolicy[]) => {
      const known = stored.data?.resourcePolicies ?? [];
      const resourcePolicies = policies.map(({ type, resource, action, effect }) => {
        const same = known.find((each) => each.type === type && each.resource === resource && each.action === action);
        return { ...(same !== undefined && { id: same.id }), type, resource, action, effect };
      });
      await client.update('sec_ResourceRole', stored.data?.id ?? '', { resourcePolicies });
    },
    { done: text('people.saved'), onDone: () => setEdited(undefined) },
  );
  const policies = edited ?? role.policies;
  return (
    <>
      {!isEditable && role.source === 'application' && <Text size="sm">{text('roles.ofCode')}</Text>}
      <RoleMatrix policies={policies} onChange={isEditable ? setEdited : undefined} />
      {edited !== undefined && (
        <Group>
          <Button loading={save.isPending} disabled={stored.data === undefined} onClick={() => save.mutate(edited)}>
            {text('people.save')}
          </Button>
          <Button variant="default" onClick={() => setEdited(undefined)}>
            {text('people.discard')}
          </Button>
        </Group>
      )}
    </>
  );
}
