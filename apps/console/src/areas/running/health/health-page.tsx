import { Anchor, Badge, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useLanguage, useText } from '../../../context.ts';
import { Hint } from '../../../controls/texts.tsx';
import { useRead } from '../../../requests/use-read.ts';
import '@mantine/core/styles/Card.css';
import { keepPreviousData } from '@tanstack/react-query';
import { Pending } from '../../../errors/pending.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import { formatAge } from '../format-age.ts';
import { useOperationLinks } from '../operations.ts';
import type { RunningProcess } from './running-process.ts';

const INTERVAL_MS = 5_000;
const COLORS = { ready: 'green', degraded: 'yellow', 'not ready': 'red' } as const;

interface Backlog {
  readonly count: number;
  readonly oldestSeconds: number;
}

/** A queue of the broker, or a table with events. */
interface WaitingEvents {
  readonly name: string;
  readonly events: number;
  readonly age?: string;
  readonly consumers?: number;
}

interface Queues {
  readonly queues: readonly WaitingEvents[];
  readonly outbox: Backlog;
  readonly deliveries: Backlog;
}

/** All processes with their checks, and what waits in queues and tables. */
export function HealthPage() {
  const text = useText();
  const { dashboards } = useOperationLinks();
  const { data, error, refetch } = useRead<readonly RunningProcess[]>(['processes'], 'operations', '/processes', {
    refetchInterval: INTERVAL_MS,
    placeholderData: keepPreviousData,
  });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text('running.health')}</Title>
        {dashboards && (
          <Anchor href={dashboards} target="_blank" rel="noreferrer">
            {text('health.dashboards')}
          </Anchor>
        )}
      </Group>
      {data.length === 0 && <Text>{text('health.none')}</Text>}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {data.map((process) => (
          <ProcessCard key={process.id} process={process} />
        ))}
      </SimpleGrid>
      <QueueList />
    </Stack>
  );
}

function ProcessCard({ process }: { readonly process: RunningProcess }) {
  const { text, locale } = useLanguage();
  const { service, host, processId, status, checks, startedAt, memoryBytes, nodeVersion } = process;
  const seconds = (Date.parse(process.reportedAt) - Date.parse(startedAt)) / 1_000;
  const memory = new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 });
  return (
    <Card withBorder padding="sm" component="section" aria-label={`${service} ${host} ${processId}`}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600}>{service}</Text>
        <Badge color={COLORS[status]}>{text(`health.status.${status}`)}</Badge>
      </Group>
      <Hint>
        {text('health.about', {
          host,
          process: String(processId),
          age: formatAge(seconds, locale),
          memory: memory.format(memoryBytes / 1_000_000),
          node: nodeVersion,
        })}
      </Hint>
      <Stack gap={2} mt="xs">
        {Object.entries(checks).map(([name, check]) => (
          <Group key={name} justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm">{name}</Text>
            <Text size="sm" fw={check.status === 'up' ? 400 : 700}>
              {check.reason ?? text(`health.check.${check.status}`)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}

function QueueList() {
  const { text, locale } = useLanguage();
  const { data, error, refetch } = useRead<Queues>(['queues'], 'operations', '/queues', {
    refetchInterval: INTERVAL_MS,
    placeholderData: keepPreviousData,
  });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const count = new Intl.NumberFormat(locale);
  const tables = (['outbox', 'deliveries'] as const).map((name) => {
    const { count: events, oldestSeconds } = data[name];
    return { name: text(`health.${name}`), events, age: events === 0 ? '' : formatAge(oldestSeconds, locale) };
  });
  return (
    <Stack gap="xs">
      <Title order={2}>{text('health.queues')}</Title>
      <DataTable<WaitingEvents>
        label={text('health.queues')}
        rows={[...tables, ...data.queues]}
        keyOf={({ name }) => name}
        columns={[
          { caption: text('health.queue'), cell: ({ name }) => name },
          { caption: text('health.waiting'), cell: ({ events }) => count.format(events) },
          { caption: text('health.oldest'), cell: ({ age }) => age },
          {
            caption: text('health.consumers'),
            cell: ({ consumers }) => consumers !== undefined && count.format(consumers),
          },
        ]}
      />
    </Stack>
  );
}
