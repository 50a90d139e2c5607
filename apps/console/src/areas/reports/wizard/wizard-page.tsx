import { Button, Group, MultiSelect, Select, Stack, Title } from '@mantine/core';
import { IconDeviceFloppy, IconEye } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { captionOf, useModel, useText } from '../../../context.ts';
import { ChoiceField, TextField } from '../../../controls/forms.tsx';
import { ErrorAlert } from '../../../errors/pending.tsx';
import { DocumentPreview } from '../../../preview/document-preview.tsx';
import { readDocument } from '../../../preview/read-document.ts';
import { listedEntities } from '../../data/readable-entities.ts';
import { valueKindOf } from '../../data/values/value-kind.ts';
import { storeArchive } from '../archive/import-report.ts';
import { type DraftChoice, type DraftPath, draftOf, draftOperators, draftPaths, usualOperators } from './draft-of.ts';

const EMPTY: DraftChoice = {
  ...{ title: '', attributes: [], groups: [], sums: [], asked: [] },
  ...{ operators: {}, template: 'XLSX' },
};

interface DraftedReport {
  readonly definition: string;
  readonly templates: readonly { readonly code: string; readonly name: string; readonly content: string }[];
}

/** Makes a simple report: an entity, attributes, groups, sums and a filter; with a preview, before it is saved. */
export function WizardPage() {
  const text = useText();
  const model = useModel();
  const { client, connection } = model;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [entity, setEntity] = useState<string | null>(null);
  const [choice, setChoice] = useState(EMPTY);
  const paths = entity === null ? [] : draftPaths(model, entity);
  const draft = draftOf(entity ?? '', choice, paths);
  const run = async (outputType?: string) => readDocument(await client.reports.run({ draft }, { outputType }));
  const preview = useMutation({ mutationFn: () => run() });
  const save = useMutation({
    mutationFn: async () => {
      const path = '/rest/reports/definition/draft';
      const { body } = await connection.read({ method: 'POST', path, repeatable: true, json: draft });
      const { definition, templates } = body as DraftedReport;
      const files = templates.map(({ content, ...template }) => ({
        ...{ ...template, reportOutputType: choice.template, isDefault: true, outputType: undefined },
        bytes: Uint8Array.from(atob(content), (character) => character.charCodeAt(0)),
      }));
      const report = { name: choice.title, code: null, restAccess: true, definition, group: null, templates: files };
      return storeArchive(client, report, undefined);
    },
    onSuccess: async (id) => {
      await queries.invalidateQueries({ queryKey: ['reports'] });
      await navigate({ to: `/reports/${id}` as string });
    },
  });
  const change = (part: Partial<DraftChoice>): void => setChoice((before) => ({ ...before, ...part }));
  const select = (
    label: string,
    member: 'attributes' | 'groups' | 'sums' | 'asked',
    data = paths,
    limit = data.length,
  ) => (
    <MultiSelect
      label={label}
      searchable
      clearable
      data={data.map(({ value, label: caption }) => ({ value, label: caption }))}
      value={[...choice[member]]}
      onChange={(chosen) => change({ [member]: chosen.slice(0, limit) })}
    />
  );
  const isNumber = ({ value, attribute }: DraftPath): boolean =>
    choice.attributes.includes(value) && valueKindOf(attribute) === 'number';
  const hasConditions = choice.asked.every((path) => draft.filter.some(({ attribute }) => attribute === path));
  const isReady = draft.attributes.length > 0 && choice.title.trim() !== '' && hasConditions;
  const failure = preview.error ?? save.error;
  return (
    <Stack maw={760}>
      <Title order={1}>{text('wizard.title')}</Title>
      <Select
        label={text('wizard.entity')}
        searchable
        required
        data={listedEntities(model).map(({ entityName: value }) => ({ value, label: captionOf(model, value) }))}
        value={entity}
        onChange={(chosen) => {
          setEntity(chosen);
          setChoice({ ...EMPTY, title: captionOf(model, chosen ?? '') });
        }}
      />
      {select(text('wizard.columns'), 'attributes')}
      {select(text('wizard.groups'), 'groups', paths, 3)}
      {select(text('wizard.sums'), 'sums', paths.filter(isNumber))}
      {select(text('wizard.asked'), 'asked')}
      {paths
        .filter(({ value }) => choice.asked.includes(value))
        .map((path) => (
          <MultiSelect
            key={path.value}
            label={text('wizard.operators', { name: path.label })}
            required
            data={draftOperators(path).map((value) => ({ value, label: text(`operator.${value}`) }))}
            value={[...(choice.operators[path.value] ?? usualOperators(path))]}
            onChange={(chosen) => change({ operators: { ...choice.operators, [path.value]: chosen } })}
          />
        ))}
      <ChoiceField
        label={text('wizard.template')}
        value={choice.template}
        data={['XLSX', 'DOCX'].map((value) => ({ value, label: text(`wizard.template.${value}`) }))}
        onChange={(value) => change({ template: value as DraftChoice['template'] })}
      />
      <TextField
        label={text('definition.name')}
        required
        value={choice.title}
        onChange={(value) => change({ title: value })}
      />
      <Group>
        <Button
          disabled={!isReady}
          loading={preview.isPending}
          leftSection={<IconEye size={16} />}
          onClick={() => preview.mutate()}
        >
          {text('wizard.preview')}
        </Button>
        <Button
          variant="filled"
          disabled={!isReady}
          loading={save.isPending}
          leftSection={<IconDeviceFloppy size={16} />}
          onClick={() => save.mutate()}
        >
          {text('action.save')}
        </Button>
      </Group>
      {failure !== null && <ErrorAlert error={failure} />}
      {preview.data !== undefined && <DocumentPreview document={preview.data} loadPdf={() => run('PDF')} />}
    </Stack>
  );
}
