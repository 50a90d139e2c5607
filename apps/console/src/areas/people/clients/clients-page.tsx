import { Badge, Button, Group, MultiSelect, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useApi, useText } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { Dialog } from '../../../controls/dialog.tsx';
import { SubmitForm, TextField } from '../../../controls/forms.tsx';
import { NewSecret } from '../../../controls/new-secret.tsx';
import { TextLink } from '../../../controls/texts.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { useAction } from '../api/use-action.ts';
import { GRANTS, type OAuthClient } from './oauth-client.ts';

/** OAuth clients: create with a secret that is shown once, change, disable, remove. */
export function ClientsPage() {
  const text = useText();
  const api = useApi();
  const [secret, setSecret] = useState<string>();
  const [isNew, { open, close }] = useDisclosure();
  const { data, error, refetch } = useRead<readonly OAuthClient[]>(['people', 'clients'], 'clients', '', {
    query: { limit: '1000' },
  });
  const change = useAction(
    ({ clientId, enabled }: OAuthClient) =>
      api.send('PUT', 'clients', `/${encodeURIComponent(clientId)}`, { enabled: enabled === false }),
    { done: text('people.saved') },
  );
  const remove = useAction((id: string) => api.send('DELETE', 'clients', `/${encodeURIComponent(id)}`), {
    done: text('clients.removed'),
  });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text('people.clients')}</Title>
        <Button variant="filled" leftSection={<IconPlus size={16} />} onClick={open}>
          {text('clients.create')}
        </Button>
      </Group>
      <DataTable
        label={text('people.clients')}
        rows={data}
        keyOf={({ source, clientId }) => `${source} ${clientId}`}
        empty={text('clients.none')}
        columns={[
          {
            caption: text('clients.id'),
            cell: ({ clientId, source }) =>
              source === 'database' ? (
                <TextLink to={`/people/clients/${encodeURIComponent(clientId)}`}>{clientId}</TextLink>
              ) : (
                clientId
              ),
          },
          { caption: text('roles.name'), cell: ({ name }) => name },
          { caption: text('roles.source'), cell: ({ source }) => text(`clients.source.${source}`) },
          {
            caption: text('clients.state'),
            cell: ({ enabled }) => (
              <Badge color={enabled === false ? 'gray' : 'green'}>
                {text(enabled === false ? 'users.disabled' : 'users.active')}
              </Badge>
            ),
          },
          {
            caption: text('people.actions'),
            cell: (client) =>
              client.source === 'database' && (
                <Group gap={6} wrap="nowrap">
                  <Button
                    size="xs"
                    aria-label={`${text(client.enabled === false ? 'clients.enable' : 'clients.disable')}: ${client.clientId}`}
                    onClick={() => change.mutate(client)}
                  >
                    {text(client.enabled === false ? 'clients.enable' : 'clients.disable')}
                  </Button>
                  <ConfirmButton
                    label={text('clients.remove')}
                    aria-label={`${text('clients.remove')}: ${client.clientId}`}
                    question={text('clients.removeText', { name: client.clientId })}
                    onConfirm={() => remove.mutate(client.clientId)}
                  />
                </Group>
              ),
          },
        ]}
      />
      <Dialog isOpen={isNew} onClose={close} title={text('clients.create')}>
        <NewClient
          onCreated={(created) => {
            close();
            setSecret(created);
          }}
        />
      </Dialog>
      <NewSecret title={text('clients.secret')} secret={secret} onClose={() => setSecret(undefined)} />
    </Stack>
  );
}

function NewClient({ onCreated }: { readonly onCreated: (secret: string | undefined) => void }) {
  const text = useText();
  const api = useApi();
  const [clientId, setId] = useState('');
  const [grantTypes, setGrants] = useState<string[]>(['client_credentials']);
  const [redirects, setRedirects] = useState('');
  const create = useAction(
    () =>
      api.send<{ readonly clientSecret?: string }>('POST', 'clients', '', {
        clientId,
        grantTypes,
        ...(redirects.trim() !== '' && { redirectUris: redirects.trim().split(/\s+/) }),
      }),
    { onDone: ({ clientSecret }) => onCreated(clientSecret) },
  );
  return (
    <SubmitForm onSubmit={() => create.mutate()}>
      <Stack>
        <TextField label={text('clients.id')} required value={clientId} onChange={setId} />
        <MultiSelect label={text('clients.grants')} data={GRANTS} value={grantTypes} onChange={setGrants} />
        {grantTypes.includes('authorization_code') && (
          <TextField label={text('clients.redirects')} value={redirects} onChange={setRedirects} />
        )}
        <Button variant="filled" type="submit" loading={create.isPending}>
          {text('action.save')}
        </Button>
      </Stack>
    </SubmitForm>
  );
}
