import { Button, Group, Stack, Text } from '@mantine/core';
import { useText } from '../../../../context.ts';
import { describeError } from '../../../../errors/describe-error.ts';
import { ErrorAlert } from '../../../../errors/pending.tsx';
import { DataTable } from '../../../../table/data-table.tsx';
import type { RowRun } from './use-row-run.ts';

interface RowResultsProps {
  readonly run: RowRun;
  /** How many rows there are; undefined: not known. */
  readonly total: number | undefined;
  readonly onCancel: () => void;
  readonly onClose: () => void;
}

/** How far work on rows is, and afterwards which rows the server has refused. */
export function RowResults({ run, total, onCancel, onClose }: RowResultsProps) {
  const text = useText();
  const { work, progress, state, error } = run;
  const { done, refused, refusals } = progress;
  const reasonOf = (reason: unknown): string => {
    const { title, details } = describeError(reason, text);
    return `${title}: ${details}`;
  };
  return (
    <Stack gap="xs">
      <Group gap="xs" role="status">
        <Text size="sm">
          {text(`rows.${work}`, { count: done })}
          {state === 'running' && total !== undefined && ` ${text('rows.of', { total })}`}
        </Text>
        {refused > 0 && <Text size="sm">{text('rows.refused', { count: refused })}</Text>}
        {state === 'cancelled' && <Text size="sm">{text('rows.cancelled')}</Text>}
        <Button size="compact-sm" onClick={state === 'running' ? onCancel : onClose}>
          {text(state === 'running' ? 'rows.cancel' : 'action.close')}
        </Button>
      </Group>
      {error !== undefined && <ErrorAlert error={error} />}
      {refusals.length > 0 && (
        <>
          <Text size="sm">{text('rows.independent')}</Text>
          <DataTable
            label={text('rows.refusals')}
            rows={refusals}
            keyOf={({ key }) => key}
            columns={[
              { caption: text('rows.name'), cell: ({ name }) => name },
              { caption: text('rows.reason'), cell: ({ error: reason }) => reasonOf(reason) },
            ]}
          />
          {refused > refusals.length && (
            <Text size="sm">{text('rows.moreRefused', { count: refused - refusals.length })}</Text>
          )}
        </>
      )}
    </Stack>
  );
}
