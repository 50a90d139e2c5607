import { DATATYPES, type Datatype, javaTypeOf, type Model } from '@lintel/metadata';
import type { LiteralType } from './literal-type.ts';

/** Short and primitive names that definitions use besides datatypes and Java classes. */
const OTHER_NAMES: Readonly<Record<string, Datatype>> = {
  byte: 'short',
  'java.lang.Byte': 'short',
  integer: 'int',
  bigdecimal: 'decimal',
  biginteger: 'bigInteger',
  character: 'char',
  'byte[]': 'byteArray',
};

const simpleName = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

const BY_NAME: ReadonlyMap<string, Datatype> = new Map([
  ...DATATYPES.map((datatype) => [javaTypeOf(datatype), datatype] as const),
  ...DATATYPES.map((datatype) => [datatype, datatype] as const),
  ...DATATYPES.map((datatype) => [datatype.toLowerCase(), datatype] as const),
  ...Object.entries(OTHER_NAMES),
]);

/** The type of a parameter, and whether its value is a collection. */
export interface ParameterType {
  readonly type: LiteralType;
  readonly isList: boolean;
}

/**
 * The type that a definition names: a datatype, the Java class of one, or an enum; with `[]` a collection of
 * them (contract/queries.md#parameters).
 *
 * @returns nothing for a name that is none of them
 */
export function parameterTypeNamed(model: Model, name: string): ParameterType | undefined {
  const text = name.trim();
  const isList = text.endsWith('[]') && !BY_NAME.has(text);
  const single = isList ? text.slice(0, -2).trim() : text;
  const enumeration = model.enums.get(single);
  if (enumeration !== undefined) return { type: { kind: 'enum', enumeration }, isList };
  const isShort = !single.includes('.');
  const datatype = BY_NAME.get(single) ?? (isShort ? BY_NAME.get(simpleName(single)) : undefined);
  return datatype === undefined ? undefined : { type: { kind: 'datatype', datatype }, isList };
}
