import { familyOf, quoteIdentifier, type TemporalKind, temporalKindOf } from '@lintel/metadata';
import { type ExactJson, isExactObject, readExactJson } from '../json/exact-json.ts';
import { INPUTS_MEMBER, POLICY_MEMBER } from '../plan/objects/plan-object.ts';
import { TOKEN_MEMBER } from '../plan/objects/plan-token.ts';
import type { ColumnFormat, MemberPlan, ObjectPlan, ReadPlan, ValuePlan } from '../plan/read-plan.ts';
import { needsObjects, template, writePage } from './compile-read.ts';
import type { StatementTemplate } from './compiled-statement.ts';
import { quoteConstant, StatementText } from './statement-text.ts';
import { isFloating, writeMembers } from './write-value.ts';

/** A column of the table as which rows are written. */
export interface TableColumn {
  /** The names of the attributes with dots; a reference alone is its id. */
  readonly name: string;
  /** Members of the JSON of a row. */
  readonly path: readonly string[];
  /** Text may contain anything; plain values never contain a separator. */
  readonly kind: 'plain' | 'boolean' | 'text' | 'json';
  /** Its numbers may be none, such as `NaN`: SQL has them as JSON. */
  readonly isFloating: boolean;
  /** The form of its dates and times. */
  readonly temporal: TemporalKind | undefined;
  /** Its values are what this returns of values that are not null. */
  readonly show?: ((value: ExactJson) => ExactJson) | undefined;
}

/** The columns of a reference: its id, the attributes of the plan without its id, or its instance name instead of it. */
export type ReferenceForm = 'ids' | 'keys' | 'names';

/** How references and children are written. */
export interface TableForm {
  readonly references: ReferenceForm;
  /** Collections of instances are JSON in their cell, or columns with a row for each member. */
  readonly children: 'json' | 'rows';
}

/** The columns of a table. */
export interface TableColumns {
  readonly columns: readonly TableColumn[];
  /** The collections whose members have rows. */
  readonly lists: readonly string[];
}

/** Rows as CSV. */
export interface CsvForm extends TableColumns {
  /**
   * The statement whose rows are copied as lines, the options of `COPY` for it, and the types of its parameters;
   * undefined where code writes the lines (`csvLineOf`).
   */
  readonly copied:
    | { readonly statement: StatementTemplate; readonly format: string; readonly types: readonly string[] }
    | undefined;
}

/** PostgreSQL's rows have at most 1,664 columns. */
const MAX_COLUMNS = 1_600;

/** The columns of the rows of a plan, and the statement that writes them. */
export function compileCsv(plan: ReadPlan, { references, children }: TableForm): CsvForm {
  const { object, page } = plan;
  const lists = object.members.flatMap(({ name, value }) =>
    children === 'rows' && value.kind === 'many' ? [name] : [],
  );
  const columns = columnsOf(object.members, references, { lists });
  const quoted = columns.flatMap(({ kind }, at) => (kind === 'text' ? [cellName(at)] : []));
  const format = quoted.length === 0 ? 'FORMAT csv' : `FORMAT csv, FORCE_QUOTE (${quoted.join(', ')})`;
  const isWritten =
    page !== undefined &&
    columns.length > 0 &&
    columns.length <= MAX_COLUMNS &&
    !needsObjects(object) &&
    lists.length === 0 &&
    columns.every(({ kind }) => kind !== 'json');
  if (!isWritten) return { columns, lists, copied: undefined };
  const statement = new StatementText();
  const used = new Set(columns.map(({ path: [name] }) => name));
  const members = writeMembers(
    object.members.filter(({ name }) => used.has(name)),
    statement,
  );
  const cells = columns.map((column, at) => `${writeCell(column)} AS ${cellName(at)}`);
  // Each value is computed once, though its cell names it several times.
  const text = `SELECT ${cells.join(', ')} FROM (SELECT ${members} FROM ${writePage(plan, page, statement)} OFFSET 0) root`;
  const compiled = template(text, statement, { kind: 'text', hasNulls: false });
  return { columns, lists, copied: { statement: compiled, format, types: statement.types() } };
}

const cellName = (at: number): string => `c${at}`;

const HIDDEN: ReadonlySet<string> = new Set([INPUTS_MEMBER, POLICY_MEMBER, TOKEN_MEMBER]);

/** Instance names are left out, except instead of ids, and the name of an entity that all rows have. */
function columnsOf(
  members: ObjectPlan['members'],
  references: ReferenceForm,
  { lists = [], above = [] }: { readonly lists?: readonly string[]; readonly above?: readonly string[] } = {},
): readonly TableColumn[] {
  return members.flatMap(({ name, value }: MemberPlan): readonly TableColumn[] => {
    if (HIDDEN.has(name) || name === '_instanceName' || value.kind === 'constant') return [];
    const path = [...above, name];
    if (value.kind === 'many' && lists.includes(name))
      return columnsOf(value.object.members, references, { above: path });
    if (value.kind !== 'object' && value.kind !== 'one') return [{ name: path.join('.'), path, ...typeOf(value) }];
    const below = columnsOf(value.object.members, references, { above: path });
    if (value.kind !== 'one') return below;
    const isId = (column: TableColumn): boolean =>
      column.path.length === path.length + 1 && column.path.at(-1) === 'id';
    if (references === 'keys' && below.some((column) => !isId(column))) return below.filter((column) => !isId(column));
    const naming = value.object.members.find((each) => each.value.kind === 'name');
    return below.map((column) => {
      if (!isId(column)) return column;
      const named = { ...column, name: path.join('.') };
      if (references !== 'names' || naming === undefined) return named;
      return { ...named, path: [...path, naming.name], ...TEXT };
    });
  });
}

