import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useText } from '../../../context.ts';
import { ErrorAlert } from '../../../errors/pending.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import type { RowPolicy } from '../api/roles.ts';
import { UserNameInput } from '../users/user-name-input.tsx';
import { previewedPolicies } from './row-policy.ts';

interface Preview {
  readonly canRead: boolean;
  readonly count: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** The rows that a user would see with these policies, saved or not. */
export function RowPreview({ role, policies }: { readonly role: string; readonly policies: readonly RowPolicy[] }) {
  const text = useText();
  const api = useApi();
  const [username, setUsername] = useState('');
  const entityName = policies.find((policy) => policy.entityName !== '')?.entityName;
  const previewed = previewedPolicies(policies);
  const preview = useMutation({
    mutationFn: () =>
      api.send<Preview>('POST', 'rights', '/preview', {
        username,
        entityName,
        ...(previewed !== undefined && { role, policies: previewed }),
      }),
  });
  if (entityName === undefined) return null;
  return (
    <Stack gap="sm">
      <Title order={2}>{text('rules.preview')}</Title>
      <Group align="end">
        <UserNameInput label={text('rules.previewFor')} value={username} onChange={setUsername} />
        <Button
          variant="filled"
          disabled={username === ''}
          loading={preview.isPending}
          onClick={() => preview.mutate()}
        >
          {text('rules.previewNow')}
        </Button>
      </Group>
      {preview.error !== null && <ErrorAlert error={preview.error} />}
      {preview.data !== undefined && (
        <>
          <Text size="sm" role="status">
            {preview.data.canRead
              ? text('rules.previewCount', { count: preview.data.count })
              : text('rules.previewDenied', { entity: entityName })}
          </Text>
          {preview.data.rows.length > 0 && (
            <DataTable
              label={text('rules.preview')}
              rows={preview.data.rows}
              keyOf={(row) => JSON.stringify(row['id'])}
              empty=""
              columns={[
                { caption: text('explain.instance'), cell: (row) => String(row['_instanceName'] ?? '') },
                { caption: 'id', cell: (row) => JSON.stringify(row['id']).replaceAll('"', '') },
              ]}
            />
          )}
        </>
      )}
    </Stack>
  );
}
