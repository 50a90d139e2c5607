import type { DatasetValue, QueryDatasetRequest } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Datatype, Model } from '@lintel/metadata';
import {
  type DataSetText,
  DataSetTextError,
  type LiteralType,
  parseDataSetText,
  parseText,
  placeholdersOf,
  type QueryArgument,
  type SqlValue,
  typeNameOf,
} from '@lintel/query';

/** A placeholder in the text of a data set. */
export interface Placeholder {
  readonly name: string;
  /** Undefined if the context determines the type. */
  readonly type: LiteralType | undefined;
  readonly isList: boolean;
  /** The value differs between parents: there is one for each parent. */
  readonly isVarying: boolean;
  /** For an undetermined type the text as it was sent. */
  readonly value: QueryArgument;
  /** As a pattern of LIKE the value is case-insensitive: it was sent with the prefix `(?i)`. */
  readonly isFolded: boolean;
}

const FOLDED = '(?i)';

type Filled = Pick<QueryDatasetRequest, 'values' | 'parents'>;

/**
 * The text of a data set and a value for each of its placeholders.
 *
 * @throws PlatformError REQ_QUERY_FAILED with the error in the text, or with the placeholder without a value
 */
export function readDatasetText(
  source: string,
  { values, parents }: Filled,
  model: Model,
): { readonly text: DataSetText; readonly placeholders: ReadonlyMap<string, Placeholder> } {
  let text: DataSetText;
  try {
    text = parseDataSetText(source);
  } catch (cause) {
    if (cause instanceof DataSetTextError) throw refuse(cause.message, cause);
    throw cause;
  }
  const placeholders = new Map<string, Placeholder>();
  for (const name of placeholdersOf(text)) {
    const field = parents?.fields.findIndex((each) => each.name === name) ?? -1;
    const given = values[name];
    if (field >= 0) placeholders.set(name, varying(name, parents as NonNullable<Filled['parents']>, field, model));
    else if (given !== undefined) placeholders.set(name, single(name, given, model));
    else throw refuse(`There is no parameter or field ${name}`);
  }
  return { text, placeholders };
}

function single(name: string, { type: typeName, value }: DatasetValue, model: Model): Placeholder {
  const type = typeNamed(typeName, model);
  const isList = Array.isArray(value);
  if (typeof value === 'string' && type === undefined && value.startsWith(FOLDED)) {
    const pattern = value.slice(FOLDED.length).toLowerCase();
    return { name, type, isList, isVarying: false, isFolded: true, value: pattern };
  }
  return {
    name,
    type,
    isList,
    isVarying: false,
    isFolded: false,
    value: isList ? value.map((item) => readValue(name, item, type)) : readValue(name, value as string | null, type),
  };
}

function varying(name: string, parents: NonNullable<Filled['parents']>, field: number, model: Model): Placeholder {
  const type = typeNamed(parents.fields[field]?.type, model);
  const value = parents.rows.map((row) => readValue(name, row[field] ?? null, type));
  return { name, type, isList: false, isVarying: true, isFolded: false, value };
}

function typeNamed(name: string | undefined, model: Model): LiteralType | undefined {
  if (name === undefined) return undefined;
  const enumeration = model.enums.get(name);
  return enumeration === undefined ? { kind: 'datatype', datatype: name as Datatype } : { kind: 'enum', enumeration };
}

function readValue(name: string, text: string | null, type: LiteralType | undefined): SqlValue {
  if (text === null || type === undefined) return text;
  const parsed = parseText(type, text);
  if (parsed === undefined) throw refuse(`${name}: '${text}' is no ${typeNameOf(type)}`);
  return parsed.value;
}

export const refuse = (details: string, cause?: unknown): PlatformError =>
  new PlatformError('REQ_QUERY_FAILED', details, { cause });
