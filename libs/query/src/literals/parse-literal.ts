import { familyOf } from '@lintel/metadata';
import { type ExactJson, ExactNumber } from '../json/exact-json.ts';
import { integerText } from './integer-text.ts';
import { jsonText } from './json-text.ts';
import type { LiteralType } from './literal-type.ts';
import { type Parsed, parseText } from './parse-text.ts';
import { storedTime, type TimeReading } from './stored-time.ts';

/**
 * Reads one JSON value of a body as a statement parameter, strictly (contract/decisions.md#49): a number or a
 * boolean is no text, a fraction no integer, while the number `7.0` is one; numeric texts are accepted for numbers,
 * `true` and `false` in any case for booleans. `null` is the caller's business.
 *
 * @returns nothing when the value is not one of the type
 */
export function parseLiteral(type: LiteralType, value: ExactJson): Parsed {
  if (isJson(type)) return parsedJson(value);
  if (typeof value === 'string') return parseText(type, value);
  if (type.kind === 'enum') return undefined;
  const family = familyOf(type.datatype);
  if (value instanceof ExactNumber) {
    const isNumeric = family === 'integer' || family === 'floating' || family === 'decimal';
    const text = isInteger(type) ? integerText(value.text) : value.text;
    return isNumeric && text !== undefined ? parseText(type, text) : undefined;
  }
  if (typeof value === 'boolean') return family === 'boolean' ? { value } : undefined;
  return undefined;
}

/**
 * Reads a filter value: any JSON scalar counts by its text (contract/filters.md#values), for integers also one such as
 * `1.0` and `1e3`.
 *
 * @param times how a time is made one that is stored; without it, of the application, it is compared as it is
 * @returns nothing when the value is no scalar or its text is not one of the type
 */
export function parseFilterValue(type: LiteralType, value: ExactJson, times?: TimeReading): Parsed {
  const isNumber = value instanceof ExactNumber || typeof value === 'string';
  if (!isNumber || !isInteger(type)) {
    const parsed = parseScalar(type, value);
    return times === undefined ? parsed : storedTime(type, parsed, times);
  }
  const text = integerText(String(value));
  return text === undefined ? undefined : parseText(type, text);
}

/**
 * Reads an id: any JSON scalar counts by its text.
 *
 * @returns nothing when the value is no scalar or its text is not one of the type
 */
export function parseScalar(type: LiteralType, value: ExactJson): Parsed {
  if (isJson(type)) return typeof value === 'object' && !(value instanceof ExactNumber) ? undefined : parsedJson(value);
  if (typeof value === 'string') return parseText(type, value);
  if (value instanceof ExactNumber || typeof value === 'boolean') return parseText(type, String(value));
  return undefined;
}

const isInteger = (type: LiteralType): boolean =>
  type.kind === 'datatype' && (familyOf(type.datatype) === 'integer' || type.datatype === 'bigInteger');

const isJson = (type: LiteralType): boolean => type.kind === 'datatype' && type.datatype === 'json';

/** A JSON value is compared and stored as the JSON that it is. */
function parsedJson(value: ExactJson): Parsed {
  const text = jsonText(value);
  return text === undefined ? undefined : { value: text };
}
