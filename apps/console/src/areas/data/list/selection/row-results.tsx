import { Button, Group, Stack, Text } from '@mantine/core';
import { useText } from '../../../../context.ts';
import { describeError } from '../../../../errors/describe-error.ts';
import { ErrorAlert } from '../../../../errors/pending.tsx';
import { PlainTable } from '../../../../table/plain-table.tsx';
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
  return (
    <Stack gap="xs">
      <Group gap="xs" role="status">
        <Text size="sm">
          {text(`rows.${work}`, { count: done })}
          {state === 'running' && total !== undefined && ` ${text('rows.of', { total })}`}
        </Text>
        {refused > 0 && <Text size="sm">{text('rows.refused', { count: refused })}</Text>}
        {state === 'cancelled' && <Text size="sm">{text('rows.cancelled')}</Text>}
        {state === 'running' ? (
          <Button size="compact-sm" onClick={onCancel}>
            {text('rows.cancel')}
          </Button>
        ) : (
          <Button size="compact-sm" onClick={onClose}>
            {text('action.close')}
          </Button>
        )}
      </Group>
      {error !== undefined && <ErrorAlert error={error} />}
      {refusals.length > 0 && (
        <>
          <Text size="sm">{text('rows.independent')}</Text>
          <PlainTable label={text('rows.refusals')}>
            <thead>
              <tr>
                <th scope="col">{text('rows.name')}</th>
                <th scope="col">{text('rows.reason')}</th>
              </tr>
            </thead>
            <tbody>
              {refusals.map(({ key, name, error: reason }) => {
                const { title, details } = describeError(reason, text);
                return (
                  <tr key={key}>
                    <th scope="row">{name}</th>
                    <td>
                      {title}: {details}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </PlainTable>
          {refused > refusals.length && (
            <Text size="sm">{text('rows.moreRefused', { count: refused - refusals.length })}</Text>
          )}
        </>
      )}
    </Stack>
  );
}
