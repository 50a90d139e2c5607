import { type Datatype, enumValueByName, type StoredBooleans } from '@lintel/metadata';
import { readExactJson } from '../json/exact-json.ts';
import type { Scalar } from './canonical-scalar.ts';
import { jsonText } from './json-text.ts';
import type { LiteralType } from './literal-type.ts';
import { normalText, withoutPadding } from './normal-text.ts';

/** The canonical value of a column read through `columnExpression`. */
export function fromColumn(type: LiteralType, raw: unknown): Scalar {
  if (raw === null || raw === undefined) return null;
  if (type.kind === 'enum') {
    const id = type.enumeration.idType === 'int' ? Number(raw) : withoutPadding(String(raw));
    return type.enumeration.values.find((value) => value.id === id)?.name ?? null;
  }
  switch (type.datatype) {
    case 'boolean':
      return type.storedValues === undefined ? (raw as boolean) : storedBoolean(type.storedValues, String(raw));
    case 'short':
    case 'int':
    case 'float':
    case 'double':
      return Number(raw);
    case 'json':
      return storedJson(String(raw));
    case 'byteArray':
      return String(raw).replaceAll('\n', '');
    case 'offsetTime':
      return String(raw).replace(/([+-]\d{2})$/, '$1:00');
    default:
      return normalText(type, String(raw));
  }
}

/** What stands for neither is no value, as in SQL. */
const storedBoolean = ({ true: yes, false: no }: StoredBooleans, raw: string): boolean | null => {
  const text = withoutPadding(raw);
  return text === String(yes) ? true : text === String(no) ? false : null;
};

/** In the order of the names, like sent values; what no client could send is as it is stored. JSON null is no value. */
function storedJson(text: string): Scalar {
  const value = readExactJson(text);
  return value === null ? null : (jsonText(value) ?? text);
}

/** The statement parameter of a canonical value. */
export function toParameter(type: LiteralType, value: Scalar): string | number | boolean | null {
  if (value === null) return null;
  if (type.kind === 'enum') return enumValueByName(type.enumeration, String(value))?.id ?? null;
  if (type.datatype === 'byteArray') return `\\x${Buffer.from(String(value), 'base64').toString('hex')}`;
  if (type.storedValues !== undefined) return type.storedValues[value === true ? 'true' : 'false'];
  return value;
}

const DECIMALS: ReadonlySet<Datatype> = new Set<Datatype>(['decimal', 'bigInteger', 'long']);

/** Whether values are exact decimal texts, equal when their numbers are. */
export const isDecimalType = (type: LiteralType): boolean => type.kind === 'datatype' && DECIMALS.has(type.datatype);

/** The statement parameter of an array: its text, which every statement can send, alone and among others. */
export const arrayParameter = (type: LiteralType, values: readonly Scalar[]): string =>
  `{${values.map((value) => arrayItem(toParameter(type, value))).join(',')}}`;

const arrayItem = (value: string | number | boolean | null): string =>
  value === null ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`;
