import { Button, Group, Stack, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { captionOf, useModel, useText } from '../../../context.ts';
import { TextLink } from '../../../controls/texts.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import classes from '../running.module.css';
import { ActiveBadge } from './active-badge.tsx';
import type { Webhook } from './webhook.ts';

const LIMIT = 200;

/** The webhooks that the user may see. */
export function WebhooksPage() {
  const text = useText();
  const model = useModel();
  const { client, rights } = model;
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks'],
    queryFn: async ({ signal }) =>
      (await client.page('sys_Webhook', { fetchPlan: '_local', sort: 'name', limit: LIMIT, signal }))
        .items as unknown as readonly Webhook[],
    placeholderData: keepPreviousData,
  });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text('running.webhooks')}</Title>
        {rights.may('sys_Webhook', 'create') && (
          <Button variant="filled" leftSection={<IconPlus size={16} />} component={Link} to="/running/webhooks/new">
            {text('webhooks.create')}
          </Button>
        )}
      </Group>
      <DataTable
        label={text('running.webhooks')}
        minWidth={640}
        rows={data}
        columns={[
          {
            caption: text('webhooks.name'),
            cell: ({ id, name }) => <TextLink to={`/running/webhooks/${id}`}>{name}</TextLink>,
          },
          { caption: text('webhooks.entity'), cell: ({ entityName }) => captionOf(model, entityName) },
          { caption: text('webhooks.url'), cell: ({ url }) => <span className={classes['wrapped']}>{url}</span> },
          { caption: text('webhooks.state'), cell: ({ active }) => <ActiveBadge isActive={active} /> },
        ]}
        empty={text('webhooks.none')}
      />
    </Stack>
  );
}
