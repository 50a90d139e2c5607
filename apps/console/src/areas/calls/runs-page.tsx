import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useModel, useText } from '../../context.ts';
import { Pending } from '../../errors/pending.tsx';
import { AreaTexts } from '../../shell/area-frame.tsx';
import { type ListedRun, RunsTable } from '../reports/runs/runs-table.tsx';
import { ResultView } from './results/result-view.tsx';

const ANY = { kind: 'any' } as const;

interface CallRun extends ListedRun {
  readonly service: string;
  readonly method: string;
  readonly progress?: { readonly done: number; readonly of: number; readonly text?: string };
}

/** The calls of the user that continue in the background, and the results of those that have ended. */
export const CallRunsPage = () => (
  <AreaTexts area="data">
    <AreaTexts area="reports">
      <CallRuns />
    </AreaTexts>
  </AreaTexts>
);

function CallRuns() {
  const text = useText();
  const { connection } = useModel();
  const [id, setId] = useState<string>();
  const path = `${connection.paths.base}/service-runs`;
  return (
    <Stack>
      <RunsTable<CallRun>
        title={text('calls.runs')}
        empty={text('calls.noRuns')}
        path={path}
        name={{ caption: text('calls.name'), of: ({ service, method }) => `${service}.${method}` }}
        progressOf={({ progress }) =>
          progress && [`${progress.done} / ${progress.of}`, progress.text].filter(Boolean).join(' ')
        }
        hasResult={({ status }) => status === 'SUCCEEDED'}
        onShow={(run) => setId(run.id)}
      />
      {id !== undefined && <CallResult key={id} path={`${path}/${id}`} />}
    </Stack>
  );
}

function CallResult({ path }: { readonly path: string }) {
  const { connection } = useModel();
  const { data, error, refetch } = useQuery({
    queryKey: ['call-result', path],
    queryFn: async ({ signal }) =>
      (await connection.read({ method: 'GET', path, repeatable: true, signal })).body as { readonly result?: unknown },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return <ResultView type={ANY} result={data.result} />;
}
