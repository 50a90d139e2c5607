import { type DatatypeAttribute, type EnumAttribute, enumerationOf, type Model } from '@lintel/metadata';
import type { ColumnType, ValueTransformer } from 'typeorm';

/** How TypeORM reads and writes a column. */
export interface ColumnValues {
  readonly type: ColumnType;
  readonly transformer?: ValueTransformer;
}

type Datatype = DatatypeAttribute['datatype'];

/**
 * Returns the column type and the conversion of a datatype's values. Values have the same form as those of `data`:
 * 64-bit integers, decimals and temporal values are texts. TypeORM would convert a type that it knows as temporal to a
 * `Date` in the time zone of the process, so the column type is text.
 */
export function datatypeValues(datatype: Datatype): ColumnValues {
  switch (datatype) {
    case 'boolean':
      return { type: 'boolean' };
    case 'short':
    case 'int':
      return { type: 'integer' };
    case 'long':
      return { type: 'bigint' };
    case 'float':
      return { type: 'real' };
    case 'double':
      return { type: 'double precision' };
    case 'decimal':
    case 'bigInteger':
      return { type: 'numeric' };
    case 'uuid':
      return { type: 'uuid' };
    case 'byteArray':
      return { type: 'bytea' };
    case 'json':
      return { type: 'jsonb' };
    case 'string':
    case 'char':
    case 'fileRef':
    case 'uri':
    case 'date':
    case 'localDate':
    case 'time':
    case 'localTime':
      return { type: 'varchar' };
    case 'dateTime':
    case 'localDateTime':
      return { type: 'varchar', transformer: temporal(dateTime) };
    case 'offsetDateTime':
      return { type: 'varchar', transformer: temporal((text) => dateTime(text).replace(/\+00$/, 'Z')) };
    case 'offsetTime':
      return { type: 'varchar', transformer: temporal(offsetTime) };
    default:
      return datatype satisfies never;
  }
}

/** The same for an attribute, whose booleans may be texts or numbers. */
export function attributeValues({ datatype, storedValues }: DatatypeAttribute): ColumnValues {
  if (storedValues === undefined) return datatypeValues(datatype);
  const { true: yes, false: no } = storedValues;
  return {
    type: 'varchar',
    transformer: {
      from: (raw) =>
        String(raw).trimEnd() === String(yes) ? true : String(raw).trimEnd() === String(no) ? false : null,
      to: (value) => (typeof value === 'boolean' ? (value ? yes : no) : value),
    },
  };
}

/** Converts between the names of the constants and their stored ids. */
export function enumValues(model: Model, attribute: EnumAttribute): ColumnValues {
  const { idType, values } = enumerationOf(model, attribute.enumName);
  const byId = new Map(values.map(({ id, name }) => [id, name]));
  const byName = new Map(values.map(({ id, name }) => [name, id]));
  return {
    type: idType === 'int' ? 'integer' : 'varchar',
    transformer: {
      from: (id) => byId.get(id) ?? null,
      to(name) {
        if (name === null || name === undefined) return name;
        const id = byName.get(name);
        if (id === undefined) throw new Error(`${attribute.enumName} has no constant ${String(name)}`);
        return id;
      },
    },
  };
}

const temporal = (read: (text: string) => string): ValueTransformer => ({
  from: (text) => (typeof text === 'string' ? read(text) : text),
  to: (value) => (value instanceof Date ? value.toISOString() : value),
});

/** `2026-02-03 04:05:06.7` → `2026-02-03T04:05:06.700`; infinite values are unchanged. */
const dateTime = (text: string): string =>
  text.replace(
    /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?/,
    (_all, date: string, time: string, fraction = '') => `${date}T${time}.${fraction.padEnd(3, '0')}`,
  );

/** `10:20:30+01` → `10:20:30+01:00`. */
const offsetTime = (text: string): string => text.replace(/[+-]00(:00)?$/, 'Z').replace(/([+-]\d\d)$/, '$1:00');
