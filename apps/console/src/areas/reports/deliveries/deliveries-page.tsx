import { Badge, Button, Group, Stack, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatTime, useLanguage, useModel } from '../../../context.ts';
import { Hint, TextLink } from '../../../controls/texts.tsx';
import { Pending } from '../../../errors/pending.tsx';
import { useAction } from '../../../requests/use-action.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { DELIVERY, type Delivery, reportOf, scheduleText, useReports } from './delivery.ts';

const LIMIT = 200;

/** The reports on a schedule that the user may see; owners send theirs at once. */
export function DeliveriesPage() {
  const language = useLanguage();
  const { text, locale } = language;
  const { client, rights, user } = useModel();
  const { data: reports = [] } = useReports();
  const { data, error, refetch } = useQuery({
    queryKey: ['report-deliveries'],
    queryFn: async ({ signal }) =>
      (await client.page(DELIVERY, { fetchPlan: '_local', sort: 'name', limit: LIMIT, signal }))
        .items as unknown as readonly Delivery[],
    staleTime: 0,
  });
  const send = useAction(
    (id: string) => client.update(DELIVERY, id, { nextRun: new Date().toISOString().replace(/Z$/, '') }),
    { reads: [['report-deliveries']], done: text('delivery.sending') },
  );
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const timeOf = (time: string | null | undefined): string => formatTime(time && `${time}Z`, locale);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text('reports.deliveries')}</Title>
        {rights.may(DELIVERY, 'create') && (
          <Button variant="filled" leftSection={<IconPlus size={16} />} component={Link} to="/reports/deliveries/new">
            {text('delivery.create')}
          </Button>
        )}
      </Group>
      <DataTable
        label={text('reports.deliveries')}
        minWidth={760}
        rows={data}
        empty={text('delivery.none')}
        columns={[
          {
            caption: text('delivery.name'),
            cell: ({ id, name, report }) => (
              <>
                <TextLink to={`/reports/deliveries/${id}`}>{name}</TextLink>
                <Hint>{reportOf(reports, report)?.name ?? report}</Hint>
              </>
            ),
          },
          { caption: text('delivery.schedule'), cell: (each) => scheduleText(each, language) },
          {
            caption: text('delivery.next'),
            cell: ({ active, nextRun }) =>
              active ? timeOf(nextRun) : <Badge color="gray">{text('delivery.paused')}</Badge>,
          },
          {
            caption: text('delivery.last'),
            cell: ({ lastSent, lastError }) => (
              <>
                {timeOf(lastSent)}
                {lastError && <Badge color="red">{lastError}</Badge>}
              </>
            ),
          },
          {
            caption: text('runs.actions'),
            cell: ({ id, active, owner }) =>
              active &&
              owner === user.username &&
              rights.may(DELIVERY, 'update') && (
                <Button size="xs" onClick={() => send.mutate(id)}>
                  {text('delivery.send')}
                </Button>
              ),
          },
        ]}
      />
    </Stack>
  );
}
