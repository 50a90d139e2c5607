import type { BatchDataSet, FunctionDataSet, ReportDataSet } from '@lintel/application';
import { isPlatformError } from '@lintel/errors';
import { ReportFailure } from '../../report-failure.ts';
import type { BandContext } from '../band-context.ts';
import { type Fields, plainRow } from '../cell.ts';
import { cellsOfComputedRow } from '../cells-of-row.ts';
import type { PlacedRow } from '../merge-rows.ts';
import { readCollection } from './read-collection.ts';
import { readEntities } from './read-entities.ts';
import { readEntityList, readEntityParameter } from './read-instances.ts';
import { readJson } from './read-json.ts';
import { readText } from './read-text.ts';

/**
 * Reads the rows of a data set for each parent row, in the order of the parents. The data service is called once for
 * all of them, except for filters and functions, which are called for each parent row.
 *
 * @param band its name, for errors
 * @param parents for each parent row the fields of its ancestors, as `<Band>.<field>`
 * @throws ReportFailure naming band and data set; PlatformError where the caller may not read
 */
export async function* readDataSet(
  band: string,
  set: ReportDataSet,
  context: BandContext,
  parents: readonly Fields[],
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

function rowsOf(
  set: ReportDataSet,
  context: BandContext,
  parents: readonly Fields[],
): AsyncIterable<PlacedRow> | Iterable<PlacedRow> {
  switch (set.kind) {
    case 'entities':
      return readEntities(set, context, parents);
    case 'query':
    case 'sql':
      return readText(set, context, parents);
    case 'entity':
      return readEntityParameter(set, context, parents);
    case 'entityList':
      return readEntityList(set, context, parents);
    case 'collection':
      return readCollection(set, context, parents);
    case 'json':
      return readJson(set, context, parents);
    case 'function':
      return callForEach(set, context, parents);
    case 'batch':
      return callForAll(set, context, parents);
    default:
      return set satisfies never;
  }
}

async function* callForEach(
  set: FunctionDataSet,
  { parameters, data }: BandContext,
  parents: readonly Fields[],
): AsyncGenerator<PlacedRow> {
  for (const [at, ancestors] of parents.entries())
    for await (const row of await set.rows(parameters, data, plainRow(ancestors)))
      yield { at, fields: cellsOfComputedRow(row) };
}

async function* callForAll(
  set: BatchDataSet,
  { parameters, data }: BandContext,
  parents: readonly Fields[],
): AsyncGenerator<PlacedRow> {
  const lists = await set.rows(parameters, data, parents.map(plainRow));
  if (lists.length !== parents.length)
    throw new ReportFailure(`The data set ${set.name} has ${lists.length} lists of rows for ${parents.length} rows`);
  for (const [at, rows] of lists.entries()) for (const row of rows) yield { at, fields: cellsOfComputedRow(row) };
}
