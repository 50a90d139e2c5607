import type { ConditionGroup, DetailedEntityInfo, Id } from '@lintel/client';
import type { ResolvedPath } from '@lintel/react';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorAlert } from '../../../../errors/error-alert.tsx';
import { ExtensionActions } from '../../../../extension/parts/extension-actions.tsx';
import { useText } from '../../../../language/text-provider.tsx';
import { useModel } from '../../../../model/model-provider.tsx';
import { DownloadPanel } from '../download/download-panel.tsx';
import classes from '../list.module.css';
import type { Row } from '../row.ts';
import type { Selection } from '../use-selection.ts';
import { BulkChange } from './bulk-change.tsx';
import { changeableAttributes } from './changeable-attributes.ts';
import { RowResults } from './row-results.tsx';
import { useRowRun } from './use-row-run.ts';

interface SelectionBarProps {
  readonly entity: DetailedEntityInfo;
  readonly selection: Selection;
  readonly filter: ConditionGroup;
  readonly sort: string | undefined;
  readonly columns: readonly ResolvedPath[];
  readonly reload: () => void;
}

type Work = 'change' | 'delete' | 'download';

/** What can be done with the selected rows. */
export function SelectionBar({ entity, selection, filter, sort, columns, reload }: SelectionBarProps) {
  const { entityName } = entity;
  const text = useText();
  const { client, rights } = useModel();
  const [work, setWork] = useState<Work>();
  const { run, start, cancel } = useRowRun(entityName);
  // What is done with all that match is not for about so many.
  const all = useQuery({
    queryKey: ['list', entityName, 'count', filter],
    queryFn: ({ signal }) => client.count(entityName, filter, { signal }),
    enabled: selection.isAll && run === undefined,
    staleTime: 0,
  });
  const count = selection.isAll ? all.data : selection.rows.length;
  const attributes = changeableAttributes(entity, rights);
  const rows = (): Iterable<Row> | AsyncIterable<Row> =>
    // In the order of the key, which no change moves.
    selection.isAll
      ? (client.all(entityName, { filter, fetchPlan: '_instance_name' }) as AsyncIterable<Row>)
      : selection.rows;
  const change = (values: Row): void => {
    const idOf = (row: Row): Id => row['id'] as Id;
    void start(rows(), {
      many: (chunk) =>
        client.patchMany(
          entityName,
          chunk.map((row) => ({ ...values, id: idOf(row) })),
        ),
      one: (row) => client.patch(entityName, idOf(row), values),
    });
  };
  const remove = (): void =>
    void start(rows(), {
      many: (chunk) =>
        client.removeMany(
          entityName,
          chunk.map(({ id }) => id as Id),
        ),
      one: ({ id }) => client.remove(entityName, id as Id),
    });
  if (all.error !== null) return <ErrorAlert error={all.error} onRetry={() => void all.refetch()} />;
  if (run !== undefined)
    return (
      <Stack className={classes['panel']} role="region" aria-label={text('select.title')}>
        <RowResults
          run={run}
          work={work === 'delete' ? 'delete' : 'change'}
          total={count}
          onCancel={cancel}
          onClose={selection.clear}
        />
      </Stack>
    );
  return (
    <Stack className={classes['panel']} gap="xs" role="region" aria-label={text('select.title')}>
      <Group gap="xs">
        <Text size="sm" role="status">
          {count === undefined
            ? text('select.counting')
            : text(selection.isAll ? 'select.all' : 'select.some', { count })}
        </Text>
        {!selection.isAll && (
          <Button size="compact-sm" variant="default" onClick={selection.selectAll}>
            {text('select.selectAll')}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={selection.clear}>
          {text('select.clear')}
        </Button>
        {attributes.length > 0 && (
          <Button size="compact-sm" variant="default" onClick={() => setWork('change')}>
            {text('select.change')}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => setWork('download')}>
          {text('download.title')}
        </Button>
        {rights.may(entityName, 'delete') && (
          <Button size="compact-sm" variant="default" onClick={() => setWork('delete')}>
            {text('select.delete')}
          </Button>
        )}
      </Group>
      {!selection.isAll && (
        <ExtensionActions on="list" entity={entityName} instances={selection.rows} reload={reload} />
      )}
      {count !== undefined && work === 'change' && (
        <BulkChange entityName={entityName} attributes={attributes} count={count} onChange={change} />
      )}
      {work === 'download' && (
        <DownloadPanel
          entityName={entityName}
          columns={columns}
          filter={filter}
          sort={sort}
          rows={selection.isAll ? undefined : selection.rows}
          total={count}
        />
      )}
      {count !== undefined && work === 'delete' && (
        <Group gap="xs">
          <Text size="sm">{text('select.deleteQuestion', { count })}</Text>
          <Button size="compact-sm" color="red.9" onClick={remove}>
            {text('select.deleteNow', { count })}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setWork(undefined)}>
            {text('rows.cancel')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
