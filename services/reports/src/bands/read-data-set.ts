import type { ReportDataSet, ReportRow } from '@lintel/application';
import { isPlatformError } from '@lintel/errors';
import { ReportFailure } from '../report-failure.ts';
import type { BandContext } from './band-context.ts';
import { cellsOfComputedRow, cellsOfInstance } from './cells-of-row.ts';
import type { PlacedRow } from './merge-rows.ts';

/**
 * The rows of a data set for each parent row, in the order of the parents.
 *
 * @param band its name, for errors
 * @param parents for each parent row the fields of the bands above, as `<Band>.<field>`
 * @throws ReportFailure naming band and data set; PlatformError where the caller may not read
 */
export async function* readDataSet(
  band: string,
  set: ReportDataSet,
  context: BandContext,
  parents: readonly ReportRow[],
): AsyncGenerator<PlacedRow> {
  try {
    yield* rowsOf(set, context, parents);
  } catch (error) {
    if (isPlatformError(error) || context.signal.aborted) throw error;
    throw new ReportFailure(`An error occurred while loading data for band [${band}] and query [${set.name}].`, {
      cause: error,
    });
  }
}

async function* rowsOf(
  set: ReportDataSet,
  context: BandContext,
  parents: readonly ReportRow[],
): AsyncGenerator<PlacedRow> {
  const { model, parameters, data } = context;
  switch (set.kind) {
    case 'entities':
      for (const [at, ancestors] of parents.entries()) {
        const filter = set.filter?.(parameters, ancestors);
        const rows = data.load({
          entity: set.entity,
          fetchPlan: set.fetchPlan,
          ...(filter === undefined ? {} : { filter }),
          ...(set.sort === undefined ? {} : { sort: set.sort }),
        });
        for await (const row of rows) yield { at, fields: cellsOfInstance(model, set.entity, row) };
      }
      return;
    case 'function':
      for (const [at, ancestors] of parents.entries())
        for await (const row of await set.rows(parameters, data, ancestors))
          yield { at, fields: cellsOfComputedRow(row) };
      return;
    default:
      set satisfies never;
  }
}
