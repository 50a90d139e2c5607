import type { AggregatesDataSet, QueryDataSet, ReportRow, SqlDataSet } from '@lintel/application';
import type { DatasetValue } from '@lintel/contracts';
import { parseDataSetText, placeholdersOf } from '@lintel/query';
import { ReportFailure } from '../../report-failure.ts';
import type { BandContext } from '../band-context.ts';
import { EMPTY, type Fields } from '../cell.ts';
import { cellOfValue, cellsOfColumns, cellsOfInstance } from '../cells-of-row.ts';
import { fieldOf } from '../field-of.ts';
import type { PlacedRow } from '../merge-rows.ts';
import { boundText, boundValue } from './bound-value.ts';
import { forEveryParent } from './shared-rows.ts';

type TextDataSet = QueryDataSet | SqlDataSet;

/**
 * Reads the rows of a query or of SQL. A text that names fields of parent rows is run for all parent rows in one
 * statement; any other text is run once.
 */
export function readText(
  set: TextDataSet,
  context: BandContext,
  parents: readonly Fields[],
): AsyncGenerator<PlacedRow> {
  const names = placeholdersOf(parseDataSetText(set.kind === 'sql' ? set.sql : set.query));
  const fields = names.filter((name) => valueOfName(name, context) === undefined);
  const values = valuesOf(names, context);
  if (fields.length === 0) return forEveryParent(rowsOf(context, requestOf(set, values)), parents.length);
  return rowsBelow(set, values, fields, context, parents);
}

/** Reads groups and aggregates once, for all parent rows. */
export const readAggregates = (
  { entity: aggregates, question }: AggregatesDataSet,
  context: BandContext,
  parents: readonly Fields[],
): AsyncGenerator<PlacedRow> => forEveryParent(rowsOf(context, { aggregates, question }), parents.length);

type Values = Readonly<Record<string, DatasetValue>>;

async function* rowsBelow(
  set: TextDataSet,
  values: Values,
  fields: readonly string[],
  context: BandContext,
  parents: readonly Fields[],
): AsyncGenerator<PlacedRow> {
  const columns = fields.map((name) => {
    const cells = parents.map((ancestors) => {
      const cell = fieldOf(ancestors, name);
      if (cell === undefined) throw new ReportFailure(`There is no parameter or field ${name}`);
      return cell;
    });
    const type = cells.map((cell) => boundValue(cell).type).find((one) => one !== undefined);
    return { field: { name, ...(type === undefined ? {} : { type }) }, texts: cells.map(boundText) };
  });
  const rows = parents.map((_, at) => columns.map(({ texts }) => texts[at] ?? null));
  const request = { ...requestOf(set, values), parents: { fields: columns.map(({ field }) => field), rows } };
  for await (const { at, row, columns: described } of context.data.select(request))
    yield { at, fields: fieldsOf(row, described, context) };
}

async function* rowsOf(
  context: BandContext,
  request: Parameters<BandContext['data']['select']>[0],
): AsyncGenerator<Fields> {
  for await (const { row, columns } of context.data.select(request)) yield fieldsOf(row, columns, context);
}

const fieldsOf = (
  row: ReportRow,
  columns: Parameters<typeof cellsOfColumns>[1] | undefined,
  { model }: BandContext,
): Fields =>
  columns === undefined ? cellsOfInstance(model, String(row['_entityName']), row) : cellsOfColumns(row, columns);

const requestOf = (set: TextDataSet, values: Values) =>
  set.kind === 'sql'
    ? { sql: set.sql, values }
    : { query: set.query, values, ...(set.fetchPlan === undefined ? {} : { fetchPlan: set.fetchPlan }) };

function valuesOf(names: readonly string[], context: BandContext): Values {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = valueOfName(name, context);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The value of a parameter, or of a field of an axis of a cross band; undefined for other names. */
function valueOfName(name: string, { parameters, parameterFields }: BandContext): DatasetValue | undefined {
  const field = parameterFields.get(name);
  if (field !== undefined) return boundValue(field);
  const axis = /^(\w+_(?:dynamic_header|master_data))_(\w+)$/.exec(name);
  const rows = axis === null ? undefined : parameters[axis[1] ?? ''];
  if (axis === null || !Array.isArray(rows)) return undefined;
  const cells = (rows as readonly ReportRow[]).map((row) => cellOfValue(row[axis[2] ?? '']));
  return boundValue({ kind: 'list', cells: cells.filter((cell) => cell !== EMPTY) });
}
