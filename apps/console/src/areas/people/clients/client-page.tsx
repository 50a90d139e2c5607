import { Button, Group, MultiSelect, Stack, TagsInput, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { formatTime, useApi, useLanguage, useRights, useText } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { SubmitForm, SwitchField, TextField } from '../../../controls/forms.tsx';
import { NewSecret } from '../../../controls/new-secret.tsx';
import { SaveBar } from '../../../controls/save-bar.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { useRoles } from '../api/roles.ts';
import { useAction } from '../api/use-action.ts';
import { HistoryLink } from '../logins/history-link.tsx';
import { GRANTS, type OAuthClient } from './oauth-client.ts';

/** A client of the database: what it may do, and its secrets. */
export function ClientPage() {
  const { clientId = '' } = useParams({ strict: false }) as { readonly clientId?: string };
  const { data, error, refetch } = useRead<OAuthClient>(
    ['people', 'client', clientId],
    'clients',
    `/${encodeURIComponent(clientId)}`,
  );
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <Title order={1}>{clientId}</Title>
      <HistoryLink filter={{ client: clientId }} />
      <ClientForm key={clientId} client={data} />
      <Secrets client={data} />
    </Stack>
  );
}

type Edited = Partial<
  Pick<OAuthClient, 'name' | 'enabled' | 'grantTypes' | 'redirectUris' | 'scopes' | 'resourceRoles' | 'rowLevelRoles'>
>;

function ClientForm({ client }: { readonly client: OAuthClient }) {
  const text = useText();
  const rights = useRights();
  const api = useApi();
  const [edited, setEdited] = useState<Edited>({});
  const change = (part: Edited): void => setEdited((before) => ({ ...before, ...part }));
  const current = { ...client, ...edited };
  const save = useAction(() => api.send('PUT', 'clients', `/${encodeURIComponent(client.clientId)}`, edited), {
    done: text('people.saved'),
    onDone: () => setEdited({}),
  });
  return (
    <SubmitForm onSubmit={() => save.mutate()}>
      <Stack maw={640}>
        <TextField
          label={text('roles.name')}
          value={current.name ?? ''}
          onChange={(value) => change({ name: value === '' ? null : value })}
        />
        <SwitchField
          label={text('users.active')}
          checked={current.enabled !== false}
          onChange={(isChecked) => change({ enabled: isChecked })}
        />
        <MultiSelect
          label={text('clients.grants')}
          data={GRANTS}
          value={[...(current.grantTypes ?? [])]}
          onChange={(grantTypes) => change({ grantTypes })}
        />
        <TagsInput
          label={text('clients.redirects')}
          value={[...(current.redirectUris ?? [])]}
          onChange={(redirectUris) => change({ redirectUris })}
        />
        <TagsInput
          label={text('clients.scopes')}
          value={[...(current.scopes ?? [])]}
          onChange={(scopes) => change({ scopes })}
        />
        {rights.has('rights.view') && <RoleSelects client={current} onChange={change} />}
        {Object.keys(edited).length > 0 && <SaveBar isSaving={save.isPending} onDiscard={() => setEdited({})} />}
      </Stack>
    </SubmitForm>
  );
}

interface RoleSelectsProps {
  readonly client: Pick<OAuthClient, 'resourceRoles' | 'rowLevelRoles'>;
  readonly onChange: (part: Edited) => void;
}

function RoleSelects({ client, onChange }: RoleSelectsProps) {
  const text = useText();
  const { data } = useRoles();
  const codesOf = (roles: readonly { readonly code: string }[] = []): string[] => [
    ...new Set(roles.map(({ code }) => code)),
  ];
  return (
    <>
      <MultiSelect
        label={text('clients.roles')}
        searchable
        data={codesOf(data?.resourceRoles)}
        value={[...(client.resourceRoles ?? [])]}
        onChange={(resourceRoles) => onChange({ resourceRoles })}
      />
      <MultiSelect
        label={text('clients.rowRoles')}
        searchable
        data={codesOf(data?.rowLevelRoles)}
        value={[...(client.rowLevelRoles ?? [])]}
        onChange={(rowLevelRoles) => onChange({ rowLevelRoles })}
      />
    </>
  );
}

/** The secrets without their values: at most two, so that a new one can replace an old one. */
function Secrets({ client: { clientId, secrets = [] } }: { readonly client: OAuthClient }) {
  const { text, locale } = useLanguage();
  const api = useApi();
  const [secret, setSecret] = useState<string>();
  const path = `/${encodeURIComponent(clientId)}/secrets`;
  const create = useAction(() => api.send<{ readonly clientSecret: string }>('POST', 'clients', path, {}), {
    onDone: (created) => setSecret(created.clientSecret),
  });
  const end = useAction((id: string) => api.send('DELETE', 'clients', `${path}/${encodeURIComponent(id)}`), {
    done: text('clients.secretEnded'),
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2}>{text('clients.secrets')}</Title>
        <Button loading={create.isPending} onClick={() => create.mutate()}>
          {text('clients.rotate')}
        </Button>
      </Group>
      <DataTable
        label={text('clients.secrets')}
        rows={secrets}
        empty={text('clients.noSecret')}
        columns={[
          { caption: text('clients.created'), cell: ({ createdAt }) => formatTime(createdAt, locale) },
          { caption: text('clients.expires'), cell: ({ expiresAt }) => formatTime(expiresAt, locale) },
          {
            caption: text('people.actions'),
            cell: ({ id, createdAt }) => (
              <ConfirmButton
                label={text('clients.endSecret')}
                aria-label={`${text('clients.endSecret')}: ${formatTime(createdAt, locale)}`}
                question={text('clients.endSecretText', { name: clientId })}
                loading={end.isPending && end.variables === id}
                onConfirm={() => end.mutate(id)}
              />
            ),
          },
        ]}
      />
      <NewSecret title={text('clients.secret')} secret={secret} onClose={() => setSecret(undefined)} />
    </Stack>
  );
}
