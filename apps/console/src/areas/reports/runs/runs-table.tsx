import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatTime, useLanguage, useModel } from '../../../context.ts';
import { Pending } from '../../../errors/pending.tsx';
import { useAction } from '../../../requests/use-action.ts';
import { DataTable } from '../../../table/data-table.tsx';

const INTERVAL_MS = 1_000;
const COLORS = { QUEUED: 'gray', RUNNING: 'blue', SUCCEEDED: 'green', FAILED: 'red', CANCELLED: 'yellow' } as const;

/** The members that runs of reports and of service methods share. */
export interface ListedRun {
  readonly id: string;
  readonly status: keyof typeof COLORS;
  readonly createdAt: string;
  readonly error?: { readonly error: string; readonly details: string };
}

interface RunsTableProps<R extends ListedRun> {
  readonly title: string;
  readonly empty: string;
  /** Path of the runs, which also names their query. */
  readonly path: string;
  readonly name: { readonly caption: string; readonly of: (run: R) => string };
  /** How far a run is that is being carried out. */
  readonly progressOf: (run: R) => string | undefined;
  readonly hasResult: (run: R) => boolean;
  readonly onShow: (run: R) => void;
}

/** The runs of the user in the background, which are read again while one has not ended; texts are of reports. */
export function RunsTable<R extends ListedRun>({ title, empty, path, name, ...of }: RunsTableProps<R>) {
  const { text, locale } = useLanguage();
  const { connection } = useModel();
  const { data, error, refetch } = useQuery({
    queryKey: ['runs', path],
    queryFn: async ({ signal }) =>
      (await connection.read({ method: 'GET', path, repeatable: true, signal })).body as readonly R[],
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some((run) => !hasEnded(run)) ? INTERVAL_MS : false),
  });
  const cancel = useAction(
    (id: string) => connection.read({ method: 'DELETE', path: `${path}/${id}`, repeatable: true }),
    { reads: [['runs', path]] },
  );
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const explained = (run: R): ReactNode =>
    run.status === 'FAILED' && run.error !== undefined
      ? [run.error.error, run.error.details].filter((part) => part !== '').join(': ')
      : run.status === 'RUNNING' && of.progressOf(run);
  return (
    <Stack>
      <Title order={1}>{title}</Title>
      <DataTable
        label={title}
        minWidth={560}
        rows={data}
        empty={empty}
        columns={[
          { caption: name.caption, cell: name.of },
          { caption: text('runs.created'), cell: ({ createdAt }) => formatTime(createdAt, locale) },
          {
            caption: text('runs.status'),
            cell: (run) => (
              <>
                <Badge color={COLORS[run.status]}>{text(`runs.state.${run.status}`)}</Badge>
                <Text size="xs">{explained(run)}</Text>
              </>
            ),
          },
          {
            caption: text('runs.actions'),
            cell: (run) => (
              <Group gap="xs">
                {of.hasResult(run) && (
                  <Button size="xs" onClick={() => of.onShow(run)}>
                    {text('runs.show')}
                  </Button>
                )}
                {!hasEnded(run) && (
                  <Button size="xs" onClick={() => cancel.mutate(run.id)}>
                    {text('runs.cancel')}
                  </Button>
                )}
              </Group>
            ),
          },
        ]}
      />
    </Stack>
  );
}

/** Whether the state of a run is final. */
const hasEnded = ({ status }: ListedRun): boolean => status !== 'QUEUED' && status !== 'RUNNING';
