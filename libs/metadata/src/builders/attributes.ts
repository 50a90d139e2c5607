import type { Datatype } from '../datatypes/datatypes.ts';
import type { JsonSchema, JsonValue, StoredBooleans } from '../entities/attribute.ts';
import { comparedTypeOf } from '../storage/compared-type.ts';
import { elementTypeOf } from '../storage/storage-map.ts';
import { AttributeBuilder, type AttributeDefinition } from './attribute-builder.ts';
import type { EnumDefinition } from './enumeration.ts';

/** A reference to another instance, as application code sees it. */
export interface Ref {
  /** Key of the instance in its JSON form. */
  readonly id: unknown;
  readonly [attribute: string]: unknown;
}

const scalar = <T>(datatype: Datatype): AttributeBuilder<T> => new AttributeBuilder<T>({ kind: 'datatype', datatype });

/** Text of at most `length` characters; without it, of any length. */
export const string = (length?: number): AttributeBuilder<string> =>
  new AttributeBuilder<string>({
    kind: 'datatype',
    datatype: 'string',
    ...(length === undefined ? {} : { length }),
  });

/** Text of any length. */
export const text = (): AttributeBuilder<string> => string();
/** One character. */
export const char = (): AttributeBuilder<string> => scalar('char');
/** True or false. `stored` is what an existing column of texts or numbers contains: `{ true: 'Y', false: 'N' }`. */
export const boolean = (stored?: StoredBooleans): AttributeBuilder<boolean> =>
  new AttributeBuilder<boolean>({
    kind: 'datatype',
    datatype: 'boolean',
    ...(stored === undefined ? {} : { storedValues: Object.freeze({ ...stored }) }),
  });
/** 16-bit integer. */
export const short = (): AttributeBuilder<number> => scalar('short');
/** 32-bit integer. */
export const integer = (): AttributeBuilder<number> => scalar('int');
/** 64-bit integer, as its decimal text: exact beyond 2^53. */
export const long = (): AttributeBuilder<string> => scalar('long');
/** Integer of any length, as its decimal text. */
export const bigInteger = (): AttributeBuilder<string> => scalar('bigInteger');
/** 32-bit floating-point number. */
export const float = (): AttributeBuilder<number> => scalar('float');
/** 64-bit floating-point number. */
export const double = (): AttributeBuilder<number> => scalar('double');
/** Exact decimal, as its text. `precision` counts all digits, `scale` those after the point. */
export const decimal = (precision: number, scale: number): AttributeBuilder<string> =>
  new AttributeBuilder<string>({ kind: 'datatype', datatype: 'decimal', precision, scale });
/** UUID, in lower case with hyphens. */
export const uuid = (): AttributeBuilder<string> => scalar('uuid');
/** `YYYY-MM-DD`. */
export const localDate = (): AttributeBuilder<string> => scalar('localDate');
/** `YYYY-MM-DD`; for tables of another owner. */
export const date = (): AttributeBuilder<string> => scalar('date');
/** `YYYY-MM-DDTHH:mm:ss.SSS`. */
export const localDateTime = (): AttributeBuilder<string> => scalar('localDateTime');
/** `YYYY-MM-DDTHH:mm:ss.SSS` and an offset. */
export const offsetDateTime = (): AttributeBuilder<string> => scalar('offsetDateTime');
/** `HH:mm:ss`. */
export const localTime = (): AttributeBuilder<string> => scalar('localTime');
/** `HH:mm:ss`; for tables of another owner. */
export const time = (): AttributeBuilder<string> => scalar('time');
/** `HH:mm:ss` and an offset. */
export const offsetTime = (): AttributeBuilder<string> => scalar('offsetTime');
/** A point in time in the server's zone, `YYYY-MM-DDTHH:mm:ss.SSS`. */
export const dateTime = (): AttributeBuilder<string> => scalar('dateTime');
/** Base64 text. */
export const byteArray = (): AttributeBuilder<string> => scalar('byteArray');
/** A file reference, `fs://<path>?name=<name>`. */
export const fileRef = (): AttributeBuilder<string> => scalar('fileRef');
/** URI reference, as a text. */
export const uri = (): AttributeBuilder<string> => scalar('uri');

/**
 * The text form of a PostgreSQL type that has no datatype, as the database writes and reads it: an interval, a range,
 * a network address, an array of several dimensions (`integer[][]`: `{{1,2},{3,4}}`). The database alone knows which
 * texts are valid. Binary and composite types and arrays of one dimension have no text form.
 *
 * @param type of the column as the catalogue names it: `interval`, `int4range`, `bit(8)`, `public.citext`
 * @param comparedAs the type in which filters and the sort order compare, for types of the user: a domain is compared
 *   as its base type. Without it, types that have an order are compared as themselves, and others by their text forms.
 */
export const textForm = (type: string, comparedAs = comparedTypeOf(type)): AttributeBuilder<string> =>
  new AttributeBuilder<string>({ kind: 'datatype', datatype: 'string', columnType: type, comparedAs });

/** What a JSON attribute accepts. */
export interface JsonOptions {
  /** JSON Schema (draft-07) that written values must fit. */
  readonly schema?: JsonSchema;
}

/** Any JSON value up to 100 levels deep, read and replaced as a whole, filtered by paths into it. Null is no value. */
export const json = ({ schema }: JsonOptions = {}): AttributeBuilder<JsonValue> =>
  new AttributeBuilder<JsonValue>({
    kind: 'datatype',
    datatype: 'json',
    ...(schema === undefined ? {} : { jsonSchema: schema }),
  });

