import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../../../context.ts';
import { ErrorAlert } from '../../../../errors/pending.tsx';
import classes from '../list.module.css';
import type { Selection } from '../use-selection.ts';
import { RowResults } from './row-results.tsx';
import type { SelectionWrites } from './use-selection-writes.ts';

interface SelectionFrameProps {
  readonly selection: Selection;
  readonly writes: SelectionWrites;
  /** Captions of the buttons, and what they do. */
  readonly actions: readonly (readonly [title: string, onClick: () => void])[];
  readonly children: ReactNode;
}

/** Shows how many rows are selected with buttons for them; during and after a work, its results instead. */
export function SelectionFrame({ selection, writes, actions, children }: SelectionFrameProps) {
  const text = useText();
  const { count, error, retry, run, cancel } = writes;
  if (error !== null) return <ErrorAlert error={error} onRetry={retry} />;
  const buttons = [
    ...(selection.isAll ? [] : [[text('select.selectAll'), selection.selectAll] as const]),
    [text('select.clear'), selection.clear] as const,
    ...actions,
  ];
  return (
    <Stack className={classes['panel']} gap="xs" role="region" aria-label={text('select.title')}>
      {run !== undefined ? (
        <RowResults run={run} total={count} onCancel={cancel} onClose={selection.clear} />
      ) : (
        <>
          <Group gap="xs">
            <Text size="sm" role="status">
              {count === undefined
                ? text('select.counting')
                : text(selection.isAll ? 'select.all' : 'select.some', { count })}
            </Text>
            {buttons.map(([title, onClick]) => (
              <Button key={title} size="compact-sm" onClick={onClick}>
                {title}
              </Button>
            ))}
          </Group>
          {children}
        </>
      )}
    </Stack>
  );
}
