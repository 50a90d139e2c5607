import type { ReportRunState } from '@lintel/client';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorAlert } from '../../../errors/error-alert.tsx';
import { formatTime } from '../../../language/format-time.ts';
import { useLanguage, useText } from '../../../language/text-provider.tsx';
import { useClient, useModel } from '../../../model/model-provider.tsx';
import { useAction } from '../../../requests/use-action.ts';
import { Waiting } from '../../../shell/waiting.tsx';
import { DataTable } from '../../../table/data-table.tsx';
import { DocumentPreview } from '../preview/document-preview.tsx';
import { readDocument } from '../preview/read-document.ts';

const INTERVAL_MS = 1_000;
const COLORS = { QUEUED: 'gray', RUNNING: 'blue', SUCCEEDED: 'green', FAILED: 'red', CANCELLED: 'yellow' } as const;

/** The runs of the user in the background, also those that were started before the page was opened. */
export function RunsPage() {
  const { text, locale } = useLanguage();
  const { connection } = useModel();
  const client = useClient();
  const [shown, setShown] = useState<ListedRun>();
  const { data, error, refetch } = useQuery({
    queryKey: ['runs'],
    queryFn: async ({ signal }) =>
      (await connection.read({ method: 'GET', path: '/rest/reports/runs', repeatable: true, signal }))
        .body as readonly ListedRun[],
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some((run) => !hasEnded(run)) ? INTERVAL_MS : false),
  });
  const cancel = useAction((id: string) => client.reports.runOf(id).cancel(), { reads: [['runs']] });
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  return (
    <Stack>
      <Title order={1}>{text('reports.runs')}</Title>
      <DataTable
        label={text('reports.runs')}
        minWidth={560}
        rows={data}
        keyOf={({ id }) => id}
        empty={text('runs.none')}
        columns={[
          { caption: text('runs.report'), cell: ({ report }) => report.name },
          { caption: text('runs.created'), cell: ({ createdAt }) => formatTime(createdAt, locale) },
          {
            caption: text('runs.status'),
            cell: (run) => (
              <>
                <Badge color={COLORS[run.status]} variant="dot" tt="none" fw={500} miw="max-content">
                  {text(`runs.state.${run.status}`)}
                </Badge>
                <Progress run={run} />
              </>
            ),
          },
          {
            caption: text('runs.actions'),
            cell: (run) => (
              <Group gap="xs">
                {run.result !== undefined && (
                  <Button size="xs" variant="default" onClick={() => setShown(run)}>
                    {text('runs.show')}
                  </Button>
                )}
                {!hasEnded(run) && (
                  <Button size="xs" variant="default" onClick={() => cancel.mutate(run.id)}>
                    {text('runs.cancel')}
                  </Button>
                )}
              </Group>
            ),
          },
        ]}
      />
      {shown?.result !== undefined && <RunDocument key={shown.id} fileRef={shown.result.fileRef} />}
    </Stack>
  );
}

function Progress({ run: { status, progress, error } }: { readonly run: ListedRun }) {
  const text = useText();
  if (status === 'FAILED' && error !== undefined)
    return (
      <Text size="xs">
        {error.error}: {error.details}
      </Text>
    );
  if (status !== 'RUNNING' || progress === undefined) return null;
  return <Text size="xs">{text(`runs.phase.${progress.phase}`, { count: progress.rows })}</Text>;
}

function RunDocument({ fileRef }: { readonly fileRef: string }) {
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['document', fileRef],
    queryFn: async ({ signal }) => readDocument(await client.files.download(fileRef, { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <Waiting /> : <DocumentPreview document={data} />;
}

/** A run in the list of those of the user. */
interface ListedRun extends ReportRunState {
  readonly id: string;
  readonly report: { readonly id: string; readonly code?: string; readonly name: string };
  readonly template: string;
}

/** Whether the state of a run is final. */
const hasEnded = ({ status }: Pick<ListedRun, 'status'>): boolean => status !== 'QUEUED' && status !== 'RUNNING';
