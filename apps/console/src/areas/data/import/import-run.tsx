import { type BackgroundRun, followRun, type ImportReport } from '@lintel/client';
import '@mantine/core/styles/Progress.css';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useModel, useText } from '../../../context.ts';
import { ErrorAlert } from '../../../errors/pending.tsx';
import { useAction } from '../../../requests/use-action.ts';
import { ImportOutcome } from './import-outcome.tsx';

/** A run in the list of the server. */
interface ListedImport extends BackgroundRun {
  readonly service: string;
  readonly method: string;
}

const hasEnded = ({ status }: BackgroundRun): boolean => status !== 'QUEUED' && status !== 'RUNNING';

/** The import of the entity that the user has started before, on any device, until it ends; then its outcome. */
export function RunningImport({ entity }: { readonly entity: string }) {
  const client = useClient();
  const { connection } = useModel();
  const queries = useQueryClient();
  const [run, setRun] = useState<BackgroundRun>();
  const { data, error } = useQuery({
    queryKey: ['running-import', entity],
    queryFn: async ({ signal }) => {
      const path = `${connection.paths.base}/service-runs`;
      const runs = (await connection.read({ method: 'GET', path, repeatable: true, signal })).body;
      const found = (runs as readonly ListedImport[]).find(
        (each) => each.service === 'imports' && each.method === entity && !hasEnded(each),
      );
      if (found === undefined) return null;
      const report = (await followRun(client, found, { signal, onRun: setRun })) as ImportReport;
      await queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== 'running-import' });
      return report;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error !== null) return <ErrorAlert error={error} />;
  if (data) return <ImportOutcome report={data} isDone={data.changes === undefined} name={entity} />;
  return run === undefined ? null : <ImportProgress run={run} />;
}

/** How far an import is, which continues without its page and can be cancelled. */
export function ImportProgress({ run }: { readonly run: BackgroundRun | undefined }) {
  const text = useText();
  const { connection } = useModel();
  const cancel = useAction((id: string) =>
    connection.read({ method: 'DELETE', path: `${connection.paths.base}/service-runs/${id}`, repeatable: true }),
  );
  const { done = 0, of = 0 } = run?.progress ?? {};
  return (
    <Stack gap="xs">
      <Text role="status">{text('import.running')}</Text>
      {of > 0 && <Progress aria-label={`${done} / ${of}`} value={(100 * done) / of} />}
      {run !== undefined && !hasEnded(run) && (
        <Group>
          <Text size="sm">{of > 0 && `${done} / ${of}`}</Text>
          <Button size="compact-sm" loading={cancel.isPending} onClick={() => cancel.mutate(run.id)}>
            {text('import.cancel')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
