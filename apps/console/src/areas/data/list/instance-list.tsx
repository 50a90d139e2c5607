import type { DetailedEntityInfo } from '@lintel/client';
import { queryOfWords, searchNamesOf, useLiveItems } from '@lintel/react';
import { Alert, Button, Group, Text } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { useModel, useText } from '../../../context.ts';
import { ErrorAlert, Waiting } from '../../../errors/pending.tsx';
import { reportNoFeed } from '../../../errors/report-no-feed.ts';
import { columnsFor } from '../../../extension/parts/extension-columns.ts';
import { useExtension } from '../../../extension/use-extension.ts';
import { isDynamic, resolveColumn } from '../paths/resolve-dynamic.ts';
import { firstColumnsOf } from './columns.ts';
import { ListFooter } from './list-footer.tsx';
import { ListTable } from './list-table.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { useListPage } from './use-list-page.ts';
import { useListState } from './use-list-state.ts';
import { useSelection } from './use-selection.ts';

const SelectionBar = lazy(async () => ({
  default: (await import('./selection/selection-bar.tsx')).SelectionBar,
}));

interface InstanceListProps {
  readonly entity: DetailedEntityInfo;
}

/** The instances of an entity: what is shown of them is in the address of the page. */
export function InstanceList({ entity }: InstanceListProps) {
  const { entityName } = entity;
  const text = useText();
  const model = useModel();
  const { state, change, isBroken } = useListState(entityName);
  const { sort, words } = state;
  const chosen = state.columns;
  const columns = useMemo(() => {
    const shown =
      chosen?.map((path) => resolveColumn(model, entityName, path)).filter((each) => each !== undefined) ?? [];
    return shown.length === 0 ? firstColumnsOf(entity, model) : shown;
  }, [chosen, entity, entityName, model]);
  const paths = useMemo(() => columns.map(({ path }) => path), [columns]);
  const names = useMemo(() => searchNamesOf(model, entityName, paths), [model, entityName, paths]);
  const q = queryOfWords(model, entityName, words, names);
  const { parts, isPending } = useExtension();
  const added = useMemo(() => columnsFor(parts, entityName), [parts, entityName]);
  const page = useListPage(entity, state, columns, { names, q }, added);
  const { rows, total, error, reload, filter, plan, isStale } = page;
  const selection = useSelection(JSON.stringify([entityName, filter, q]));
  const live = useLiveItems(entityName, rows, {
    fetchPlan: plan,
    paths,
    dynamicAttributes: paths.some(isDynamic),
    onFeedError: reportNoFeed,
  });
  const unknown = chosen?.filter((path) => !paths.includes(path)) ?? [];
  return (
    <>
      <ListToolbar
        entity={entity}
        state={state}
        change={change}
        columns={columns}
        filter={filter}
        q={q}
        total={total}
        canSearch={names.length > 0}
      />
      {isBroken && <Alert color="yellow">{text('list.brokenFilter')}</Alert>}
      {unknown.length > 0 && <Alert color="yellow">{text('list.unknownColumns', { names: unknown.join(', ') })}</Alert>}
      {error !== null && (
        <>
          <ErrorAlert error={error} onRetry={reload} />
          <Group>
            <Button onClick={() => change({ filter: undefined, words: '', sort: undefined, columns: undefined })}>
              {text('list.reset')}
            </Button>
          </Group>
        </>
      )}
      {error === null && (isPending || live.items === undefined) && <Waiting />}
      {error === null && !isPending && live.items !== undefined && (
        <>
          {(selection.isAll || selection.rows.length > 0) && (
            <Suspense fallback={null}>
              <SelectionBar
                entity={entity}
                selection={selection}
                filter={filter}
                q={q}
                sort={sort}
                columns={columns}
                reload={reload}
              />
            </Suspense>
          )}
          {live.pending > 0 && (
            <Group role="status" gap="xs">
              <Text size="sm">{text('live.pending', { count: live.pending })}</Text>
              <Button size="compact-sm" onClick={reload}>
                {text('live.refresh')}
              </Button>
            </Group>
          )}
          <ListTable
            entityName={entityName}
            columns={columns}
            added={added}
            rows={live.items}
            isBusy={isStale}
            sort={sort}
            onSort={(next) => change({ sort: next })}
            selection={selection}
            changed={live.changed}
            removed={live.removed}
          />
          {live.items.length === 0 && (
            <Text>{text(filter.conditions.length === 0 && words === '' ? 'list.empty' : 'list.noMatch')}</Text>
          )}
          <ListFooter
            page={page}
            isCounted={state.isCounted}
            onCount={() => change({ isCounted: true }, { replace: true })}
          />
        </>
      )}
    </>
  );
}