type ColumnType = Pick<TableColumn, 'kind' | 'isFloating' | 'temporal'>;
const TEXT: ColumnType = { kind: 'text', isFloating: false, temporal: undefined };

function typeOf(value: ValuePlan): ColumnType {
  switch (value.kind) {
    case 'column':
    case 'scalar':
      return typeOfFormat(value.format);
    case 'computed':
      return value.attribute.kind === 'datatype'
        ? typeOfFormat({ kind: 'datatype', datatype: value.attribute.datatype })
        : TEXT;
    case 'name':
      return TEXT;
    default:
      return { ...TEXT, kind: 'json' };
  }
}

const typeOfFormat = (format: ColumnFormat): ColumnType => ({
  kind: kindOfFormat(format),
  isFloating: format.kind === 'datatype' && isFloating(format.datatype),
  temporal: format.kind === 'datatype' ? temporalKindOf(format.datatype) : undefined,
});

function kindOfFormat(format: ColumnFormat): TableColumn['kind'] {
  if (format.kind !== 'datatype') return 'text';
  const family = familyOf(format.datatype);
  if (family === 'json' || family === 'boolean') return family;
  return family === 'text' || family === 'reference-text' ? 'text' : 'plain';
}

/** Characters that begin a formula for a spreadsheet, also after a tab or a line break (OWASP: CSV injection). */
const FORMULA_CHARACTERS = '=+\\-@＝＋－＠\t\r\n';
/** A text that already has an apostrophe before it gets a second one: the import removes one of them. */
const FORMULA = new RegExp(`^'*[${FORMULA_CHARACTERS}]`);
/** A quick test before: the first characters of such texts. */
const FIRST_CODES = [..."'=+-@＝＋－＠\t\r\n"].map((character) => character.codePointAt(0)).join(',');

/** The cell of a column of `root`; null where the value is. */
function writeCell({ path: [name = '', ...below], kind, isFloating }: TableColumn): string {
  const column = `root.${quoteIdentifier(name)}`;
  const value =
    below.length === 0 ? column : `(${column} #>> ARRAY[${below.map((one) => quoteConstant(one)).join(', ')}])`;
  if (isFloating && below.length === 0) return `(${value} #>> '{}')`;
  // Copied booleans are `t` and `f`.
  if (kind !== 'text') return kind === 'boolean' ? `${value}::text` : value;
  const text = `${value}::text`;
  const isFormula = `ascii(${text}) IN (${FIRST_CODES}) AND ${text} ~ ${quoteConstant(FORMULA.source)}`;
  return `CASE WHEN ${isFormula} THEN '''' || ${text} ELSE ${text} END`;
}

/** The first line. */
export const csvHeader = (table: { readonly headers: readonly string[]; readonly delimiter: string }): string =>
  table.headers.map(quoted).join(table.delimiter);

/**
 * The values of the columns, in one row: with lists in as many as the longest has members. Further rows have the id of
 * the instance beside the next members, since repeated texts would multiply the size of a row.
 */
export function valuesOf(json: string, { columns, lists }: TableColumns): readonly (readonly ExactJson[])[] {
  const row = readExactJson(json);
  const valuesIn = (from: ExactJson): readonly ExactJson[] =>
    columns.map(({ path, show }) => {
      const value = valueAt(from, path);
      return show === undefined || value === null ? value : show(value);
    });
  if (lists.length === 0 || !isExactObject(row)) return [valuesIn(row)];
  const members = lists.map((name) => [name, row[name]] as const);
  const length = Math.max(1, ...members.map(([, list]) => (Array.isArray(list) ? list.length : 0)));
  return Array.from({ length }, (_, at) => {
    const own = members.map(([name, list]): [string, ExactJson] => [name, (Array.isArray(list) && list[at]) || null]);
    return valuesIn({ ...(at === 0 ? row : { id: row['id'] ?? null }), ...Object.fromEntries(own) });
  });
}

/** The lines that PostgreSQL writes of the same row, and the lines of its lists. */
export function csvLineOf(json: string, table: TableColumns, delimiter = ','): string {
  return valuesOf(json, table)
    .map((values) => values.map((value, at) => cellOf(value, table.columns[at]?.kind)).join(delimiter))
    .join('\n');
}

const valueAt = (row: ExactJson, path: readonly string[]): ExactJson =>
  path.reduce<ExactJson>((value, name) => (isExactObject(value) ? (value[name] ?? null) : null), row);

function cellOf(value: ExactJson, kind: TableColumn['kind'] | undefined): string {
  if (value === null) return '';
  if (kind === 'json') return `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  return kind === 'text' ? quoted(String(value)) : String(value);
}

/** Marks a text as text where a spreadsheet would read it as a formula. */
const quoted = (text: string): string => `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
