import { Anchor, Badge, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { useText } from '../../../language/text-provider.tsx';
import { useModel } from '../../../model/model-provider.tsx';
import { Waiting } from '../../../shell/waiting.tsx';
import classes from '../running.module.css';
import type { Webhook } from './webhook.ts';

const LIMIT = 200;

/** The webhooks that the user may see. */
export function WebhooksPage() {
  const text = useText();
  const { client, rights } = useModel();
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks'],
    queryFn: async ({ signal }) =>
      (await client.page('sys_Webhook', { fetchPlan: '_local', sort: 'name', limit: LIMIT, signal }))
        .items as unknown as readonly Webhook[],
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text('running.webhooks')}</Title>
        {rights.may('sys_Webhook', 'create') && (
          <Button leftSection={<IconPlus size={16} />} component={Link} to="/data/sys_Webhook/new">
            {text('webhooks.create')}
          </Button>
        )}
      </Group>
      {data.length === 0 && <Text>{text('webhooks.none')}</Text>}
      {data.length > 0 && (
        <Table.ScrollContainer minWidth={640} type="native" tabIndex={0}>
          <Table aria-label={text('running.webhooks')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text('webhooks.name')}</Table.Th>
                <Table.Th>{text('webhooks.entity')}</Table.Th>
                <Table.Th>{text('webhooks.url')}</Table.Th>
                <Table.Th>{text('webhooks.state')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.map(({ id, name, entityName, url, active }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/running/webhooks/${id}`}>
                      {name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{entityName}</Table.Td>
                  <Table.Td className={classes['wrapped']}>{url}</Table.Td>
                  <Table.Td>
                    <Badge color={active ? 'green' : 'gray'} variant="dot" tt="none" fw={500} miw="max-content">
                      {text(active ? 'webhooks.active' : 'webhooks.inactive')}
                    </Badge>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  );
}
