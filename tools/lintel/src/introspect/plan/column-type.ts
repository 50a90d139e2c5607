import { comparedTypeOf, isCaseless } from '@lintel/metadata';
import type { FoundColumn } from '@lintel/schema';
import { literal } from './model-plan.ts';

/** A builder for a column, and what its values look like. */
export interface ColumnType {
  /** `string(20)` */
  readonly builder: string;
  /** `.storedAs('…')`, where the column's type is not the builder's own. */
  readonly stored: readonly string[];
  /** How a default is written. */
  readonly kind: 'text' | 'integer' | 'number' | 'exact' | 'boolean' | 'json' | 'list' | 'other';
  /** Whether it may be a part of a key: its values are what the API shows, to the last digit. */
  readonly isKey: boolean;
  /** As a key it has all six digits of the fraction of a second. */
  readonly microseconds?: true;
  /** What is to be known about it. */
  readonly note?: string;
  /** Its values come from triggers or defaults, never from clients. */
  readonly isFilled?: true;
}

type Rule = readonly [
  pattern: RegExp,
  make: (match: RegExpExecArray) => Omit<ColumnType, 'stored' | 'builder'> & {
    readonly builder: string;
    /** The type that the builder's columns have; the column's own without it. */
    readonly own?: string;
  },
];

/** @param isKey whether the API shows the values of the column to the last digit */
const temporal = (
  builder: string,
  own: string,
  isKey: boolean,
): Omit<ColumnType, 'stored'> & { readonly own: string } => ({ builder, own, kind: 'other', isKey });

const dateTime = (
  builder: string,
  own: string,
  precision: string | undefined,
): Omit<ColumnType, 'stored'> & { readonly own: string } => {
  const isMilliseconds = precision !== undefined && precision <= '(3)';
  return { ...temporal(builder, own, true), ...(isMilliseconds ? {} : { microseconds: true }) };
};

const RULES: readonly Rule[] = [
  [/^character varying\((\d+)\)$/, ([, length]) => ({ builder: `string(${length})`, kind: 'text', isKey: true })],
  [
    /^character\((\d+)\)$/,
    ([, length]) => ({
      builder: `string(${length})`,
      own: '',
      kind: 'text',
      isKey: true,
      note: 'is filled with blanks to its length by the database',
    }),
  ],
  [/^character varying$/, () => ({ builder: 'text()', own: 'text', kind: 'text', isKey: true })],
  [/^text$/, () => ({ builder: 'text()', kind: 'text', isKey: true })],
  [/^boolean$/, () => ({ builder: 'boolean()', kind: 'boolean', isKey: true })],
  [/^smallint$/, () => ({ builder: 'short()', kind: 'integer', isKey: true })],
  [/^integer$/, () => ({ builder: 'integer()', kind: 'integer', isKey: true })],
  [/^bigint$/, () => ({ builder: 'long()', kind: 'exact', isKey: true })],
  [/^real$/, () => ({ builder: 'float()', kind: 'number', isKey: false })],
  [/^double precision$/, () => ({ builder: 'double()', kind: 'number', isKey: false })],
  [
    /^numeric\((\d+),(\d+)\)$/,
    ([, precision, scale]) => ({
      builder: `decimal(${precision}, ${scale})`,
      kind: 'exact',
      isKey: true,
    }),
  ],
  [
    /^numeric$/,
    () => ({
      builder: 'decimal(38, 10)',
      own: 'numeric(38,10)',
      kind: 'exact',
      isKey: false,
      note: 'has no limit of digits; the model takes 38, 10 of them after the point: choose others where they are too few',
    }),
  ],
  [/^money$/, () => ({ builder: 'decimal(19, 2)', own: 'numeric(19,2)', kind: 'exact', isKey: false })],
  [/^oid$/, () => ({ builder: 'long()', own: 'bigint', kind: 'exact', isKey: false })],
  [/^uuid$/, () => ({ builder: 'uuid()', kind: 'other', isKey: true })],
  [/^date$/, () => ({ builder: 'localDate()', kind: 'text', isKey: true })],
  [
    /^timestamp(\(\d\))? without time zone$/,
    ([, precision]) => dateTime('localDateTime()', 'timestamp(3) without time zone', precision),
  ],
  [
    /^timestamp(\(\d\))? with time zone$/,
    ([, precision]) => dateTime('offsetDateTime()', 'timestamp(3) with time zone', precision),
  ],
  [
    /^time(\(\d\))? without time zone$/,
    ([, precision]) => temporal('localTime()', 'time(0) without time zone', precision === '(0)'),
  ],
  [/^time(\(\d\))? with time zone$/, () => temporal('offsetTime()', 'time(0) with time zone', false)],
  [/^jsonb?$/, () => ({ builder: 'json()', own: 'jsonb', kind: 'json', isKey: false })],
  [/^bytea$/, () => ({ builder: 'byteArray()', kind: 'other', isKey: false })],
];