/** A constant of an enum. */
export const enumOf = <N extends string>(enumeration: EnumDefinition<N>): AttributeBuilder<N> =>
  new AttributeBuilder<N>({ kind: 'enum', enumName: enumeration.name });

/** The attributes of an embeddable, kept in the owner's row. */
export const embedded = (target: string): AttributeBuilder<Readonly<Record<string, unknown>>> =>
  new AttributeBuilder({ kind: 'embedded', target });

/** N:1 association; 1:1 if it is `unique()`. The foreign key is here. */
export const toOne = (target: string): AttributeBuilder<Ref> =>
  new AttributeBuilder<Ref>({ kind: 'reference', target, cardinality: 'MANY_TO_ONE', owning: true });

/** The other end of a 1:1 reference; `inverse` is the attribute of the target that has the foreign key. */
export const toOneInverse = (target: string, inverse: string): AttributeBuilder<Ref> =>
  new AttributeBuilder<Ref>({ kind: 'reference', target, cardinality: 'ONE_TO_ONE', owning: false, inverse });

/** 1:N association; the foreign key is the attribute `inverse` of the target. */
export const toMany = (target: string, inverse: string): AttributeBuilder<readonly Ref[]> =>
  new AttributeBuilder<readonly Ref[]>({
    kind: 'reference',
    target,
    cardinality: 'ONE_TO_MANY',
    owning: false,
    inverse,
  });

/** M:N association whose link table is here. */
export const manyToMany = (target: string): AttributeBuilder<readonly Ref[]> =>
  new AttributeBuilder<readonly Ref[]>({
    kind: 'reference',
    target,
    cardinality: 'MANY_TO_MANY',
    owning: true,
  });

/** The other end of a M:N association; `inverse` is the attribute of the target that has the link table. */
export const manyToManyInverse = (target: string, inverse: string): AttributeBuilder<readonly Ref[]> =>
  new AttributeBuilder<readonly Ref[]>({
    kind: 'reference',
    target,
    cardinality: 'MANY_TO_MANY',
    owning: false,
    inverse,
  });

/** 1:N composition: the children are created and deleted with this instance. */
export const compositionOfMany = (target: string, inverse: string): AttributeBuilder<readonly Ref[]> =>
  new AttributeBuilder<readonly Ref[]>({
    kind: 'reference',
    target,
    cardinality: 'ONE_TO_MANY',
    owning: false,
    composition: true,
    inverse,
    onDelete: 'CASCADE',
  });

/** 1:1 composition; the foreign key is here. */
export const compositionOfOne = (target: string): AttributeBuilder<Ref> =>
  new AttributeBuilder<Ref>({
    kind: 'reference',
    target,
    cardinality: 'ONE_TO_ONE',
    owning: true,
    composition: true,
    onDelete: 'CASCADE',
  });

/**
 * An ordered collection of texts in a table of its own: `elements(50)`.
 *
 * @param length the maximum length of a text
 */
export function elements(length?: number): AttributeBuilder<readonly string[]>;
/**
 * An ordered collection of values of a datatype in a table of its own: `elements(localDate())`.
 *
 * @param element the datatype
 */
export function elements<T>(element: AttributeBuilder<T>): AttributeBuilder<readonly T[]>;
export function elements(element?: number | AttributeBuilder<unknown>): AttributeBuilder<readonly unknown[]> {
  const value = typeof element === 'object' ? element : string(element);
  const { kind, datatype, columnType } = value.definition;
  const isSingle = kind === 'datatype' && datatype !== 'json' && columnType === undefined;
  return new AttributeBuilder<readonly unknown[]>({
    kind: 'elements',
    ...elementOf(value),
    // No type of an array: the model is refused.
    ...(isSingle ? {} : { columnType: '[]' }),
  });
}

/** What a collection has of the datatype of its values. */
function elementOf({ definition }: AttributeBuilder<unknown>): Pick<AttributeDefinition, 'datatype'> {
  const { datatype = 'string', length, precision, scale, comparedAs, microseconds, unbounded } = definition;
  return {
    datatype,
    ...(length === undefined ? {} : { length }),
    ...(precision === undefined ? {} : { precision }),
    ...(scale === undefined ? {} : { scale }),
    ...(comparedAs === undefined ? {} : { comparedAs }),
    ...(microseconds === undefined ? {} : { microseconds }),
    ...(unbounded === undefined ? {} : { unbounded }),
  };
}

/**
 * An ordered collection in an array column of the row: of values of a datatype or of text forms, of one dimension. A
 * column without a value is an empty collection. Otherwise like `elements`.
 *
 * @param element a datatype, with the type of the elements if that is not its own: `arrayOf(text().storedAs('…'))`
 */
export function arrayOf<T>(element: AttributeBuilder<T>): AttributeBuilder<readonly T[]> {
  const { kind, datatype = 'string', length, precision, scale, columnType } = element.definition;
  const isSingle = kind === 'datatype' && datatype !== 'json';
  const type = columnType ?? elementTypeOf({ datatype, length, precision, scale });
  return new AttributeBuilder<readonly T[]>({
    kind: 'elements',
    ...elementOf(element),
    columnType: isSingle ? `${type}[]` : '[]',
  });
}
