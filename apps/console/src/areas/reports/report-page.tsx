import { NotFoundError, type ReportInfo } from '@lintel/client';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconClock, IconCopy, IconEdit, IconTable } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useModel, useText } from '../../context.ts';
import { Hint, TextLink } from '../../controls/texts.tsx';
import { notify } from '../../errors/notify.ts';
import { ErrorAlert, Waiting } from '../../errors/pending.tsx';
import { DocumentPreview } from '../../preview/document-preview.tsx';
import { readDocument } from '../../preview/read-document.ts';
import { useAction } from '../../requests/use-action.ts';
import { DELIVERY } from './deliveries/delivery.ts';
import { RunForm } from './parameters/run-form.tsx';
import { type RunFieldsState, useRunFields } from './parameters/use-run-fields.ts';
import { DataPreview } from './preview/data-preview.tsx';
import { loadPreviewedData, reportPath } from './preview/load-previewed-data.ts';
import { REPORT } from './stored/stored-report.ts';
import { useStoredReport } from './stored/use-stored-report.ts';
import { ReportTemplates } from './templates/report-templates.tsx';

const MAX_FAILURES = 4;
const FOLLOWS_AFTER_MS = 600;

/** A report: its parameters, its runs and the document, and data and templates if it is one of the database. */
export function ReportPage() {
  const { report: id = '' } = useParams({ strict: false }) as { readonly report?: string };
  const text = useText();
  const { client, rights } = useModel();
  const { data, error, refetch } = useQuery({
    queryKey: ['report', id],
    queryFn: ({ signal }) => client.reports.load(id, { signal }),
    // The reports service has a new report within a second.
    retry: (failures, problem) => problem instanceof NotFoundError && failures < MAX_FAILURES,
    retryDelay: FOLLOWS_AFTER_MS,
  });
  const stored = useStoredReport(id);
  const fields = useRunFields(data);
  const { options } = fields;
  const { run, start, preview, begin, reset, failure } = useReportSteps(id, options);
  const isStored = stored.data !== undefined && stored.data !== null;
  const templateList = isStored && rights.may('report_ReportTemplate', 'read') && (
    <ReportTemplates
      reportId={id}
      onChanged={reset}
      run={(code, more) => client.reports.run({ id }, { ...options(), template: code, ...more })}
    />
  );
  if (error !== null)
    return (
      <Stack>
        <ErrorAlert error={error} onRetry={() => void refetch()} />
        {isStored && <DefinitionLink id={id} />}
        {templateList}
      </Stack>
    );
  if (data === undefined) return <Waiting />;
  const templates = data.templates ?? [];
  return (
    <Stack>
      <ReportHeading id={id} report={data} isStored={isStored} />
      <RunForm report={data} fields={fields} failure={failure} isRunning={run.isPending} onRun={() => begin(run)}>
        <Button loading={start.isPending} leftSection={<IconClock size={16} />} onClick={() => begin(start)}>
          {text('run.inBackground')}
        </Button>
        {isStored && rights.may(REPORT, 'update') && (
          <Button loading={preview.isPending} leftSection={<IconTable size={16} />} onClick={() => begin(preview)}>
            {text('data.show')}
          </Button>
        )}
        {rights.may(DELIVERY, 'create') && (
          <TextLink to="/reports/deliveries/new" search={{ report: data.code ?? id } as never}>
            {text('delivery.create')}
          </TextLink>
        )}
        {start.isSuccess && <TextLink to="/reports/runs">{text('reports.runs')}</TextLink>}
      </RunForm>
      {failure !== null && <ErrorAlert error={failure} />}
      {run.data !== undefined && (
        <DocumentPreview
          document={run.data}
          loadPdf={async () => readDocument(await client.reports.run({ id }, { ...options(), outputType: 'PDF' }))}
        />
      )}
      {preview.data !== undefined && <DataPreview bands={preview.data} />}
      {templates.length === 1 && (
        <Group gap="xs">
          <Text size="sm">{text('run.output')}</Text>
          <Badge variant="default">{templates[0]?.outputType}</Badge>
        </Group>
      )}
      {templateList}
    </Stack>
  );
}

interface ReportHeadingProps {
  readonly id: string;
  readonly report: ReportInfo;
  readonly isStored: boolean;
}

function ReportHeading({ id, report, isStored }: ReportHeadingProps) {
  const { rights } = useModel();
  return (
    <Group justify="space-between">
      <div>
        <Title order={1}>{report.name}</Title>
        <Hint>{report.code ?? id}</Hint>
      </div>
      <Group gap="xs">
        {rights.may(REPORT, 'create') && rights.may(REPORT, 'update') && <CopyReport id={id} name={report.name} />}
        {isStored && <DefinitionLink id={id} />}
      </Group>
    </Group>
  );
}

/** Makes a report of the database with everything of a report, and opens its definition. */
function CopyReport({ id, name }: { readonly id: string; readonly name: string }) {
  const text = useText();
  const { connection } = useModel();
  const navigate = useNavigate();
  const copy = useAction(
    async () => {
      const json = { name: text('definition.copyOf', { name }) };
      const call = { method: 'POST', path: `${reportPath(id)}/copy`, repeatable: false, json } as const;
      return (await connection.read(call)).body as { readonly id: string };
    },
    { reads: [['reports']], onDone: (copied) => void navigate({ to: `/reports/${copied.id}/definition` as string }) },
  );
  return (
    <Button loading={copy.isPending} leftSection={<IconCopy size={16} />} onClick={() => copy.mutate()}>
      {text('definition.copy')}
    </Button>
  );
}

function DefinitionLink({ id }: { readonly id: string }) {
  const text = useText();
  return (
    <Button component={Link} to={`/reports/${id}/definition`} leftSection={<IconEdit size={16} />}>
      {text('definition.title')}
    </Button>
  );
}

/** What can be done with a report: a run, a run in the background, and a preview of its data. */
function useReportSteps(id: string, options: RunFieldsState['options']) {
  const text = useText();
  const { client, connection } = useModel();
  const queries = useQueryClient();
  const run = useMutation({ mutationFn: async () => readDocument(await client.reports.run({ id }, options())) });
  const start = useMutation({
    mutationFn: () => client.reports.start({ id }, options()),
    onSuccess: () => {
      notify({ message: text('run.started'), closeLabel: text('action.close') });
      void queries.invalidateQueries({ queryKey: ['runs'] });
    },
  });
  const preview = useMutation({
    mutationFn: () => loadPreviewedData(connection, reportPath(id), options().parameters),
  });
  const steps = [run, start, preview];
  return {
    run,
    start,
    preview,
    failure: run.error ?? start.error ?? preview.error,
    /** Only the result of the last one is shown. */
    begin: (step: (typeof steps)[number]): void => {
      for (const each of steps) if (each !== step) each.reset();
      step.mutate();
    },
    reset: (): void => {
      for (const each of steps) each.reset();
    },
  };
}