/** The builder of a column; undefined where the model has no such values. */
export function columnTypeOf(column: FoundColumn): ColumnType | undefined {
  const { type, baseType, typeKind } = column;
  for (const [pattern, make] of RULES) {
    const match = pattern.exec(baseType);
    if (match === null) continue;
    const { own = baseType, ...rest } = make(match);
    const stored = own === type ? [] : [`.storedAs(${literal(type)})`];
    if (typeKind !== 'd') return { ...rest, stored };
    const isPadded = baseType.startsWith('character(');
    return {
      ...rest,
      stored: isPadded ? [`.storedAs(${literal(type)}, ${literal(baseType)})`] : stored,
      isKey: false,
      note: domainNote(type),
    };
  }
  // The model has no digits before the point alone.
  if (/^numeric\(\d+,-/.test(baseType)) return undefined;
  return column.array === undefined || column.array === null ? textFormOf(column) : arrayTypeOf(column.array);
}

/** Arrays of several dimensions have a text form; the model has none of JSON values or of composite types. */
function arrayTypeOf({ dimensions, ...element }: NonNullable<FoundColumn['array']>): ColumnType | undefined {
  if (dimensions > 1) {
    if (!/^[be]$/.test(element.typeKind) || /^(jsonb?|xml)$/.test(element.type)) return undefined;
    const builder = `textForm(${literal(element.type + '[]'.repeat(dimensions))})`;
    return { builder, stored: [], kind: 'text', isKey: false };
  }
  const isEnum = element.typeKind === 'e';
  const type = isEnum
    ? { builder: 'text()', stored: [`.storedAs(${literal(element.type)})`], note: enumNote(element.type) }
    : (/^(money|oid)$/.test(element.baseType) ? textFormOf : columnTypeOf)({ ...NO_COLUMN, ...element });
  if (type === undefined || type.builder === 'json()') return undefined;
  const builder = `arrayOf(${type.builder}${type.stored.join('')})`;
  return { builder, stored: [], kind: 'list', isKey: false, ...(type.note === undefined ? {} : { note: type.note }) };
}

const enumNote = (type: string): string => `has elements of the enum ${type}, whose labels only the database knows`;

/** The parts of a column that say nothing about its type. */
const NO_COLUMN: FoundColumn = Object.freeze({
  name: '',
  type: '',
  baseType: '',
  typeKind: 'b',
  labels: null,
  nullable: true,
  default: null,
  numbered: false,
  computed: false,
  comment: null,
});

const domainNote = (type: string): string => `is of the domain ${type}, whose rules only the database knows`;

/** Base types, domains, ranges and multiranges (`pg_type.typtype`); composite types have no text form. */
const TEXT_FORM_KINDS: ReadonlySet<string> = new Set(['b', 'd', 'r', 'm']);

function textFormOf({ type, baseType, typeKind }: FoundColumn): ColumnType | undefined {
  if (!TEXT_FORM_KINDS.has(typeKind) || baseType.endsWith(']')) return undefined;
  const compared = typeKind === 'r' ? type : comparedTypeOf(baseType);
  const more = compared === comparedTypeOf(type) ? '' : `, ${literal(compared)}`;
  return {
    builder: `textForm(${literal(type)}${more})`,
    stored: [],
    kind: 'text',
    isKey: typeKind === 'b' && isCaseless(type),
    ...(typeKind === 'd' ? { note: domainNote(type) } : {}),
    ...(baseType === 'tsvector' ? { isFilled: true } : {}),
  };
}

/** The value of a default that is a constant, as TypeScript; `null` for none, undefined for an expression. */
export function defaultOf(column: FoundColumn, kind: ColumnType['kind']): string | null | undefined {
  if (column.default === null || /^NULL(::|$)/.test(column.default)) return null;
  const [, quoted, plain] =
    /^(?:'((?:[^']|'')*)'(?:::[\w ."()[\]]+)?|\(?(-?[\d.]+|true|false)\)?(?:::[\w ]+)?)$/.exec(column.default) ?? [];
  const text = quoted?.replaceAll("''", "'") ?? plain;
  if (text === undefined) return undefined;
  switch (kind) {
    case 'text':
      return literal(text);
    case 'exact':
      return /^-?\d+(\.\d+)?$/.test(text) ? literal(text) : undefined;
    case 'integer':
      return /^-?\d+$/.test(text) ? String(Number(text)) : undefined;
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? String(Number(text)) : undefined;
    case 'boolean':
      return text === 'true' || text === 'false' ? text : undefined;
    case 'list':
      return text === '{}' ? null : undefined;
    case 'json':
      return isJson(text) ? text : undefined;
    case 'other':
      return undefined;
    default:
      return kind satisfies never;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The database alone gives its value: computed, numbered, or kept by triggers. Not of a key, which has a generation. */
export const isGenerated = (column: FoundColumn): boolean =>
  column.computed || column.numbered || columnTypeOf(column)?.isFilled === true;
