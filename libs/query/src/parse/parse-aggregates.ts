import { PlatformError, shortened } from '@lintel/errors';
import type { Condition } from '../ast/condition.ts';
import { type ExactJson, ExactNumber, type ExactObject, isExactObject, parseExactJson } from '../json/exact-json.ts';
import type { QueryLimits } from '../limits/query-limits.ts';
import { zoneNamed } from '../literals/time-zone.ts';
import { parseFilter } from './parse-filter.ts';
import { type ParseOptions, parseRead, timesOf } from './parse-read.ts';
import { brandParsed, type ParsedQuery, type ParsedSortKey, type RawReadRequest } from './parsed-query.ts';
import { unknownMembers } from './unknown-members.ts';

export type AggregateFunction = 'count' | 'countDistinct' | 'sum' | 'avg' | 'min' | 'max' | 'percentile';
export type BucketUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** A value that rows with the same one are grouped by. */
export interface ParsedGroup {
  readonly name: string;
  readonly path: string;
  readonly by: BucketUnit | undefined;
  /** Index of the name of the time zone in the values of the request; the zone of the user without it. */
  readonly zone: number | undefined;
  /** Units without rows are groups, too. */
  readonly fill?: true;
  /** The name of a further value: the instance name of a reference, the caption of an enum. */
  readonly captionAs?: string;
}

/** A value of all rows of a group. */
export interface ParsedAggregate {
  readonly name: string;
  readonly function: AggregateFunction;
  readonly path: string;
  /** Index of the fraction of a percentile in the values of the request. */
  readonly at: number | undefined;
}

/** Groups and aggregates that a request asks for. */
export interface ParsedAggregates {
  readonly groups: readonly ParsedGroup[];
  readonly values: readonly ParsedAggregate[];
  readonly having: Condition | undefined;
  /** Names of the response. */
  readonly sort: readonly ParsedSortKey[];
  /** The index of the first value of `having` in the values of the request. */
  readonly firstInput: number;
}

/** The members of a request. */
export const AGGREGATE_MEMBERS: readonly string[] = Object.freeze([
  ...['groupBy', 'aggregates', 'filter', 'q', 'having', 'sort', 'limit', 'offset', 'cursor', 'returnCount'],
]);

const FUNCTIONS: readonly string[] = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max', 'percentile'];
const UNITS: readonly string[] = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
/** Their values are dates: all dates of a clock exist once. */
const FILLED: readonly string[] = UNITS.slice(UNITS.indexOf('day'));
/** More are no longer a question of a person. */
const MAX_MEMBERS = 50;
/** The database cuts off longer names. */
const NAME = /^[\w.+]{1,63}$/;

const refuse = (details: string): PlatformError => new PlatformError('REQ_INVALID_PARAMETER', details);

/**
 * First stage of a read of aggregates (contract/aggregates.md#request).
 *
 * @throws PlatformError (400) naming the member
 */
export function parseAggregates(
  { members, ...request }: Pick<RawReadRequest, 'entityName' | 'members' | 'noteUnknown'>,
  options: ParseOptions,
  limits: QueryLimits,
): ParsedQuery {
  const { groupBy, aggregates, having, ...others } = members;
  const read = { ...others, fetchPlan: '_local', returnNulls: true };
  const base = parseRead({ ...request, operation: 'list', members: read }, options, limits);
  const inputs = [...base.inputs];
  const names = new Set<string>();
  const groups = listOf(jsonOf(groupBy, 'groupBy')).map((item) => parseGroup(item, inputs, names));
  const values = Object.entries(objectOf(jsonOf(aggregates, 'aggregates'))).map(([name, value]) =>
    parseAggregate(name, value, inputs, names),
  );
  if (names.size === 0) throw refuse("'groupBy' or 'aggregates' must ask for a value");
  if (names.size > MAX_MEMBERS) throw refuse(`'groupBy' and 'aggregates' have at most ${MAX_MEMBERS} members together`);
  const condition = jsonOf(having, 'having');
  const filled = groups.filter(({ fill }) => fill === true);
  if (filled.length > 1) throw refuse("Only one element of 'groupBy' may have 'fill'");
  // A group that does not keep the condition must not come back without its values.
  if (filled.length > 0 && condition !== undefined) throw refuse("'fill' and 'having' exclude each other");
  const parsed = condition === undefined ? undefined : parseFilter(condition, limits, options);
  const asked = { groups, values, having: parsed?.condition, sort: base.sort, firstInput: inputs.length };
  return brandParsed({
    ...base,
    inputs: [...inputs, ...(parsed?.inputs ?? [])],
    times: timesOf(request, options),
    unknown: [...base.unknown, ...unknownMembers(condition, base.fetchPlan, 'having')],
    sort: [],
    aggregates: Object.freeze(asked),
    shapeKey: JSON.stringify(['aggregates', base.shapeKey, asked]),
  });
}

