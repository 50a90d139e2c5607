import type { ReportInfo } from '@lintel/client';
import { Button, Stack } from '@mantine/core';
import { IconTable } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useModel, useText } from '../../../context.ts';
import { ErrorAlert, Pending } from '../../../errors/pending.tsx';
import { DocumentPreview } from '../../../preview/document-preview.tsx';
import { readDocument } from '../../../preview/read-document.ts';
import { RunForm } from '../parameters/run-form.tsx';
import { useRunFields } from '../parameters/use-run-fields.ts';
import { DataPreview } from '../preview/data-preview.tsx';
import { loadPreviewedData, reportPath } from '../preview/load-previewed-data.ts';

interface VersionPreviewProps {
  readonly report: string;
  readonly number: number;
}

/** A version of a report that is run as it was: its parameters, its document, its data. Nothing changes. */
export function VersionPreview({ report, number }: VersionPreviewProps) {
  const text = useText();
  const { client, connection } = useModel();
  const path = `${reportPath(report)}/versions/${number}`;
  const { data, error, refetch } = useQuery({
    queryKey: ['report', report, 'versions', number, 'preview'],
    queryFn: async ({ signal }) =>
      (await connection.read({ method: 'GET', path, repeatable: true, signal })).body as ReportInfo,
  });
  const fields = useRunFields(data);
  const makeDocument = async (more: { readonly outputType?: string } = {}) =>
    readDocument(await client.reports.run({ id: report, version: number }, { ...fields.options(), ...more }));
  const run = useMutation({ mutationFn: () => makeDocument() });
  const rows = useMutation({ mutationFn: () => loadPreviewedData(connection, path, fields.options().parameters) });
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const failure = run.error ?? rows.error;
  return (
    <Stack component="section" aria-label={text('versions.previewOf', { number })}>
      <RunForm
        report={data}
        fields={fields}
        failure={failure}
        isRunning={run.isPending}
        onRun={() => {
          rows.reset();
          run.mutate();
        }}
      >
        <Button
          loading={rows.isPending}
          leftSection={<IconTable size={16} />}
          onClick={() => {
            run.reset();
            rows.mutate();
          }}
        >
          {text('data.show')}
        </Button>
      </RunForm>
      {failure !== null && <ErrorAlert error={failure} />}
      {run.data !== undefined && (
        <DocumentPreview document={run.data} loadPdf={() => makeDocument({ outputType: 'PDF' })} />
      )}
      {rows.data !== undefined && <DataPreview bands={rows.data} />}
    </Stack>
  );
}
