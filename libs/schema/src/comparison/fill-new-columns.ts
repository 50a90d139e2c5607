import {
  type Attribute,
  enumerationOf,
  enumValueByName,
  isExternalTable,
  type Model,
  quoteIdentifier,
  quoteTable,
  tableOf,
} from '@lintel/metadata';
import { formOf } from '../migrations/revert/keeps-values.ts';
import { storedAttributesOf } from '../tables/expected/stored-attributes.ts';

const NEW_MANDATORY = formOf(String.raw`^ALTER TABLE @ ADD @ (?!.*\bDEFAULT\b).*\bNOT NULL$`);

/**
 * Statements that also succeed for tables with rows: a new mandatory column with a default of the model fills existing
 * rows with it. The default itself does not remain in the database: only the model states it.
 */
export function fillNewColumns(model: Model, statements: readonly string[]): readonly string[] {
  const defaults = defaultsOf(model);
  return statements.flatMap((statement) => {
    const [, table = '', column = ''] = NEW_MANDATORY.exec(statement) ?? [];
    const literal = defaults.get(`${table} ${column}`);
    return literal === undefined
      ? [statement]
      : [`${statement} DEFAULT ${literal}`, `ALTER TABLE ${table} ALTER COLUMN ${column} DROP DEFAULT`];
  });
}

/** Literals of the defaults of mandatory attributes, by table and column as they are written in statements. */
function defaultsOf(model: Model): ReadonlyMap<string, string> {
  const entities = [...model.entities.values()].filter(
    ({ kind, table }) => kind === 'entity' && !isExternalTable(table),
  );
  return new Map(
    entities.flatMap((entity) =>
      storedAttributesOf(model, entity).flatMap(({ attribute, columns }) => {
        const [column] = columns;
        const value = attribute.mandatory ? storedDefault(model, attribute) : undefined;
        if (column === undefined || value === undefined) return [];
        const key = `${quoteTable(tableOf(entity))} ${quoteIdentifier(column.name)}`;
        return [[key, `'${value.replaceAll("'", "''")}'`] as const];
      }),
    ),
  );
}

function storedDefault(model: Model, attribute: Attribute): string | undefined {
  if (attribute.kind === 'enum' && attribute.defaultValue !== undefined) {
    const constant = enumValueByName(enumerationOf(model, attribute.enumName), attribute.defaultValue);
    return constant === undefined ? undefined : String(constant.id);
  }
  if (attribute.kind !== 'datatype' || attribute.defaultValue === undefined) return undefined;
  if (attribute.storedValues !== undefined) return String(attribute.storedValues[`${attribute.defaultValue === true}`]);
  // The text of a default is Base64, the one of PostgreSQL hexadecimal.
  return attribute.datatype === 'byteArray' ? undefined : String(attribute.defaultValue);
}
