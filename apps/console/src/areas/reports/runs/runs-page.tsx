import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useModel, useText } from '../../../context.ts';
import { Pending } from '../../../errors/pending.tsx';
import { DocumentPreview } from '../../../preview/document-preview.tsx';
import { readDocument } from '../../../preview/read-document.ts';
import { type ListedRun, RunsTable } from './runs-table.tsx';

interface ReportRun extends ListedRun {
  readonly report: { readonly name: string };
  readonly progress?: { readonly phase: string; readonly rows: number };
  readonly result?: { readonly fileRef: string };
}

/** The runs of the user in the background, also those that were started before the page was opened. */
export function RunsPage() {
  const text = useText();
  const { connection } = useModel();
  const [fileRef, setFileRef] = useState<string>();
  return (
    <Stack>
      <RunsTable<ReportRun>
        title={text('reports.runs')}
        empty={text('runs.none')}
        path={`${connection.paths.base}/reports/runs`}
        name={{ caption: text('runs.report'), of: ({ report }) => report.name }}
        progressOf={({ progress }) => progress && text(`runs.phase.${progress.phase}`, { count: progress.rows })}
        hasResult={({ result }) => result !== undefined}
        onShow={({ result }) => setFileRef(result?.fileRef)}
      />
      {fileRef !== undefined && <RunDocument key={fileRef} fileRef={fileRef} />}
    </Stack>
  );
}

function RunDocument({ fileRef }: { readonly fileRef: string }) {
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['document', fileRef],
    queryFn: async ({ signal }) => readDocument(await client.files.download(fileRef, { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  return <DocumentPreview document={data} />;
}
