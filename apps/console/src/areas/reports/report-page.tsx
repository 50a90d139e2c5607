import { Anchor, Badge, Button, Fieldset, Group, Select, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconClock, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorAlert } from '../../errors/error-alert.tsx';
import { useText } from '../../language/text-provider.tsx';
import { useClient, useRights } from '../../model/model-provider.tsx';
import { Waiting } from '../../shell/waiting.tsx';
import { ParameterField } from './parameters/parameter-field.tsx';
import { type ParameterValues, sentValues } from './parameters/sent-values.ts';
import { DocumentPreview } from './preview/document-preview.tsx';
import { readDocument } from './preview/read-document.ts';
import { ReportTemplates } from './templates/report-templates.tsx';

/** A report: its parameters, its runs and the document, and the templates if it is one of the database. */
export function ReportPage() {
  const { report: id = '' } = useParams({ strict: false }) as { readonly report?: string };
  const text = useText();
  const client = useClient();
  const rights = useRights();
  const queries = useQueryClient();
  const [values, setValues] = useState<ParameterValues>({});
  const [template, setTemplate] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['report', id],
    queryFn: ({ signal }) => client.reports.load(id, { signal }),
  });
  const parameters = data?.inputParameters ?? [];
  const options = () => ({ parameters: sentValues(parameters, values), template: template ?? undefined });
  const run = useMutation({ mutationFn: async () => readDocument(await client.reports.run({ id }, options())) });
  const start = useMutation({
    mutationFn: () => client.reports.start({ id }, options()),
    onSuccess: () => {
      notifications.show({ message: text('run.started') });
      void queries.invalidateQueries({ queryKey: ['runs'] });
    },
  });
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const shown = parameters.filter(({ hidden }) => !hidden);
  const templates = data.templates ?? [];
  const failure = run.error ?? start.error;
  return (
    <Stack>
      <div>
        <Title order={1} size="h2">
          {data.name}
        </Title>
        <Text size="xs" c="dimmed">
          {data.code ?? id}
        </Text>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start.reset();
          run.mutate();
        }}
      >
        <Stack maw={560}>
          {shown.length > 0 && (
            <Fieldset legend={text('run.parameters')}>
              <Stack gap="sm">
                {shown.map((parameter) => (
                  <ParameterField
                    key={parameter.alias}
                    parameter={parameter}
                    value={values[parameter.alias]}
                    onChange={(value) => setValues((before) => ({ ...before, [parameter.alias]: value }))}
                  />
                ))}
              </Stack>
            </Fieldset>
          )}
          {templates.length > 1 && (
            <Select
              label={text('run.template')}
              data={templates.map(({ code, outputType }) => ({ value: code, label: `${code} (${outputType})` }))}
              value={template ?? templates.find((each) => each.default)?.code ?? null}
              onChange={setTemplate}
              allowDeselect={false}
            />
          )}
          <Group>
            <Button type="submit" loading={run.isPending} leftSection={<IconPlayerPlay size={16} />}>
              {text('run.run')}
            </Button>
            <Button
              variant="default"
              loading={start.isPending}
              leftSection={<IconClock size={16} />}
              onClick={() => {
                run.reset();
                start.mutate();
              }}
            >
              {text('run.inBackground')}
            </Button>
            {start.isSuccess && (
              <Anchor component={Link} to="/reports/runs">
                {text('reports.runs')}
              </Anchor>
            )}
          </Group>
        </Stack>
      </form>
      {failure !== null && <ErrorAlert error={failure} />}
      {run.data !== undefined && <DocumentPreview document={run.data} />}
      {templates.length === 1 && (
        <Group gap="xs">
          <Text size="sm">{text('run.output')}</Text>
          <Badge variant="default">{templates[0]?.outputType}</Badge>
        </Group>
      )}
      {rights.mayView('report_Report', 'templates') && rights.may('report_ReportTemplate', 'read') && (
        <ReportTemplates reportId={id} run={(code) => client.reports.run({ id }, { ...options(), template: code })} />
      )}
    </Stack>
  );
}
