import { Badge, Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  captionOf,
  formatTime,
  useApi,
  useClient,
  useLanguage,
  useModel,
  useRights,
  useText,
} from '../../../context.ts';
import { SubmitForm, TextField } from '../../../controls/forms.tsx';
import { Hint, TextLink } from '../../../controls/texts.tsx';
import { ErrorAlert, Pending } from '../../../errors/pending.tsx';
import { useAction } from '../../../requests/use-action.ts';
import { DataTable } from '../../../table/data-table.tsx';
import classes from '../running.module.css';
import { ActiveBadge } from './active-badge.tsx';
import { useWebhook } from './use-webhook.ts';
import { changesOf, type Delivery, STATE_COLORS } from './webhook.ts';
import { WebhookActions } from './webhook-actions.tsx';

const LIMIT = 100;
const INTERVAL_MS = 2_000;

/** A webhook with its deliveries, a test message and replays. */
export function WebhookPage() {
  const { webhook: id = '' } = useParams({ strict: false }) as { readonly webhook?: string };
  const text = useText();
  const model = useModel();
  const { rights } = model;
  const { data, error, refetch } = useWebhook(id);
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const mayChange = rights.may('sys_Webhook', 'update');
  return (
    <Stack>
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={1}>{data.name}</Title>
          <ActiveBadge isActive={data.active} />
        </Group>
        <WebhookActions webhook={data} />
      </Group>
      <Text size="sm" c="dimmed" className={classes['wrapped']}>
        {text('webhooks.about', {
          entity: captionOf(model, data.entityName),
          changes: changesOf(data.changes)
            .map((each) => text(`deliveries.change.${each}`))
            .join(', '),
          url: data.url,
          owner: data.owner,
        })}
      </Text>
      {mayChange && <TestMessage id={id} />}
      {mayChange && rights.mayModify('sys_Webhook', 'replayFrom') && <Replay id={id} />}
      {rights.may('sys_WebhookDelivery', 'read') && <Deliveries webhookId={id} />}
    </Stack>
  );
}

function TestMessage({ id }: { readonly id: string }) {
  const { text, locale } = useLanguage();
  const api = useApi();
  const test = useMutation({
    mutationFn: () =>
      api.send<{
        readonly accepted: boolean;
        readonly status: number | null;
        readonly error: string | null;
        readonly durationMs: number;
      }>('POST', 'operations', `/webhooks/${encodeURIComponent(id)}/test`),
  });
  const { data } = test;
  const duration = new Intl.NumberFormat(locale).format(data?.durationMs ?? 0);
  return (
    <Stack gap="xs" align="flex-start">
      <Button loading={test.isPending} onClick={() => test.mutate()}>
        {text('webhooks.test')}
      </Button>
      {test.error !== null && <ErrorAlert error={test.error} />}
      {data !== undefined && (
        <div role="status">
          <Badge color={data.accepted ? 'green' : 'red'} size="lg">
            {text(data.accepted ? 'webhooks.accepted' : 'webhooks.notAccepted')}
          </Badge>
          <Text size="sm">
            {data.error ?? text('webhooks.response', { status: String(data.status ?? ''), duration })}
          </Text>
        </div>
      )}
    </Stack>
  );
}

function Replay({ id }: { readonly id: string }) {
  const text = useText();
  const client = useClient();
  const [since, setSince] = useState('');
  const replay = useAction(
    () => client.update('sys_Webhook', id, { replayFrom: new Date(since).toISOString().replace(/Z$/, '') }),
    { reads: [['deliveries', id]], done: text('webhooks.replayed') },
  );
  return (
    <SubmitForm onSubmit={() => replay.mutate()}>
      <Group align="flex-end">
        <TextField
          type="datetime-local"
          label={text('webhooks.replayFrom')}
          required
          value={since}
          onChange={setSince}
        />
        <Button type="submit" loading={replay.isPending}>
          {text('webhooks.replay')}
        </Button>
      </Group>
    </SubmitForm>
  );
}

const STATES = ['pending', 'delivered', 'failed', 'refused', 'skipped'] as const;

function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const { client, rights } = model;
  const [state, setState] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', webhookId, state],
    queryFn: async ({ signal }) => {
      const conditions = [
        { property: 'webhookId', operator: '=', value: webhookId },
        ...(state === null ? [] : [{ property: 'state', operator: '=', value: state }]),
      ] as const;
      const options = { filter: { conditions }, fetchPlan: '_local', sort: '-changedAt', limit: LIMIT, signal };
      return (await client.page('sys_WebhookDelivery', options as never)).items as unknown as readonly Delivery[];
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state: query }) => (query.data?.some((each) => each.state === 'pending') ? INTERVAL_MS : false),
  });
  const format = (time: string): string => formatTime(`${time}Z`, locale);
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-end">
        <Title order={2}>{text('deliveries.title')}</Title>
        <Select
          label={text('deliveries.state')}
          data={STATES.map((value) => ({ value, label: text(`deliveries.${value}`) }))}
          value={state}
          onChange={setState}
          clearable
          clearButtonProps={{ 'aria-label': text('deliveries.allStates') }}
          placeholder={text('deliveries.allStates')}
        />
      </Group>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <DataTable
          label={text('deliveries.title')}
          minWidth={680}
          rows={data}
          keyOf={({ id: delivery }) => delivery}
          empty={text('deliveries.none')}
          columns={[
            { caption: text('deliveries.changed'), cell: ({ changedAt }) => format(changedAt) },
            {
              caption: text('deliveries.instance'),
              wraps: true,
              cell: ({ change, entityName, entityId }) => (
                <>
                  {captionOf(model, entityName)}{' '}
                  {change === 'deleted' || !rights.may(entityName, 'read') ? (
                    entityId
                  ) : (
                    <TextLink to={`/data/${entityName}/${encodeURIComponent(entityId)}`}>{entityId}</TextLink>
                  )}{' '}
                  {text(`deliveries.change.${change}`)}
                </>
              ),
            },
            {
              caption: text('deliveries.state'),
              cell: (delivery) => (
                <Badge color={STATE_COLORS[delivery.state]}>{text(`deliveries.${delivery.state}`)}</Badge>
              ),
            },
            {
              caption: text('deliveries.result'),
              wraps: true,
              cell: ({ lastError, lastStatus, attempts, nextAttempt, state: current }) => (
                <>
                  <Text size="sm">{lastError ?? lastStatus ?? ''}</Text>
                  <Hint>
                    {text('deliveries.attempts', { count: attempts })}
                    {current === 'pending' &&
                      typeof nextAttempt === 'string' &&
                      `, ${text('deliveries.next', { time: format(nextAttempt) })}`}
                  </Hint>
                </>
              ),
            },
            {
              caption: text('letters.actions'),
              cell: (delivery) => <SendAgain delivery={delivery} webhookId={webhookId} />,
            },
          ]}
        />
      )}
    </Stack>
  );
}

/** Sends a delivery that waits at once, and another one again. */
function SendAgain({ delivery, webhookId }: { readonly delivery: Delivery; readonly webhookId: string }) {
  const text = useText();
  const client = useClient();
  const rights = useRights();
  const isPending = delivery.state === 'pending';
  const again = useAction(
    () => client.update('sys_WebhookDelivery', delivery.id, isPending ? { nextAttempt: null } : { state: 'pending' }),
    { reads: [['deliveries', webhookId]] },
  );
  if (!rights.may('sys_WebhookDelivery', 'update')) return null;
  return (
    <Button size="xs" loading={again.isPending} onClick={() => again.mutate()}>
      {text(isPending ? 'deliveries.now' : 'deliveries.again')}
    </Button>
  );
}
