import { Button, Group, Select, Stack, Title } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatTime, useApi, useLanguage, useRights } from '../../../context.ts';
import { ErrorAlert } from '../../../errors/pending.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import { SendButton } from '../send-button.tsx';
import { canCancel, intervalOf, JOBS, type JobRun, mayManageJob, type JobRuns as Page, RUN_STATES } from './job.ts';
import { RunState } from './run-state.tsx';

/** The runs of the jobs, the newest first. */
export function JobRuns({ jobs }: { readonly jobs: readonly string[] }) {
  const { text, locale } = useLanguage();
  const api = useApi();
  const rights = useRights();
  const [job, setJob] = useState<string | null>(null);
  const [state, setState] = useState<string | null>(null);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...JOBS, 'runs', job, state],
    queryFn: ({ signal, pageParam: after }) => {
      const selected = Object.entries({ job, state, after }).filter(([, value]) => value !== null);
      return api.get<Page>('operations', '/job-runs', Object.fromEntries(selected) as Record<string, string>, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state: query }) => intervalOf(query.data?.pages[0]),
  });
  const format = (time: string | null): string => formatTime(time, locale);
  const filters = [
    ['jobs.name', jobs.map((name) => ({ value: name, label: name })), job, setJob],
    ['jobs.state', RUN_STATES.map((value) => ({ value, label: text(`jobs.state.${value}`) })), state, setState],
  ] as const;
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-end">
        <Title order={2}>{text('jobs.runs')}</Title>
        <Group gap="xs">
          {filters.map(([label, options, value, setValue]) => (
            <Select
              key={label}
              label={text(label)}
              data={options}
              value={value}
              onChange={setValue}
              clearable
              clearButtonProps={{ 'aria-label': text('jobs.all') }}
              placeholder={text('jobs.all')}
            />
          ))}
        </Group>
      </Group>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <DataTable
          label={text('jobs.runs')}
          minWidth={720}
          rows={data.pages.flatMap(({ runs }) => runs)}
          empty={text('jobs.noRuns')}
          columns={[
            { caption: text('jobs.name'), cell: ({ job: name }) => name },
            { caption: text('jobs.state'), cell: (run) => <RunState run={run} /> },
            { caption: text('jobs.due'), cell: ({ runAt }) => format(runAt) },
            { caption: text('jobs.started'), cell: ({ startedAt }) => format(startedAt) },
            { caption: text('jobs.ended'), cell: ({ endedAt }) => format(endedAt) },
            { caption: text('jobs.attempts'), cell: ({ attempts }) => attempts },
            ...(rights.hasAny('jobs.manage')
              ? [
                  {
                    caption: text('letters.actions'),
                    cell: (run: JobRun) => mayManageJob(rights, run.job) && <RunAction run={run} />,
                  },
                ]
              : []),
          ]}
        />
      )}
      {hasNextPage && (
        <Group>
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {text('jobs.older')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Cancels a run, or repeats one that has not succeeded. */
function RunAction({ run }: { readonly run: JobRun }) {
  const { text } = useLanguage();
  if (run.state === 'completed') return null;
  const action = canCancel(run) ? 'cancel' : 'retry';
  return (
    <SendButton
      path={`/job-runs/${run.id}/${action}`}
      label={text(`jobs.${action}`)}
      done={text(`jobs.${action}.done`)}
      reads={JOBS}
    />
  );
}
