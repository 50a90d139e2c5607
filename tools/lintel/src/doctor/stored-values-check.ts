import {
  type Attribute,
  columnOf,
  embeddedPrefix,
  entityOf,
  enumerationOf,
  type Model,
  quoteIdentifier,
  quoteTable,
  storingEntity,
  tableOf,
} from '@lintel/metadata';
import type { Database } from '@lintel/persistence';
import { type Finding, ok, skipped, warning } from './check.ts';

/** Rows of a table that are looked at: the check must end soon. */
const ROWS = 100_000;

interface CodedColumn {
  readonly table: string;
  readonly column: string;
  /** Codes that a row may contain. */
  readonly codes: readonly string[];
}

/** Columns of the attributes of an entity or embedded object that have codes: of enums, and of stored booleans. */
function codedColumns(
  model: Model,
  table: string,
  attributes: Iterable<Attribute>,
  prefix = '',
): readonly CodedColumn[] {
  return [...attributes].flatMap((attribute): readonly CodedColumn[] => {
    if (attribute.kind === 'embedded')
      return codedColumns(
        model,
        table,
        entityOf(model, attribute.target).attributes.values(),
        embeddedPrefix(attribute, prefix),
      );
    const codes =
      attribute.kind === 'enum'
        ? enumerationOf(model, attribute.enumName).values.map(({ id }) => id)
        : attribute.kind === 'datatype' && attribute.storedValues !== undefined
          ? Object.values(attribute.storedValues)
          : undefined;
    if (codes === undefined || !attribute.persistent) return [];
    return [{ table, column: columnOf(model, attribute, prefix).name, codes: codes.map(String) }];
  });
}

/** Finds values that no constant of an enum has any more, which are read as null. */
export async function checkStoredValues(model: Model, database: Database): Promise<Finding> {
  const columns = [...model.entities.values()]
    .filter(({ kind }) => kind === 'entity')
    .flatMap((entity) =>
      codedColumns(
        model,
        quoteTable(tableOf(storingEntity(model, entity))),
        [...entity.attributes.values()].filter(({ declaredBy }) => declaredBy === entity.name),
      ),
    );
  const existing = await database.query<{ at: number }>({
    text: `SELECT w.at::int - 1 AS at FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w ("table", "column", at)
      JOIN pg_attribute a ON a.attrelid = to_regclass(w."table") AND a.attname = w."column" ORDER BY w.at`,
    values: [columns.map(({ table }) => table), columns.map(({ column }) => column)],
  });
  const found: string[] = [];
  for (const { table, column, codes } of existing.flatMap(({ at }) => columns[at] ?? [])) {
    const name = quoteIdentifier(column);
    const [row] = await database.query<{ values: string | null }>({
      text: `SELECT string_agg(DISTINCT quote_literal(code), ', ') AS values FROM (SELECT ${name}::text AS code FROM ${table} LIMIT ${ROWS}) rows
        WHERE code <> ALL ($1)`,
      values: [codes],
    });
    if (row?.values != null) found.push(`${table}.${name}: ${row.values}`);
  }
  if (existing.length === 0) return skipped('no column has codes of enums or booleans');
  return found.length === 0
    ? ok(`no unknown code in ${existing.length} columns`)
    : warning(`read as null: ${found.join('; ')}`, 'Give the values a constant, or change the rows');
}