/** In a URL a member is JSON text. */
function jsonOf(value: ExactJson | undefined, name: string): ExactJson | undefined {
  if (typeof value !== 'string') return value;
  return value === '' ? undefined : parseExactJson(value, `Parameter '${name}'`, 'REQ_INVALID_PARAMETER');
}

function listOf(value: ExactJson | undefined): readonly ExactJson[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw refuse("'groupBy' must be a JSON array");
  return value;
}

function objectOf(value: ExactJson | undefined): ExactObject {
  if (value === undefined) return {};
  if (!isExactObject(value)) throw refuse("'aggregates' must be a JSON object");
  return value;
}

/** Names of a response are different. */
function named(name: string, names: Set<string>): string {
  if (!NAME.test(name))
    throw refuse(`${shortened(name)} is no name of a value: expected up to 63 letters, digits, _, . or +`);
  if (names.has(name)) throw refuse(`${name} names two values`);
  names.add(name);
  return name;
}

function onlyMembers(value: ExactObject, known: readonly string[], where: string): void {
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined) throw refuse(`${where} has no member ${shortened(other)}: expected ${known.join(', ')}`);
}

function parseGroup(item: ExactJson, inputs: ExactJson[], names: Set<string>): ParsedGroup {
  if (typeof item === 'string') return { name: named(item, names), path: item, by: undefined, zone: undefined };
  if (!isExactObject(item)) throw refuse("An element of 'groupBy' is a path or an object");
  onlyMembers(item, ['attribute', 'by', 'timeZone', 'as', 'captionAs', 'fill'], "An element of 'groupBy'");
  const { attribute: path, by, timeZone, as: name = path, captionAs, fill = false } = item;
  if (typeof path !== 'string' || typeof name !== 'string')
    throw refuse("'attribute' and 'as' of 'groupBy' must be texts");
  if (by !== undefined && !UNITS.includes(by as string))
    throw refuse(`'by' of ${shortened(path)} must be one of ${UNITS.join(', ')}`);
  const zone = timeZone === undefined ? undefined : zoneNamed(timeZone);
  if (timeZone !== undefined && (zone === undefined || by === undefined))
    throw refuse(`'timeZone' of ${shortened(path)} must be the name of a time zone, together with 'by'`);
  if (typeof fill !== 'boolean' || (fill && !FILLED.includes(by as string)))
    throw refuse(`'fill' of ${shortened(path)} must be true or false, together with 'by' ${FILLED.join(', ')}`);
  if (captionAs !== undefined && typeof captionAs !== 'string')
    throw refuse(`'captionAs' of ${shortened(path)} must be a text`);
  const index = zone === undefined ? undefined : inputs.push(zone) - 1;
  const group = { name: named(name, names), path, by: by as BucketUnit | undefined, zone: index };
  const caption = captionAs === undefined ? {} : { captionAs: named(captionAs, names) };
  return { ...group, ...(fill && { fill }), ...caption };
}

function parseAggregate(name: string, value: ExactJson, inputs: ExactJson[], names: Set<string>): ParsedAggregate {
  const where = `The aggregate ${shortened(name)}`;
  const [given, more] = isExactObject(value) ? Object.keys(value).filter((key) => FUNCTIONS.includes(key)) : [];
  if (!isExactObject(value) || given === undefined || more !== undefined)
    throw refuse(`${where} must be an object with one of ${FUNCTIONS.join(', ')}`);
  const isPercentile = given === 'percentile';
  onlyMembers(value, isPercentile ? [given, 'at'] : [given], where);
  const path = value[given];
  if (typeof path !== 'string') throw refuse(`${where} must name the path of an attribute`);
  const at = isPercentile ? inputs.push(fractionOf(value['at'], where)) - 1 : undefined;
  return { name: named(name, names), function: given as AggregateFunction, path, at };
}

function fractionOf(at: ExactJson | undefined, where: string): ExactNumber {
  const fraction = at instanceof ExactNumber ? Number(at.text) : Number.NaN;
  if (!(at instanceof ExactNumber) || !(fraction >= 0 && fraction <= 1))
    throw refuse(`${where} needs 'at', from 0 to 1`);
  // The database rounds the product with the number of values up: 0.07 of 100 would be 8.
  return new ExactNumber(String(fraction * (1 - 2 ** -50)));
}
