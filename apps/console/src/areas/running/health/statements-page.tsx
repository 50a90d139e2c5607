import { Anchor, Code, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { useLanguage } from '../../../language/text-provider.tsx';
import { Waiting } from '../../../shell/waiting.tsx';
import { useOperationLinks, useOperations } from '../operations.ts';
import classes from '../running.module.css';

interface SlowStatement {
  readonly process: string;
  readonly pool: string;
  readonly statement: string | null;
  readonly text: string;
  readonly count: number;
  readonly lastAt: string;
  readonly lastMs: number;
  readonly maxMs: number;
  readonly traceId: string | null;
  readonly plan: string | null;
}

/** Slow statements of all processes. */
export function StatementsPage() {
  const { text, locale } = useLanguage();
  const operations = useOperations();
  const { traces } = useOperationLinks();
  const { data, error, refetch } = useQuery({
    queryKey: ['statements'],
    queryFn: ({ signal }) => operations.get<readonly SlowStatement[]>('/slow-statements', signal),
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const count = new Intl.NumberFormat(locale);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' });
  return (
    <Stack>
      <Title order={1}>{text('running.statements')}</Title>
      {data.length === 0 && <Text>{text('statements.none')}</Text>}
      {data.length > 0 && (
        <Table.ScrollContainer minWidth={720} type="native" tabIndex={0}>
          <Table aria-label={text('running.statements')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text('statements.last')}</Table.Th>
                <Table.Th>{text('statements.count')}</Table.Th>
                <Table.Th>{text('statements.max')}</Table.Th>
                <Table.Th>{text('statements.text')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.map((one) => (
                <Table.Tr key={`${one.process} ${one.pool} ${one.statement ?? one.text}`}>
                  <Table.Td>{time.format(new Date(one.lastAt))}</Table.Td>
                  <Table.Td>{count.format(one.count)}</Table.Td>
                  <Table.Td>{count.format(one.maxMs)}</Table.Td>
                  <Table.Td className={classes['wrapped']}>
                    <Text size="xs" c="dimmed">
                      {one.process} · {one.pool}
                    </Text>
                    {traces && one.traceId !== null && (
                      <Anchor
                        size="xs"
                        href={traces.replaceAll('{traceId}', encodeURIComponent(one.traceId))}
                        target="_blank"
                        rel="noreferrer"
                      >
                        {text('statements.trace')}
                      </Anchor>
                    )}
                    <Code>{one.text}</Code>
                    {one.plan !== null && (
                      <Code block tabIndex={0}>
                        {one.plan}
                      </Code>
                    )}
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
