import type { ImportReport } from '@lintel/client';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useText } from '../../../context.ts';
import { CSV_BEGIN, csvLine } from '../../../downloads/csv.ts';
import { saveBlob } from '../../../downloads/save-blob.ts';
import { DataTable } from '../../../table/data-table.tsx';

interface ImportOutcomeProps {
  readonly report: ImportReport;
  /** False: what the import would do. */
  readonly isDone: boolean;
  /** Begins the name of the file with the refused rows. */
  readonly name: string;
}

const SHOWN_ROWS = 50;
const COUNTS = ['created', 'updated', 'unchanged', 'refused'] as const;

/** Numbers of an import, and the rows that were refused. */
export function ImportOutcome({ report, isDone, name }: ImportOutcomeProps) {
  const text = useText();
  const { errors, ignored } = report;
  const heads = [text('import.row'), text('import.column'), text('rows.reason')];
  const cells = errors.map(({ row, column, attribute, reason }) => [String(row), column ?? attribute ?? '', reason]);
  const save = (): void =>
    saveBlob(new Blob([CSV_BEGIN, ...[heads, ...cells].map(csvLine)], { type: 'text/csv' }), `${name}-refused.csv`);
  return (
    <Stack gap="xs">
      <Group gap="md" role="status">
        <Text size="sm">{text(isDone ? 'import.done' : 'import.rehearsed')}</Text>
        {COUNTS.map((count) => (
          <Text key={count} size="sm">
            {text(`import.${count}`, { count: report[count] })}
          </Text>
        ))}
      </Group>
      {report.isStopped === true && <Alert color="yellow">{text('import.stopped')}</Alert>}
      {ignored.length > 0 && <Alert color="yellow">{text('import.ignored', { names: ignored.join(', ') })}</Alert>}
      {cells.length > 0 && (
        <>
          <DataTable
            label={text('import.refusals')}
            rows={cells.slice(0, SHOWN_ROWS)}
            columns={heads.map((caption, at) => ({ caption, cell: (row: readonly string[]) => row[at] }))}
          />
          <Group>
            <Button size="compact-sm" onClick={save}>
              {text('import.saveRefused')}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
