import {
  columnOf,
  type Entity,
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
import { type Finding, ok, warning } from './check.ts';

/** Rows of a table that are looked at: the check must end soon. */
const ROWS = 100_000;

type CodedColumn = readonly [column: string, codes: readonly (string | number)[]];

/** Columns of an entity or embeddable that have codes, of enums and of stored booleans. */
function codedColumns(model: Model, entity: Entity, prefix = ''): readonly CodedColumn[] {
  return [...entity.attributes.values()].flatMap((attribute): readonly CodedColumn[] => {
    if (attribute.declaredBy !== entity.name || !attribute.persistent) return [];
    if (attribute.kind === 'embedded')
      return codedColumns(model, entityOf(model, attribute.target), embeddedPrefix(attribute, prefix));
    const codes =
      attribute.kind === 'enum'
        ? enumerationOf(model, attribute.enumName).values.map(({ id }) => id)
        : attribute.kind === 'datatype' && Object.values(attribute.storedValues ?? {});
    return codes === false || codes.length === 0 ? [] : [[columnOf(model, attribute, prefix).name, codes]];
  });
}

/** Finds values that no constant of an enum has any more, which are read as null. */
export async function checkStoredValues(model: Model, database: Database): Promise<Finding> {
  const found: string[] = [];
  for (const entity of [...model.entities.values()].filter(({ kind }) => kind === 'entity')) {
    const table = quoteTable(tableOf(storingEntity(model, entity)));
    for (const [column, codes] of codedColumns(model, entity)) {
      const text = 'SELECT FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2';
      // A pending migration makes the column.
      if ((await database.query({ text, values: [table, column] })).length === 0) continue;
      const name = quoteIdentifier(column);
      const [row] = await database.query<{ unknown: string | null }>({
        text: `SELECT string_agg(DISTINCT quote_literal(code), ', ') AS unknown
          FROM (SELECT ${name}::text AS code FROM ${table} LIMIT ${ROWS}) rows WHERE code <> ALL ($1)`,
        values: [codes.map(String)],
      });
      if (row?.unknown != null) found.push(`${table}.${name}: ${row.unknown}`);
    }
  }
  return found.length === 0
    ? ok('no unknown one is stored')
    : warning(`read as null: ${found.join('; ')}`, 'Give the values a constant, or change the rows');
}
