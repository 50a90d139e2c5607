import { Alert, Badge, Group, MultiSelect, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { SaveBar } from '../../../controls/save-bar.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { type ResourcePolicy, type ResourceRole, useRoles } from '../api/roles.ts';
import { useAction } from '../api/use-action.ts';
import { HistoryLink } from '../logins/history-link.tsx';
import { type StoredPolicy, writtenPolicies } from './policy-set.ts';
import { RemoveRole } from './remove-role.tsx';
import { RoleDifference } from './role-difference.tsx';
import { RoleHolders } from './role-holders.tsx';
import { RoleMatrix } from './role-matrix.tsx';

/** One resource role: what it grants, and the difference to another one. Roles of the database can be changed. */
export function RolePage() {
  const { code = '' } = useParams({ strict: false }) as { readonly code?: string };
  const text = useText();
  const { data, error, refetch } = useRoles();
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const role = data.resourceRoles.find((each) => each.code === code && !each.isReplaced);
  const others = data.resourceRoles.map((each) => each.code).filter((each) => each !== code);
  if (role === undefined) return <Alert color="yellow">{text('roles.unknown', { name: code })}</Alert>;
  return (
    <Stack>
      <Group gap="sm">
        <Title order={1}>{role.name}</Title>
        <Badge variant="default">{text(`roles.source.${role.source}`)}</Badge>
        <HistoryLink filter={{ role: code }} />
      </Group>
      <Text size="sm">{[role.code, role.description].filter(Boolean).join(' · ')}</Text>
      <RoleHolders type="resource" code={code} />
      <RoleDifference code={code} others={others} />
      <Policies key={code} role={role} others={others} />
    </Stack>
  );
}

interface StoredRole {
  readonly id: string;
  readonly version: number;
  readonly resourcePolicies?: readonly StoredPolicy[];
}

const PLAN = { version: true, resourcePolicies: '_local' } as const;

interface PoliciesProps {
  readonly role: ResourceRole;
  /** Codes of roles that can be child roles. */
  readonly others: readonly string[];
}

interface Edited {
  readonly policies?: readonly ResourcePolicy[];
  readonly childRoles?: readonly string[];
}

function Policies({ role, others }: PoliciesProps) {
  const text = useText();
  const { client, rights } = useModel();
  const isEditable = role.source === 'database' && rights.may('sec_ResourceRole', 'update');
  const [edited, setEdited] = useState<Edited>({});
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
    ({ policies: changed, childRoles }: Edited) =>
      client.update('sec_ResourceRole', stored.data?.id ?? '', {
        ...(childRoles !== undefined && { childRoles }),
        ...(changed !== undefined && { resourcePolicies: writtenPolicies(changed, stored.data?.resourcePolicies) }),
      }),
    { done: text('people.saved'), onDone: () => setEdited({}) },
  );
  const policies = edited.policies ?? role.policies;
  const childRoles = edited.childRoles ?? role.childRoles;
  const isDirty = Object.keys(edited).length > 0;
  return (
    <>
      {!isEditable && role.source === 'application' && <Text size="sm">{text('roles.ofCode')}</Text>}
      {(isEditable || childRoles.length > 0) && (
        <MultiSelect
          label={text('roles.childRoles')}
          description={text('roles.childRolesHint')}
          searchable
          disabled={!isEditable}
          data={[...new Set([...others, ...childRoles])]}
          value={[...childRoles]}
          onChange={(chosen) => setEdited((before) => ({ ...before, childRoles: chosen }))}
          maw={640}
        />
      )}
      <RoleMatrix
        policies={policies}
        onChange={isEditable ? (changed) => setEdited((before) => ({ ...before, policies: changed })) : undefined}
      />
      {isEditable && (
        <SaveBar
          isSaving={save.isPending}
          canSave={isDirty && stored.data !== undefined}
          onSave={() => save.mutate(edited)}
          onDiscard={isDirty ? () => setEdited({}) : undefined}
        />
      )}
      {role.source === 'database' && stored.data !== undefined && (
        <Group>
          <RemoveRole entity="sec_ResourceRole" id={stored.data.id} name={role.name} />
        </Group>
      )}
    </>
  );
}
