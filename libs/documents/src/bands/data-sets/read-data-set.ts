import type { BatchDataSet, CollectionDataSet, FunctionDataSet, ReportDataSet, ReportRow } from '@lintel/application';
import { isPlatformError } from '@lintel/errors';
import { ReportFailure } from '../../report-failure.ts';
import type { BandContext } from '../band-context.ts';
import { type Fields, plainOf, plainRow } from '../cell.ts';
import { cellsOfComputedRow, cellsOfInstance } from '../cells-of-row.ts';
import { fieldOf } from '../field-of.ts';
import type { PlacedRow } from '../merge-rows.ts';
import { readEntities } from './read-entities.ts';
import { readEntityList, readEntityParameter } from './read-instances.ts';
import { readJson } from './read-json.ts';
import { readAggregates, readText } from './read-text.ts';

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
    case 'aggregates':
      return readAggregates(set, context, parents);
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

/** Reads the members of a collection of the parent row. */
function* readCollection(
  { field }: CollectionDataSet,
  { model }: BandContext,
  parents: readonly Fields[],
): Generator<PlacedRow> {
  for (const [at, ancestors] of parents.entries()) {
    const cell = fieldOf(ancestors, field);
    if (cell === undefined) throw new ReportFailure(`There is no field ${field} in the bands above`);
    const members = plainOf(cell);
    if (members === null) continue;
    if (!Array.isArray(members)) throw new ReportFailure(`The field ${field} is no collection`);
    for (const member of members as readonly unknown[]) {
      if (typeof member !== 'object' || member === null) throw new ReportFailure(`The field ${field} has no instances`);
      const row = member as ReportRow;
      const entity = row['_entityName'];
      const fields = typeof entity === 'string' ? cellsOfInstance(model, entity, row) : cellsOfComputedRow(row);
      yield { at, fields };
    }
  }
}
