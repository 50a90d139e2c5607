import type { IgnoredPart } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { type ExactJson, parseExactJson } from '../json/exact-json.ts';
import { assertLimit, type QueryLimits } from '../limits/query-limits.ts';
import type { TimeReading } from '../literals/stored-time.ts';
import { parseFetchPlan } from './parse-fetch-plan.ts';
import { beginReading, type FilterOptions, readFilter } from './parse-filter.ts';
import {
  parseCount,
  parseCursor,
  parseDeleted,
  parseFlag,
  parseHighlights,
  parseSearch,
  parseSort,
} from './parse-parameters.ts';
import { withSearch, withSelections } from './parse-selections.ts';
import { brandParsed, type ParsedQuery, type RawReadRequest } from './parsed-query.ts';
import { unknownMembers } from './unknown-members.ts';

export interface ParseOptions extends FilterOptions {
  /** `svc.rest.inline-fetch-plan-enabled`. */
  readonly inlineFetchPlansEnabled: boolean;
  /** `svc.rest.date-time-offset`; absent is `ignore`. */
  readonly dateTimeOffset?: TimeReading['offsets'];
}

/**
 * First stage: checks the syntax of everything that was sent; looks nothing up.
 *
 * @param limits of the request, here and in the stages that follow
 * @throws PlatformError (4xx) naming the parameter, or wording the filter's error as contract/filters.md#checks does
 */
export function parseRead(request: RawReadRequest, options: ParseOptions, limits: QueryLimits): ParsedQuery {
  const { operation, entityName, members } = request;
  const sentPlan = parseFetchPlan(members['fetchPlan'], options.inlineFetchPlansEnabled);
  const filter = filterOf(request);
  const inputs: ExactJson[] = [];
  const reading = beginReading(inputs, limits, options);
  const filtered = filter === undefined ? undefined : readFilter(filter, reading);
  const search = parseSearch(members, inputs);
  const condition = search === undefined ? filtered : withSearch(search, filtered);
  const fetchPlan = withSelections(sentPlan, reading);
  const sort = parseSort(members);
  assertLimit(limits, 'conditions', sort.length, 'keys of the sort');
  const limit = parseCount(members, 'limit');
  const highlights = parseHighlights(members, search, limit);
  const offset = parseCount(members, 'offset');
  const cursor = parseCursor(members);
  const returnNulls = parseFlag(members, 'returnNulls');
  const returnCount = parseFlag(members, 'returnCount');
  const dynamicAttributes = parseFlag(members, 'dynamicAttributes');
  const deleted = parseDeleted(members);
  const isLimited = limit !== undefined;
  const isPaged = isLimited || offset !== undefined || cursor !== undefined;
  return brandParsed({
    operation,
    entityName,
    id: request.id,
    fetchPlan,
    filter: condition,
    inputs,
    times: inputs.length === 0 ? NO_TIMES : timesOf(request, options),
    sort,
    search,
    highlights,
    select: undefined,
    limit,
    offset,
    cursor,
    returnNulls,
    returnCount,
    dynamicAttributes,
    deleted,
    limits,
    unknown: unknownMembers(filter, sentPlan),
    shapeKey: JSON.stringify([
      ...[operation, entityName, fetchPlan, condition, sort],
      ...[isPaged, isLimited, returnNulls, dynamicAttributes, deleted, highlights],
    ]),
  });
}

const NO_TIMES: TimeReading = Object.freeze({});

/** Values of conditions of any depth are named alike, and once. */
export function timesOf(
  { noteUnknown }: Pick<RawReadRequest, 'noteUnknown'>,
  { dateTimeOffset: offsets }: ParseOptions,
): TimeReading {
  if (noteUnknown === undefined) return { offsets };
  const noted = new Set<string>();
  const note = (part: IgnoredPart): void => {
    if (!noted.has(part)) noteUnknown([{ inside: 'filter.conditions', name: 'value', known: [], part }]);
    noted.add(part);
  };
  return { offsets, note };
}

/** A filter in a URL is JSON text; in a body it is an object. */
function filterOf({ members, filterRequired }: RawReadRequest): ExactJson | undefined {
  const filter = members['filter'];
  if (filter === undefined || filter === '') {
    if (filterRequired) throw new PlatformError('REQ_INVALID_FILTER', 'Entities filter cannot be null');
    return undefined;
  }
  return typeof filter === 'string' ? parseExactJson(filter, 'The filter', 'REQ_INVALID_FILTER') : filter;
}
