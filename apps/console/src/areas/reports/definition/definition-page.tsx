import { Alert, Button, Group, Select, Stack, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { CodeEditor } from '../../../controls/code-editor.tsx';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { SubmitForm, SwitchField, TextField } from '../../../controls/forms.tsx';
import { readableJson } from '../../../controls/readable-json.ts';
import { SaveBar } from '../../../controls/save-bar.tsx';
import { TextLink } from '../../../controls/texts.tsx';
import { notify } from '../../../errors/notify.ts';
import { ErrorAlert, Pending } from '../../../errors/pending.tsx';
import { exportReport } from '../archive/export-report.ts';
import { REPORT, type StoredReport } from '../stored/stored-report.ts';
import { useStoredReport } from '../stored/use-stored-report.ts';
import { useVersionActions } from '../versions/report-versions.ts';
import { VersionsSection } from '../versions/versions-section.tsx';
import { DefinitionProblems } from './definition-problems.tsx';

/** The definition of a report of the database: changed with checks, exported, removed. */
export function DefinitionPage() {
  const { report: id = '' } = useParams({ strict: false }) as { readonly report?: string };
  const text = useText();
  const { rights } = useModel();
  const { data, error, refetch } = useStoredReport(id);
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  if (data === null) return <Alert color="yellow">{text('definition.unknown')}</Alert>;
  return (
    <Stack>
      <div>
        <Title order={1}>{data.name}</Title>
        <TextLink to={`/reports/${id}`}>{text('definition.toReport')}</TextLink>
      </div>
      <DefinitionForm key={id} report={data} />
      {rights.may(REPORT, 'update') && <VersionsSection key={`versions ${id}`} report={id} />}
    </Stack>
  );
}

type Edited = Partial<Pick<StoredReport, 'name' | 'code' | 'description' | 'restAccess' | 'definition'>> & {
  readonly group?: string | null;
};

function DefinitionForm({ report }: { readonly report: StoredReport }) {
  const text = useText();
  const { client, rights } = useModel();
  const queries = useQueryClient();
  const [edited, setEdited] = useState<Edited>({});
  const [comment, setComment] = useState('');
  const versions = useVersionActions(report.id);
  const change = (part: Edited): void => setEdited((before) => ({ ...before, ...part }));
  const mayUpdate = rights.may(REPORT, 'update');
  const may = (attribute: string): boolean => mayUpdate && rights.mayModify(REPORT, attribute);
  const definition = edited.definition ?? readableJson(report.definition);
  const save = useMutation({
    mutationFn: async () => {
      const { group, ...values } = edited;
      await client.update(REPORT, report.id, {
        ...values,
        ...(group !== undefined && { group: group === null ? null : { id: group } }),
      });
      if (comment !== '') await versions.commentOwn(comment);
    },
    onSuccess: async () => {
      setComment('');
      await queries.invalidateQueries({ queryKey: ['report'] });
      await queries.invalidateQueries({ queryKey: ['reports'] });
      setEdited({});
      notify({ message: text('definition.saved'), closeLabel: text('action.close') });
    },
  });
  return (
    <SubmitForm onSubmit={() => save.mutate()}>
      <Stack>
        <Group align="flex-end">
          <TextField
            label={text('definition.name')}
            required
            disabled={!may('name')}
            value={edited.name ?? report.name}
            onChange={(value) => change({ name: value })}
          />
          <TextField
            label={text('definition.code')}
            disabled={!may('code')}
            value={edited.code ?? report.code ?? ''}
            onChange={(value) => change({ code: value === '' ? null : value })}
          />
          <GroupSelect
            value={edited.group === undefined ? (report.group?.id ?? null) : edited.group}
            onChange={may('group') ? (group) => change({ group }) : undefined}
          />
        </Group>
        <TextField
          label={text('definition.description')}
          disabled={!may('description')}
          value={edited.description ?? report.description ?? ''}
          onChange={(value) => change({ description: value })}
        />
        <SwitchField
          label={text('definition.restAccess')}
          disabled={!may('restAccess')}
          checked={edited.restAccess ?? report.restAccess}
          onChange={(isChecked) => change({ restAccess: isChecked })}
        />
        <CodeEditor
          label={text('definition.definition')}
          description={text('definition.hint')}
          language="json"
          minLines={12}
          value={definition}
          onChange={may('definition') ? (value) => change({ definition: value }) : undefined}
        />
        {mayUpdate && <DefinitionProblems definition={definition} templates={report.templates ?? []} />}
        {Object.keys(edited).length > 0 && (
          <TextField label={text('definition.comment')} maxLength={1_000} value={comment} onChange={setComment} />
        )}
        {save.error !== null && <ErrorAlert error={save.error} />}
        <Actions
          report={report}
          isDirty={Object.keys(edited).length > 0}
          isSaving={save.isPending}
          onDiscard={() => setEdited({})}
        />
      </Stack>
    </SubmitForm>
  );
}

interface ActionsProps {
  readonly report: StoredReport;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  readonly onDiscard: () => void;
}

function Actions({ report, isDirty, isSaving, onDiscard }: ActionsProps) {
  const text = useText();
  const { client, rights } = useModel();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const download = useMutation({ mutationFn: () => exportReport(client, report.id) });
  const remove = useMutation({
    mutationFn: () => client.remove(REPORT, report.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['reports'] });
      await navigate({ to: '/reports' });
    },
  });
  const failure = download.error ?? remove.error;
  return (
    <>
      {failure !== null && <ErrorAlert error={failure} />}
      {isDirty && <SaveBar isSaving={isSaving} onDiscard={onDiscard} />}
      <Group>
        {rights.has('rest.fileDownload.enabled') && (
          <Button
            leftSection={<IconDownload size={16} />}
            loading={download.isPending}
            disabled={isDirty}
            onClick={() => download.mutate()}
          >
            {text('definition.export')}
          </Button>
        )}
        {rights.may(REPORT, 'delete') && (
          <ConfirmButton
            size="sm"
            label={text('definition.remove')}
            question={text('definition.removeText', { name: report.name })}
            action={remove}
          />
        )}
      </Group>
    </>
  );
}

interface GroupSelectProps {
  readonly value: string | null;
  readonly onChange: ((group: string | null) => void) | undefined;
}

function GroupSelect({ value, onChange }: GroupSelectProps) {
  const text = useText();
  const { client, rights } = useModel();
  const { data = [] } = useQuery({
    queryKey: ['report-groups'],
    enabled: rights.may('report_ReportGroup', 'read'),
    queryFn: ({ signal }) => client.list('report_ReportGroup', { fetchPlan: '_instance_name', sort: 'title', signal }),
  });
  return (
    <Select
      label={text('definition.group')}
      clearable
      clearButtonProps={{ 'aria-label': text('definition.noGroup') }}
      disabled={onChange === undefined}
      data={data.map(({ id, _instanceName }) => ({ value: String(id), label: String(_instanceName ?? id) }))}
      value={value}
      onChange={(group) => onChange?.(group)}
    />
  );
}
