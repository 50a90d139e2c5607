import type { ConditionGroup, Id } from '@lintel/client';
import { useQuery } from '@tanstack/react-query';
import { useModel, useText } from '../../../../context.ts';
import { useUndoableWrites } from '../../undo/use-undoable-writes.ts';
import type { Row } from '../row.ts';
import type { Selection } from '../use-selection.ts';
import { useRowRun } from './use-row-run.ts';

const idOf = (row: Row): Id => row['id'] as Id;

type WriteRows = (chunk: readonly Row[], trace: string | undefined) => Promise<unknown>;
type WriteRow = (id: Id, trace: string | undefined) => Promise<unknown>;

export type SelectionWrites = ReturnType<typeof useSelectionWrites>;

/** Which rows a list has. */
interface Asked {
  readonly filter: ConditionGroup;
  readonly q?: string | undefined;
  /** Rows of the bin. */
  readonly deleted?: 'only';
}

/** Writes the selected rows, or all that match, and counts them. */
export function useSelectionWrites(entityName: string, selection: Selection, asked: Asked) {
  const text = useText();
  const { client, entities } = useModel();
  const { run, start, cancel } = useRowRun(entityName);
  // Exact, not an estimate: the user confirms this number.
  const all = useQuery({
    queryKey: ['list', entityName, 'count', asked],
    queryFn: ({ signal }) => client.count(entityName, { ...asked, signal }),
    enabled: selection.isAll && run === undefined,
    staleTime: 0,
  });
  const sort = asked.q === undefined ? undefined : (entities.get(entityName)?.key ?? undefined);
  const rows = (): Iterable<Row> | AsyncIterable<Row> =>
    // In the order of the key, which no change moves: the best matches of a search would not be all of them.
    selection.isAll
      ? (client.all(entityName, { ...asked, sort, fetchPlan: '_instance_name' }) as AsyncIterable<Row>)
      : selection.rows;
  const undoable = useUndoableWrites(entityName);
  async function write(kind: 'change' | 'delete', writeRows: WriteRows, writeRow: WriteRow): Promise<void> {
    const writes = undoable(kind);
    const { done } = await start(kind, rows(), {
      many: (chunk) => writes.during(chunk.map(idOf), (trace) => writeRows(chunk, trace)),
      one: (row) => writes.during([idOf(row)], (trace) => writeRow(idOf(row), trace)),
    });
    // The page says what was done in any case.
    if (writes.isUndoable()) writes.notice(text(`rows.${kind}`, { count: done }));
  }
  return {
    /** The exact number of rows; undefined until they are counted. */
    count: selection.isAll ? all.data : selection.rows.length,
    error: all.error,
    retry: () => void all.refetch(),
    run,
    cancel,
    rows,
    change: (values: Row): void =>
      void write(
        'change',
        (chunk, trace) =>
          client.patchMany(
            entityName,
            chunk.map((row) => ({ ...values, id: idOf(row) })),
            { trace },
          ),
        (id, trace) => client.patch(entityName, id, values, { trace }),
      ),
    remove: (): void =>
      void write(
        'delete',
        (chunk, trace) => client.removeMany(entityName, chunk.map(idOf), { trace }),
        (id, trace) => client.remove(entityName, id, { trace }),
      ),
    restore: (): void =>
      void start('restore', rows(), {
        one: (row) => client.restore(entityName, idOf(row), { fetchPlan: '_instance_name' }),
      }),
    purge: (): void =>
      void start('purge', rows(), {
        many: (chunk) => client.removeMany(entityName, chunk.map(idOf), { deleted: 'only' }),
        one: (row) => client.remove(entityName, idOf(row), { deleted: 'only' }),
      }),
  };
}
