import { type IgnoredPart, scanJson } from '@lintel/contracts';
import { PlatformError, shortened } from '@lintel/errors';
import { familyOf } from '@lintel/metadata';
import { type ExactJson, ExactNumber, type ExactObject, readExactJson } from '../json/exact-json.ts';
import { MAX_JSON_DEPTH } from '../json/parse-json-in-steps.ts';
import { assertLimit, type QueryLimits } from '../limits/query-limits.ts';
import { type LiteralType, typeNameOf } from '../literals/literal-type.ts';
import { parseText, type SqlValue } from '../literals/parse-text.ts';
import { storedTime, type TimeReading } from '../literals/stored-time.ts';
import type { ParsedSelect, QueryArgument, QueryParameter, UnknownMember } from './parsed-query.ts';

/**
 * Reads the values of the parameters that a query declares (contract/queries.md#parameters). Single values are read
 * from their text; collections are arrays, or their JSON text. Undeclared parameters are ignored. Times have six digits
 * of the fraction of a second at most, those of the database.
 *
 * @param given URL parameters as texts, or the members of a body
 * @throws PlatformError REQ_QUERY_PARAMETER_NOT_FOUND; REQ_INVALID_PARAMETER naming the parameter;
 *   REQ_COST_EXCEEDED
 */
export function parseArguments(
  parameters: readonly QueryParameter[],
  given: ExactObject,
  limits: QueryLimits,
  offsets?: TimeReading['offsets'],
): Pick<ParsedSelect, 'arguments' | 'ignored'> {
  let listValues = 0;
  const ignored: UnknownMember[] = [];
  const read = (parameter: QueryParameter): QueryArgument => {
    const note = (part: IgnoredPart) => ignored.push({ inside: '', name: parameter.name, known: [], part });
    const times = { offsets, note };
    const value = Object.hasOwn(given, parameter.name) ? given[parameter.name] : undefined;
    if (value === undefined || value === null)
      throw new PlatformError('REQ_QUERY_PARAMETER_NOT_FOUND', `Query parameter ${parameter.name} not found`);
    if (!parameter.isList) return parseOne(parameter, value, times);
    // A text in a body is not counted with the body.
    if (typeof value === 'string' && value.length > 2 * limits.listValues)
      assertLimit(limits, 'listValues', scanJson(value, MAX_JSON_DEPTH).nodes);
    const items = itemsOf(parameter, value);
    listValues += items.length;
    assertLimit(limits, 'listValues', listValues);
    return items.map((item) => parseItem(parameter, item, times));
  };
  return { arguments: parameters.map(read), ignored };
}

const refuse = (name: string, reason: string, cause?: unknown): PlatformError =>
  new PlatformError('REQ_INVALID_PARAMETER', `Invalid parameter value for ${name}: ${reason}`, { cause });

function itemsOf({ name }: QueryParameter, value: ExactJson): readonly ExactJson[] {
  const items = typeof value === 'string' ? arrayOf(name, value) : value;
  if (!Array.isArray(items)) throw refuse(name, 'a JSON array is expected');
  return items;
}

function parseItem(parameter: QueryParameter, item: ExactJson, times: TimeReading): SqlValue {
  if (item === null) throw refuse(parameter.name, 'null is no value of a collection');
  return parseOne(parameter, item, times);
}

function arrayOf(name: string, text: string): ExactJson {
  try {
    return readExactJson(text);
  } catch (cause) {
    throw refuse(name, 'a JSON array is expected', cause);
  }
}

function parseOne({ name, type }: QueryParameter, value: ExactJson, times: TimeReading): SqlValue {
  const text = textOf(value);
  const exact = type.kind === 'datatype' ? ({ ...type, microseconds: true } as const) : type;
  const parsed = storedTime(exact, parseText(type, text), times);
  if (parsed === undefined) throw refuse(name, mistakeOf(type, text));
  return parsed.value;
}

const textOf = (value: ExactJson): string => {
  if (typeof value === 'string') return value;
  return value instanceof ExactNumber ? value.text : JSON.stringify(value);
};

function mistakeOf(type: LiteralType, given: string): string {
  const text = shortened(given);
  const family = type.kind === 'enum' ? undefined : familyOf(type.datatype);
  if (family === 'integer' || family === 'decimal' || family === 'floating') return `Unparseable Number: '${text}'`;
  if (family === 'boolean') return `Unparseable Boolean '${text}'`;
  return `'${text}' is no ${typeNameOf(type)}`;
}
