import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { SaveBar } from '../../../controls/save-bar.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { type RowPolicy, type RowRole, useRoles } from '../api/roles.ts';
import { useAction } from '../api/use-action.ts';
import { HistoryLink } from '../logins/history-link.tsx';
import { RemoveRole } from '../roles/remove-role.tsx';
import { RoleHolders } from '../roles/role-holders.tsx';
import { NEW_POLICY, writtenPolicy } from './row-policy.ts';
import { RowPolicyEditor } from './row-policy-editor.tsx';
import { RowPreview } from './row-preview.tsx';

/** One row-level role: its policies, checked while they are written, and what a user sees with them. */
export function RulePage() {
  const { code = '' } = useParams({ strict: false }) as { readonly code?: string };
  const text = useText();
  const { data, error, refetch } = useRoles();
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const found = data.rowLevelRoles.filter((each) => each.code === code);
  if (found.length === 0) return <Alert color="yellow">{text('roles.unknown', { name: code })}</Alert>;
  return (
    <Stack>
      {found.map((role) => (
        <Rule key={role.source} role={role} />
      ))}
    </Stack>
  );
}

interface StoredRole {
  readonly id: string;
  readonly version: number;
}

function Rule({ role }: { readonly role: RowRole }) {
  const text = useText();
  const { client, rights } = useModel();
  const isEditable = role.source === 'database' && rights.may('sec_RowLevelRole', 'update');
  const [edited, setEdited] = useState<readonly RowPolicy[]>();
  const stored = useQuery({
    queryKey: ['people', 'stored-rule', role.code],
    enabled: isEditable,
    queryFn: async ({ signal }) => {
      const conditions = [{ property: 'code', operator: '=' as const, value: role.code }];
      const [found] = await client.list('sec_RowLevelRole', { filter: { conditions }, fetchPlan: '_local', signal });
      return found as unknown as StoredRole;
    },
  });
  const save = useAction(
    (policies: readonly RowPolicy[]) =>
      client.update('sec_RowLevelRole', stored.data?.id ?? '', { rowLevelPolicies: policies.map(writtenPolicy) }),
    { done: text('people.saved'), onDone: () => setEdited(undefined) },
  );
  const policies = edited ?? role.policies;
  const replace = (index: number, policy: RowPolicy | undefined): void =>
    setEdited(policies.flatMap((each, at) => (at === index ? (policy ?? []) : [each])));
  return (
    <>
      <Group gap="sm">
        <Title order={1}>{role.name}</Title>
        <Badge variant="default">{text(`roles.source.${role.source}`)}</Badge>
        <HistoryLink filter={{ role: `row_level_role:${role.code}` }} />
      </Group>
      <Text size="sm">{role.code}</Text>
      <RoleHolders type="row-level" code={role.code} />
      {!isEditable && role.source === 'application' && <Text size="sm">{text('roles.ofCode')}</Text>}
      {policies.length === 0 && <Text size="sm">{text('rules.none')}</Text>}
      {policies.map((policy, index) => (
        <RowPolicyEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: policies of a role have no key before they are saved
          key={index}
          number={index + 1}
          policy={policy}
          onChange={isEditable ? (changed) => replace(index, changed) : undefined}
        />
      ))}
      {isEditable && (
        <Group>
          <Button onClick={() => setEdited([...policies, NEW_POLICY])}>{text('rules.add')}</Button>
          {stored.data !== undefined && <RemoveRole entity="sec_RowLevelRole" id={stored.data.id} name={role.name} />}
        </Group>
      )}
      {rights.has('rights.preview') && <RowPreview role={role.code} policies={policies} />}
      {edited !== undefined && (
        <SaveBar
          isSaving={save.isPending}
          canSave={stored.data !== undefined}
          onSave={() => save.mutate(edited)}
          onDiscard={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
