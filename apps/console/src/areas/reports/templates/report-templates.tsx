import type { Download } from '@lintel/client';
import { Anchor, Button, FileButton, Group, Stack, Table, Text, Title } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useRights, useText } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { saveBlob } from '../../../downloads/save-blob.ts';
import { notify } from '../../../errors/notify.ts';
import { ErrorAlert } from '../../../errors/pending.tsx';
import { DocumentPreview } from '../../../preview/document-preview.tsx';
import { readDocument } from '../../../preview/read-document.ts';
import { AddTemplate } from './add-template.tsx';

const ENTITY = 'report_ReportTemplate';
/** All replicas of the server have a changed template within a second. */
const REPLICAS_FOLLOW_MS = 1_500;

interface ReportTemplatesProps {
  readonly reportId: string;
  /** Called when a template was added or replaced. */
  readonly onChanged: () => void;
  /** Runs the report with a template and the parameters of the page. */
  readonly run: (template: string, more?: { readonly outputType: string }) => Promise<Download>;
}

interface Template {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly content: string;
  readonly isDefault: boolean;
  readonly reportOutputType: string;
}

/** The templates of a report of the database: download, replace, test. Reports of the application have none here. */
export function ReportTemplates({ reportId, onChanged, run }: ReportTemplatesProps) {
  const text = useText();
  const client = useClient();
  const rights = useRights();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['templates', reportId],
    queryFn: async ({ signal }) => {
      const filter = { conditions: [{ property: 'report.id', operator: '=', value: reportId }] };
      const fetchPlan = { code: true, name: true, content: true, isDefault: true, reportOutputType: true } as const;
      const { items } = await client.page(ENTITY, { filter, sort: 'code', fetchPlan, signal });
      return items as unknown as readonly Template[];
    },
  });
  /** A change of a template is a version of the report, too. */
  const refresh = (): void => {
    void refetch();
    void queries.invalidateQueries({ queryKey: ['report'] });
  };
  const test = useMutation({ mutationFn: async (code: string) => readDocument(await run(code)) });
  /** Shows the document of a template that was added or replaced. */
  const show = (code: string): void => {
    onChanged();
    refresh();
    setTimeout(() => test.mutate(code), REPLICAS_FOLLOW_MS);
  };
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  return (
    <Stack gap="sm" component="section" aria-label={text('templates.title')}>
      <Title order={2}>{text('templates.title')}</Title>
      {data.length === 0 && <Text size="sm">{text('templates.none')}</Text>}
      <Table.ScrollContainer minWidth={480} type="native" tabIndex={0} hidden={data.length === 0}>
        <Table aria-label={text('templates.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text('templates.code')}</Table.Th>
              <Table.Th>{text('templates.output')}</Table.Th>
              <Table.Th>{text('templates.file')}</Table.Th>
              <Table.Th>{text('runs.actions')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.map((template) => (
              <TemplateRow
                key={template.id}
                template={template}
                isTesting={test.isPending && test.variables === template.code}
                onTest={() => test.mutate(template.code)}
                onRemoved={refresh}
                onReplaced={() => show(template.code)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {test.error !== null && <ErrorAlert error={test.error} />}
      {test.data !== undefined && (
        <DocumentPreview
          document={test.data}
          loadPdf={async () => readDocument(await run(test.variables ?? '', { outputType: 'PDF' }))}
        />
      )}
      {rights.may(ENTITY, 'create') && rights.has('rest.fileUpload.enabled') && (
        <AddTemplate reportId={reportId} isFirst={data.length === 0} onAdded={show} />
      )}
    </Stack>
  );
}

interface TemplateRowProps {
  readonly template: Template;
  readonly isTesting: boolean;
  readonly onTest: () => void;
  readonly onReplaced: () => void;
  readonly onRemoved: () => void;
}

function TemplateRow({ template, isTesting, onTest, onReplaced, onRemoved }: TemplateRowProps) {
  const { id, code, name, content, isDefault, reportOutputType } = template;
  const text = useText();
  const client = useClient();
  const rights = useRights();
  const mayReplace =
    rights.may(ENTITY, 'update') && rights.mayModify(ENTITY, 'content') && rights.has('rest.fileUpload.enabled');
  const replace = useMutation({
    mutationFn: async (file: File) => {
      const { fileRef } = await client.files.upload(file as never, { name: file.name });
      await client.update(ENTITY, id, { content: fileRef, name: file.name });
    },
    onSuccess: () => {
      notify({ message: text('templates.replaced', { code }), closeLabel: text('action.close') });
      onReplaced();
    },
  });
  const download = useMutation({
    mutationFn: async () => saveBlob((await (await client.files.download(content)).blob()) as unknown as Blob, name),
  });
  const remove = useMutation({
    mutationFn: () => client.remove(ENTITY, id),
    onSuccess: onRemoved,
  });
  const failure = replace.error ?? download.error ?? remove.error;
  return (
    <Table.Tr>
      <Table.Td>{code}</Table.Td>
      <Table.Td>
        {reportOutputType}
        {isDefault && <Text size="xs">{text('templates.default')}</Text>}
      </Table.Td>
      <Table.Td>
        <Anchor component="button" type="button" onClick={() => download.mutate()}>
          {name}
        </Anchor>
        {failure !== null && <ErrorAlert error={failure} />}
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          {mayReplace && (
            <FileButton
              onChange={(file) => file !== null && replace.mutate(file)}
              inputProps={{ 'aria-label': text('templates.uploadOf', { code }) }}
            >
              {(props) => (
                <Button {...props} size="xs" loading={replace.isPending} leftSection={<IconUpload size={14} />}>
                  {text('templates.upload')}
                </Button>
              )}
            </FileButton>
          )}
          <Button size="xs" loading={isTesting} onClick={onTest}>
            {text('templates.test')}
          </Button>
          {rights.may(ENTITY, 'delete') && (
            <ConfirmButton
              label={text('templates.remove')}
              aria-label={text('templates.removeOf', { code })}
              question={text('templates.removeText', { code })}
              action={remove}
            />
          )}
        </Group>
        {replace.isPending && <Text size="xs">{text('templates.uploading')}</Text>}
      </Table.Td>
    </Table.Tr>
  );
}
