import type { Filter } from '../filters/filter.ts';
import { parseFilter } from '../filters/parse-filter.ts';
import { attributeName } from '../protocol/schema-uris.ts';
import { badRequest } from '../protocol/scim-failure.ts';

/** Which attributes a response has (RFC 7644 §3.9). Names in small letters. */
export interface Projection {
  readonly attributes: ReadonlySet<string> | undefined;
  readonly excluded: ReadonlySet<string>;
}

/** The parameters of a list, within their limits. */
export interface ListRequest {
  readonly filter: Filter | undefined;
  /** The number of the first resource, from 1. */
  readonly startIndex: number;
  readonly count: number;
  readonly sortBy: string | undefined;
  readonly isDescending: boolean;
  readonly projection: Projection;
}

/** One page of a list. */
export interface Page<T> {
  readonly total: number;
  readonly items: readonly T[];
}

/** Operations on users, or on groups. All of them throw ScimFailure. */
export interface ScimResources<T> {
  list(request: ListRequest): Promise<Page<T>>;
  find(id: string, projection: Projection): Promise<T>;
  create(body: unknown): Promise<T>;
  /** A group that was replaced or patched is returned without its members. */
  replace(id: string, body: unknown, ifMatch: string | undefined): Promise<T>;
  patch(id: string, body: unknown, ifMatch: string | undefined): Promise<T>;
  remove(id: string, ifMatch: string | undefined): Promise<void>;
}

type Query = Readonly<Record<string, unknown>>;

const MAX_NAMES = 100;
const MAX_INDEX = 2_147_483_647;

/** @throws ScimFailure that names the parameter */
export function readListRequest(query: Query, maxResults: number): ListRequest {
  const filter = parameterOf(query, 'filter');
  const sortBy = parameterOf(query, 'sortBy');
  const sortOrder = parameterOf(query, 'sortOrder')?.toLowerCase() ?? 'ascending';
  if (sortOrder !== 'ascending' && sortOrder !== 'descending')
    throw badRequest('invalidValue', 'sortOrder: expected ascending or descending');
  return {
    filter: filter === undefined ? undefined : parseFilter(filter),
    // Lower values count as the limits (RFC 7644 §3.4.2.4).
    startIndex: Math.max(1, integerOf(query, 'startIndex') ?? 1),
    count: Math.min(maxResults, Math.max(0, integerOf(query, 'count') ?? maxResults)),
    sortBy: sortBy === undefined ? undefined : attributeName(sortBy),
    isDescending: sortOrder === 'descending',
    projection: readProjection(query),
  };
}

export function readProjection(query: Query): Projection {
  const attributes = namesOf(query, 'attributes');
  return {
    attributes: attributes === undefined ? undefined : new Set(attributes),
    excluded: new Set(namesOf(query, 'excludedAttributes')),
  };
}

/** Whether a response may have the attribute, or one below it. */
export function includes({ attributes, excluded }: Projection, name: string): boolean {
  if (excluded.has(name)) return false;
  return attributes === undefined || [...attributes].some((each) => each === name || each.startsWith(`${name}.`));
}

function parameterOf(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw badRequest('invalidValue', `${name}: the parameter is there twice`);
  return value;
}

function integerOf(query: Query, name: string): number | undefined {
  const text = parameterOf(query, name);
  if (text === undefined) return undefined;
  if (!/^-?\d{1,10}$/.test(text) || Math.abs(Number(text)) > MAX_INDEX)
    throw badRequest('invalidValue', `${name}: expected an integer`);
  return Number(text);
}

function namesOf(query: Query, name: string): readonly string[] | undefined {
  const text = parameterOf(query, name);
  if (text === undefined) return undefined;
  const names = text.split(',').map((each) => attributeName(each.trim()));
  if (names.length > MAX_NAMES) throw badRequest('invalidValue', `${name}: expected at most ${MAX_NAMES} names`);
  return names;
}
