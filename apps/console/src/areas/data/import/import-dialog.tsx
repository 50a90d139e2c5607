import { type BackgroundRun, type ImportOptions, type ImportReport, importFile } from '@lintel/client';
import { isToMany } from '@lintel/react';
import { Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useEffect, useState } from 'react';
import { captionOf, useClient, useModel, useText } from '../../../context.ts';
import { Dialog } from '../../../controls/dialog.tsx';
import { CheckField, ChoiceField } from '../../../controls/forms.tsx';
import { ErrorAlert, Waiting } from '../../../errors/pending.tsx';
import { PathSelect } from '../paths/path-select.tsx';
import { columnsIn, contentTypeOf, ENCODINGS, FILE_ENDINGS } from './file-type.ts';
import { ImportOutcome } from './import-outcome.tsx';
import { ImportProgress, RunningImport } from './import-run.tsx';
import { keepMapping, keptMapping } from './kept-mapping.ts';
import { pastedTable } from './pasted-table.ts';

interface ImportDialogProps {
  readonly entity: string;
  readonly onClose: () => void;
}

/** Parts of the import that the user chooses. */
interface Choices extends Pick<ImportOptions, 'decimal' | 'dateOrder'> {
  readonly encoding: string;
  /** Empty: all rows are new instances. */
  readonly key: string;
  readonly columns: Readonly<Record<string, string | null>>;
}

const DECIMALS = ['.', ','] as const;
const ORDERS = ['dmy', 'mdy'] as const;
const isCsv = ({ name }: File): boolean => /\.(csv|txt|tsv)$/i.test(name);

const FIRST: Choices = { encoding: 'utf-8', key: '', columns: {} };

