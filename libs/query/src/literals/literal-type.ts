import {
  type Attribute,
  type Datatype,
  type DatatypeAttribute,
  type Enumeration,
  enumerationOf,
  isCaseless,
  javaTypeOf,
  type Model,
  type StoredBooleans,
} from '@lintel/metadata';

/** The type of a single value of a datatype. */
export interface DatatypeType {
  readonly kind: 'datatype';
  readonly datatype: Datatype;
  /** The PostgreSQL type in which text forms are compared: `DatatypeAttribute.comparedAs`. */
  readonly comparedAs?: string;
  /** Times have six digits of the fraction of a second, not three. */
  readonly microseconds?: true;
  /** Dates and times may be infinite, or of other years than 1 to 9999. */
  readonly unbounded?: true;
  /**
   * Which different texts are equal: those with blanks at the end (`character(n)`); in keys, those that differ in case
   * (`citext`), and those of the same number.
   */
  readonly equality?: 'padded' | 'caseless' | 'numeric';
  /** What the column of a boolean contains. */
  readonly storedValues?: StoredBooleans;
  /** Digits after the point of a number in normal form; without it no needless zeros. */
  readonly scale?: number;
}

/** The type of a single value: a datatype, or an enum. */
export type LiteralType = DatatypeType | { readonly kind: 'enum'; readonly enumeration: Enumeration };

/** The type of an attribute's values; undefined if the attribute has no single values. */
export function literalTypeOf(model: Model, attribute: Attribute): LiteralType | undefined {
  switch (attribute.kind) {
    case 'datatype':
    case 'elements':
      return datatypeOf(attribute);
    case 'enum':
      return { kind: 'enum', enumeration: enumerationOf(model, attribute.enumName) };
    case 'embedded':
    case 'reference':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** The type of the values of an attribute of a datatype, or of those of a collection. */
export const datatypeOf = ({
  datatype,
  comparedAs,
  microseconds,
  unbounded,
  columnType,
  baseType = columnType,
  storedValues,
}: Pick<
  DatatypeAttribute,
  'datatype' | 'comparedAs' | 'microseconds' | 'unbounded' | 'columnType' | 'baseType' | 'storedValues'
>): DatatypeType => ({
  kind: 'datatype',
  datatype,
  ...(comparedAs === undefined ? {} : { comparedAs }),
  ...(microseconds === undefined ? {} : { microseconds }),
  ...(unbounded === undefined ? {} : { unbounded }),
  ...(storedValues === undefined ? {} : { storedValues }),
  ...(storedValues === undefined && baseType !== undefined && /^character\(/.test(baseType)
    ? { equality: 'padded' }
    : {}),
});

/** The type of the values of an attribute that is a key, or a part of one; undefined if it has no single values. */
export function keyTypeOf(model: Model, attribute: Attribute): LiteralType | undefined {
  if (attribute.kind !== 'datatype') return literalTypeOf(model, attribute);
  const type = datatypeOf(attribute);
  if (attribute.datatype === 'decimal') return { ...type, equality: 'numeric', ...scaleOf(attribute) };
  return isCaseless(attribute.columnType) ? { ...type, equality: 'caseless' } : type;
}

function scaleOf({ columnType, precision, scale = 0 }: DatatypeAttribute): { readonly scale?: number } {
  const stored = /,(\d+)\)$/.exec(columnType ?? '')?.[1];
  if (stored !== undefined) return { scale: Number(stored) };
  return columnType === undefined && precision !== undefined ? { scale } : {};
}

/** The name that error texts give a type (contract/filters.md#checks). */
export const typeNameOf = (type: LiteralType): string =>
  type.kind === 'enum' ? type.enumeration.name : javaTypeOf(type.datatype);

/** PostgreSQL type of a statement parameter; wide enough never to round or cut the value. */
export function parameterTypeOf(type: LiteralType): string {
  if (type.kind === 'enum') return type.enumeration.idType === 'int' ? 'integer' : 'text';
  if (type.comparedAs !== undefined) return type.comparedAs;
  if (type.equality === 'padded') return 'bpchar';
  switch (type.datatype) {
    case 'string':
    case 'char':
    case 'fileRef':
    case 'uri':
      return 'text';
    case 'boolean':
      return 'boolean';
    case 'short':
    case 'int':
      return 'integer';
    case 'long':
      return 'bigint';
    case 'float':
      return 'real';
    case 'double':
      return 'double precision';
    case 'decimal':
    case 'bigInteger':
      return 'numeric';
    case 'uuid':
      return 'uuid';
    case 'date':
    case 'localDate':
      return 'date';
    case 'dateTime':
    case 'localDateTime':
      return 'timestamp';
    case 'offsetDateTime':
      return 'timestamptz';
    case 'time':
    case 'localTime':
      return 'time';
    case 'offsetTime':
      return 'timetz';
    case 'byteArray':
      return 'bytea';
    case 'json':
      return 'jsonb';
    default:
      return type.datatype satisfies never;
  }
}
