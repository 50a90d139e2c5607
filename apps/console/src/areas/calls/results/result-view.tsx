import { isObject } from '@lintel/react';
import { Alert, Code, Stack, Text, Title } from '@mantine/core';
import { useModel, useText } from '../../../context.ts';
import { FilePreview } from '../../../preview/file-preview.tsx';
import type { ValueType } from '../fields/value-type.ts';
import { entityOfRows, type Row } from './result-columns.ts';
import { RowsTable } from './rows-table.tsx';

interface ResultViewProps {
  /** What the method declares; the result itself decides where it declares nothing. */
  readonly type: ValueType;
  readonly result: unknown;
}

/** The result of a method, by its type. */
export function ResultView({ type, result }: ResultViewProps) {
  const text = useText();
  return (
    <Stack gap="xs">
      <Title order={2}>{text('calls.result')}</Title>
      <Content type={type} result={result} />
    </Stack>
  );
}

function Content({ type, result }: ResultViewProps) {
  const text = useText();
  const { entities, enums } = useModel();
  if (result === undefined || result === null)
    return (
      <Alert color="green" role="status">
        {text('calls.done')}
      </Alert>
    );
  if (type.kind === 'datatype' && type.type === 'fileRef') return <FilePreview fileRef={String(result)} />;
  const rows = (Array.isArray(result) ? result : [result]) as readonly unknown[];
  if (rows.every(isObject) && (Array.isArray(result) || entityOfRows(rows, entities) !== undefined))
    return (
      <RowsTable label={text('calls.result')} rows={rows as readonly Row[]} entityName={entityOfRows(rows, entities)} />
    );
  if (typeof result === 'object')
    return (
      <Code block tabIndex={0} role="region" aria-label={text('calls.result')}>
        {JSON.stringify(result, null, 2)}
      </Code>
    );
  const caption =
    type.kind === 'enum' ? enums.get(type.type)?.values.find(({ name }) => name === result)?.caption : undefined;
  return <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{caption ?? String(result)}</Text>;
}
