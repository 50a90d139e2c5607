import { Alert, Stack, Title } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { NewSecret } from '../../../controls/new-secret.tsx';
import { TextLink } from '../../../controls/texts.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useAction } from '../../../requests/use-action.ts';
import { useWebhook } from './use-webhook.ts';
import { createSecret, type Webhook } from './webhook.ts';
import { FIELDS, WebhookForm } from './webhook-form.tsx';

/** The form of a webhook, or of a new one, whose secret is made here and shown once. */
export function WebhookEditPage() {
  const { webhook: id } = useParams({ strict: false }) as { readonly webhook?: string };
  return id === undefined ? <NewWebhook /> : <ChangedWebhook id={id} />;
}

const READS = [['webhooks']];

function NewWebhook() {
  const text = useText();
  const { client, user } = useModel();
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ readonly id: string; readonly secret: string }>();
  const create = useAction(
    async (values: Readonly<Record<string, unknown>>) => {
      const secret = createSecret();
      const { id } = await client.create('sys_Webhook', { ...values, secret });
      return { id: String(id), secret };
    },
    { reads: READS, onDone: setCreated, fields: FIELDS },
  );
  return (
    <Stack>
      <Title order={1}>{text('webhooks.create')}</Title>
      <WebhookForm
        owner={user.username}
        isSaving={create.isPending}
        error={create.error}
        onSave={(values) => create.mutate(values)}
        onCancel={() => void navigate({ to: '/running/webhooks' })}
      >
        <Alert variant="default">{text('webhooks.secretFollows')}</Alert>
        <TextLink to="/data/sys_Webhook/new">{text('webhooks.allAttributes')}</TextLink>
      </WebhookForm>
      <NewSecret
        title={text('webhooks.secret')}
        secret={created?.secret}
        onClose={() => void navigate({ to: `/running/webhooks/${created?.id}` as string, replace: true })}
      />
    </Stack>
  );
}

function ChangedWebhook({ id }: { readonly id: string }) {
  const text = useText();
  const { data, error, refetch } = useWebhook(id);
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <Title order={1}>{text('webhooks.editOf', { name: data.name })}</Title>
      <StoredForm webhook={data} />
    </Stack>
  );
}

function StoredForm({ webhook }: { readonly webhook: Webhook }) {
  const text = useText();
  const { client } = useModel();
  const navigate = useNavigate();
  const back = (): void => void navigate({ to: `/running/webhooks/${webhook.id}` as string });
  const save = useAction(
    (values: Readonly<Record<string, unknown>>) => client.update('sys_Webhook', webhook.id, values),
    { reads: READS, done: text('webhooks.saved'), onDone: back, fields: FIELDS },
  );
  return (
    <WebhookForm
      webhook={webhook}
      owner={webhook.owner}
      isSaving={save.isPending}
      error={save.error}
      onSave={(values) => save.mutate(values)}
      onCancel={back}
    >
      <TextLink to={`/data/sys_Webhook/${webhook.id}`}>{text('webhooks.allAttributes')}</TextLink>
    </WebhookForm>
  );
}
