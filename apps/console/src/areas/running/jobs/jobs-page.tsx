import { Code, Group, Stack, Title } from '@mantine/core';
import { formatTime, useLanguage, useRights } from '../../../context.ts';
import { Pending } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import { SendButton } from '../send-button.tsx';
import { canRun, intervalOf, JOBS, type Job, mayManageJob, type JobRuns as Page } from './job.ts';
import { JobRuns } from './job-runs.tsx';
import { RunState } from './run-state.tsx';

/** The jobs of the application with their schedules, their last results and their runs. */
export function JobsPage() {
  const { text, locale } = useLanguage();
  const rights = useRights();
  const { data, error, refetch } = useRead<readonly Job[]>([...JOBS, 'list'], 'operations', '/jobs', { staleTime: 0 });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return (
    <Stack>
      <Title order={1}>{text('running.jobs')}</Title>
      <DataTable
        label={text('running.jobs')}
        minWidth={640}
        rows={data}
        keyOf={({ name }) => name}
        empty={text('jobs.none')}
        columns={[
          { caption: text('jobs.name'), cell: ({ name }) => name },
          { caption: text('jobs.schedule'), cell: (job) => <Schedule job={job} /> },
          {
            caption: text('jobs.next'),
            cell: ({ next, paused }) => (paused ? text('jobs.paused') : formatTime(next, locale)),
          },
          { caption: text('jobs.last'), cell: ({ name }) => <LastRun job={name} /> },
          ...(rights.hasAny('jobs.manage')
            ? [
                {
                  caption: text('letters.actions'),
                  cell: (job: Job) => mayManageJob(rights, job.name) && <Actions job={job} />,
                },
              ]
            : []),
        ]}
      />
      {data.length > 0 && <JobRuns jobs={data.map(({ name }) => name)} />}
    </Stack>
  );
}

function Schedule({ job: { schedule, timeZone } }: { readonly job: Job }) {
  const { text } = useLanguage();
  if (schedule === null) return text('jobs.noSchedule');
  return (
    <>
      <Code>{schedule}</Code> {timeZone}
    </>
  );
}

function LastRun({ job }: { readonly job: string }) {
  const { data } = useRead<Page>(
    [...JOBS, 'last', job],
    'operations',
    `/job-runs?limit=1&job=${encodeURIComponent(job)}`,
    { staleTime: 0, refetchInterval: ({ state }) => intervalOf(state.data) },
  );
  const last = data?.runs[0];
  return last === undefined ? null : <RunState run={last} />;
}

function Actions({ job }: { readonly job: Job }) {
  const { text } = useLanguage();
  const path = `/jobs/${encodeURIComponent(job.name)}`;
  const action = job.paused ? 'resume' : 'pause';
  return (
    <Group gap="xs">
      {canRun(job) && (
        <SendButton path={`${path}/run`} label={text('jobs.run')} done={text('jobs.run.done')} reads={JOBS} />
      )}
      <SendButton
        path={`${path}/${action}`}
        label={text(`jobs.${action}`)}
        done={text(`jobs.${action}.done`)}
        reads={JOBS}
      />
    </Group>
  );
}
