import {
  type Column,
  type Entity,
  familyTreeOf,
  type Model,
  quoteIdentifier,
  quoteTable,
  rootOf,
  storageOf,
  storingEntity,
  tableOf,
} from '@lintel/metadata';
import { entityTestText, type LiteralType, temporalText } from '@lintel/query';

/** Table of a storing entity with its schema, quoted. */
export const tableName = (entity: Entity): string => quoteTable(tableOf(entity));

/**
 * The conditions that a row is one of the entity or its descendants, for the table of the root; none if the
 * discriminators are names of entities and no other entity is in the table.
 */
export function knownEntityConditions(model: Model, entity: Entity, alias: string): readonly string[] {
  const { discriminator } = storageOf(model, rootOf(model, entity));
  if (discriminator === undefined) return [];
  if (discriminator.values === undefined && storingEntity(model, entity) === entity) return [];
  const names = familyTreeOf(model, entity).map(({ name }) => name);
  return [entityTestText(`${alias}.${quoteIdentifier(discriminator.name)}`, discriminator.values, names)];
}

/**
 * A type for parameters: without length and scale, so that a value that does not fit is refused by the
 * column and never cut by a cast. `character` and `bit` alone would be of length 1.
 */
export function parameterType(type: string): string {
  if (type.startsWith('character(')) return 'bpchar';
  return /^bit\b(?! varying)/.test(type) ? 'bit varying' : type.replace(/\([^)]*\)/, '');
}

/** The parameter of one value of a column. A text would be read as the settings of the server write money. */
export const valueParameter = ({ readAs }: Column, at: number): string =>
  `$${at}${readAs === 'numeric' ? '::numeric' : ''}`;

/** `$1::uuid[], $2::date[]`, the arrays of the columns' values; an array is a text here: arrays of arrays are of one length. */
export const arrayParameters = (columns: readonly Column[], first: number): string =>
  columns
    .map(({ type, isArray, readAs }, at) => {
      const one = isArray === true ? 'text' : readAs === 'numeric' ? readAs : parameterType(type);
      return `$${first + at}::${one}[]`;
    })
    .join(', ');

/** A value of `arrayParameters` as one of its column. */
export const valueOfColumn = ({ type, isArray }: Column, value: string): string =>
  isArray === true ? `${value}::${parameterType(type.slice(0, -2))}[]` : value;

/**
 * The condition that the columns equal one of the keys of `keyParameters`.
 *
 * @param isOne there is one key: it is compared by `=`, because PostgreSQL plans a comparison with an array again for
 *   each execution, since the number of elements is unknown
 */
export function keyCondition(alias: string, columns: readonly Column[], first: number, isOne = false): string {
  const names = columns.map(({ name }) => `${alias === '' ? '' : `${alias}.`}${quoteIdentifier(name)}`);
  if (isOne) {
    const parts = columns.map(({ type }, at) => `$${first + at}::${parameterType(type)}`);
    return names.map((name, at) => `${name} = ${parts[at]}`).join(' AND ');
  }
  if (columns.length === 1) return `${names[0]} = ANY(${arrayParameters(columns, first)})`;
  return `(${names.join(', ')}) IN (SELECT * FROM unnest(${arrayParameters(columns, first)}))`;
}

/** The SQL expression that returns a column in the form that `fromColumn` (`values/column-value.ts`) reads. */
export function columnExpression(type: LiteralType, column: string): string {
  if (type.kind === 'enum') return column;
  const fraction = type.microseconds === true ? 'US' : 'MS';
  switch (type.datatype) {
    case 'date':
    case 'localDate':
      return temporalText(type, column, `to_char(${column}, 'YYYY-MM-DD')`);
    case 'dateTime':
    case 'localDateTime':
      return temporalText(type, column, `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.${fraction}')`);
    case 'offsetDateTime':
      return temporalText(
        type,
        column,
        `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"')`,
      );
    case 'time':
    case 'localTime':
    case 'offsetTime':
      return `${column}::text`;
    case 'json':
      return `${column}::text`;
    case 'byteArray':
      return `encode(${column}, 'base64')`;
    default:
      return column;
  }
}
