import type { ConditionGroup, Id } from '@lintel/client';
import { useQuery } from '@tanstack/react-query';
import { useModel } from '../../../../model/model-provider.tsx';
import type { Row } from '../row.ts';
import type { Selection } from '../use-selection.ts';
import { useRowRun } from './use-row-run.ts';

const idOf = (row: Row): Id => row['id'] as Id;

/** Changes and deletes the selected rows, or all that match the filter, and counts them. */
export function useSelectionWrites(entityName: string, selection: Selection, filter: ConditionGroup) {
  const { client } = useModel();
  const { run, start, cancel } = useRowRun(entityName);
  // Exact, not an estimate: the user confirms this number.
  const all = useQuery({
    queryKey: ['list', entityName, 'count', filter],
    queryFn: ({ signal }) => client.count(entityName, filter, { signal }),
    enabled: selection.isAll && run === undefined,
    staleTime: 0,
  });
  const rows = (): Iterable<Row> | AsyncIterable<Row> =>
    // In the order of the key, which no change moves.
    selection.isAll
      ? (client.all(entityName, { filter, fetchPlan: '_instance_name' }) as AsyncIterable<Row>)
      : selection.rows;
  return {
    /** The exact number of rows; undefined until they are counted. */
    count: selection.isAll ? all.data : selection.rows.length,
    error: all.error,
    retry: () => void all.refetch(),
    run,
    cancel,
    change: (values: Row): void =>
      void start(rows(), {
        many: (chunk) =>
          client.patchMany(
            entityName,
            chunk.map((row) => ({ ...values, id: idOf(row) })),
          ),
        one: (row) => client.patch(entityName, idOf(row), values),
      }),
    remove: (): void =>
      void start(rows(), {
        many: (chunk) => client.removeMany(entityName, chunk.map(idOf)),
        one: (row) => client.remove(entityName, idOf(row)),
      }),
  };
}