/** Imports a table: each choice is rehearsed, so that the user sees what the import would do. */
export function ImportDialog({ entity, onClose }: ImportDialogProps) {
  const text = useText();
  const model = useModel();
  const client = useClient();
  const queries = useQueryClient();
  const [file, setFile] = useState<File>();
  const [choices, setChoices] = useState(FIRST);
  const [skips, setSkips] = useState(false);
  const [run, setRun] = useState<BackgroundRun>();
  const choose = (changed: Partial<Choices>): void => setChoices({ ...choices, ...changed });
  const send = (content: File, call: Pick<ImportOptions, 'dryRun' | 'signal' | 'onRun'> = {}): Promise<ImportReport> =>
    importFile(client, entity, content, {
      contentType: contentTypeOf(content.name, choices.encoding),
      ...(Object.keys(choices.columns).length > 0 && { columns: choices.columns }),
      ...(choices.key !== '' && { key: choices.key }),
      ...(isCsv(content) && { decimal: choices.decimal, dateOrder: choices.dateOrder }),
      refused: skips ? 'skip' : 'stop',
      ...call,
    });
  const rehearsal = useQuery({
    queryKey: ['import', entity, file?.name, file?.lastModified, file?.size, choices],
    queryFn: ({ signal }) => send(file as File, { dryRun: true, signal }),
    enabled: file !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const work = useMutation({
    mutationFn: (content: File) => send(content, { onRun: setRun }),
    onSuccess: () => {
      keepMapping(username, { table, columns: choices.columns, key: choices.key });
      return queries.invalidateQueries();
    },
  });
  const columns = columnsIn(rehearsal.data ?? rehearsal.error);
  const { username } = model.user;
  const table = JSON.stringify([entity, ...columns.map(({ column }) => column)]);
  const kept = choices === FIRST && columns.length > 0 ? keptMapping(username, table) : undefined;
  if (kept !== undefined) setChoices({ ...FIRST, columns: kept.columns, key: kept.key });
  const title = text('import.of', { name: captionOf(model, entity) });
  if (work.data !== undefined)
    return (
      <Dialog title={title} onClose={onClose} size="xl">
        <ImportOutcome report={work.data} isDone name={entity} />
        <Group justify="flex-end">
          <Button variant="filled" onClick={onClose}>
            {text('action.close')}
          </Button>
        </Group>
      </Dialog>
    );
  const failure = work.error ?? rehearsal.error;
  const report = rehearsal.isFetching || failure !== null ? undefined : rehearsal.data;
  const isImportable = report !== undefined && (report.refused === 0 || skips) && report.refused < report.rows;
  return (
    <Dialog title={title} onClose={onClose} size="xl">
      <Stack gap="sm">
        {file === undefined && <RunningImport entity={entity} />}
        <FileChoice
          file={file}
          onChoose={(chosen) => {
            setFile(chosen);
            setChoices(FIRST);
            work.reset();
          }}
        />
        {file !== undefined && isCsv(file) && (
          <Group>
            <ChoiceField
              label={text('import.encoding')}
              data={ENCODINGS}
              value={choices.encoding}
              onChange={(value) => choose({ encoding: value })}
            />
            <ChoiceField
              label={text('import.decimal')}
              data={['', '.', ','].map((value) => ({
                value,
                label: value === '' ? text('import.found') : `1${value}5`,
              }))}
              value={choices.decimal ?? report?.decimal ?? ''}
              onChange={(value) => choose({ decimal: DECIMALS.find((each) => each === value) })}
            />
            <ChoiceField
              label={text('import.dateOrder')}
              data={[
                { value: '', label: text('import.found') },
                { value: 'dmy', label: text('import.dmy') },
                { value: 'mdy', label: text('import.mdy') },
              ]}
              value={choices.dateOrder ?? report?.dateOrder ?? ''}
              onChange={(value) => choose({ dateOrder: ORDERS.find((each) => each === value) })}
            />
          </Group>
        )}
        {columns.length > 0 && (
          <>
            <ColumnMapping
              entity={entity}
              columns={columns}
              unmapped={columns.flatMap(({ column, attribute }) =>
                attribute === null && column !== '' && !(column in choices.columns) ? [column] : [],
              )}
              onChange={(changed) => choose({ columns: { ...choices.columns, ...changed } })}
            />
            <ChoiceField
              label={text('import.key')}
              value={choices.key}
              data={[
                { value: '', label: text('import.allNew') },
                ...columns.flatMap(({ column, attribute }) =>
                  attribute === null || attribute.includes('.') ? [] : [{ value: attribute, label: column }],
                ),
              ]}
              onChange={(value) => choose({ key: value })}
            />
          </>
        )}
        {rehearsal.isFetching && <Waiting />}
        {failure !== null && <ErrorAlert error={failure} />}
        {report !== undefined && <ImportOutcome report={report} isDone={false} name={entity} />}
        {report !== undefined && report.refused > 0 && (
          <CheckField label={text('import.skip')} checked={skips} onChange={setSkips} />
        )}
        {work.isPending && <ImportProgress run={run} />}
        <Group justify="flex-end">
          <Button onClick={onClose}>{text('action.cancel')}</Button>
          <Button
            variant="filled"
            disabled={!isImportable}
            loading={work.isPending}
            onClick={() => file !== undefined && work.mutate(file)}
          >
            {text('import.start', { count: report === undefined ? 0 : report.rows - report.refused })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

interface ColumnMappingProps {
  readonly entity: string;
  readonly columns: ImportReport['columns'];
  /** Attributes of columns; null: the column is skipped. */
  readonly onChange: (changed: Readonly<Record<string, string | null>>) => void;
  /** Columns that have no attribute, and are not skipped yet. */
  readonly unmapped: readonly string[];
}

/** Shows the attribute of each column; the user chooses another one, or none. */
function ColumnMapping({ entity, columns, unmapped, onChange }: ColumnMappingProps) {
  const text = useText();
  return (
    <Stack gap="xs">
      <Text size="sm">{text('import.columns')}</Text>
      <Group gap="sm" align="end">
        {columns.map(({ column, attribute }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several columns may have no name, and their order stays
          <Group key={at} gap="xs" align="end">
            <PathSelect
              entityName={entity}
              // A reference alone is its id.
              path={attribute?.replace(/\.id$/, '') ?? ''}
              label={column}
              isOffered={(attribute) => !isToMany(attribute)}
              hasDynamic
              onChange={(path) => onChange({ [column]: path === '' ? null : path })}
            />
          </Group>
        ))}
      </Group>
      {unmapped.length > 0 && (
        <Group>
          <Button
            size="compact-sm"
            onClick={() => onChange(Object.fromEntries(unmapped.map((column) => [column, null])))}
          >
            {text('import.skipColumns', { names: unmapped.join(', ') })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface FileChoiceProps {
  readonly file: File | undefined;
  readonly onChoose: (file: File) => void;
}

/** Chooses a file, also by dropping it. */
function FileChoice({ file, onChoose }: FileChoiceProps) {
  const text = useText();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped !== undefined) onChoose(dropped);
  };
  useEffect(() => {
    const paste = ({ target, clipboardData }: ClipboardEvent): void => {
      // Texts for a field of the dialog are not a table.
      if (target instanceof Element && target.closest('input, textarea') !== null) return;
      const pasted = pastedTable(clipboardData);
      if (pasted !== undefined) onChoose(pasted);
    };
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  }, [onChoose]);
  return (
    <Paper
      withBorder
      p="md"
      {...(isOver && { bg: 'var(--mantine-primary-color-light)' })}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileButton
        accept={FILE_ENDINGS}
        onChange={(chosen) => chosen !== null && onChoose(chosen)}
        inputProps={{ 'aria-label': text('import.file') }}
      >
        {(props) => <Button {...props}>{text('import.file')}</Button>}
      </FileButton>
      <Text size="sm" mt="xs">
        {file?.name ?? text('import.drop')}
      </Text>
    </Paper>
  );
}
