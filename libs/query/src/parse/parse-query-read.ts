import type { SelectQuery } from '../ast/select-query.ts';
import { ExactNumber, type ExactObject } from '../json/exact-json.ts';
import { assertLimit, type QueryLimits } from '../limits/query-limits.ts';
import { parseArguments } from './parse-arguments.ts';
import { type ParseOptions, parseRead } from './parse-read.ts';
import { brandParsed, type ParsedQuery, type QueryArgument, type QueryParameter } from './parsed-query.ts';

/** A predefined query, as far as reading it matters. */
export interface QueryToRead {
  readonly entity: string;
  /** Equal for equal texts only. */
  readonly key: string;
  readonly query: SelectQuery;
  readonly parameters: readonly QueryParameter[];
  /** Defaults of the request. */
  readonly fetchPlan: string | undefined;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/**
 * First stage of a predefined query: the syntax of its control parameters, and the values of its own.
 *
 * @param controls `fetchPlan`, `limit`, `offset`, `returnNulls`, `returnCount`, `dynamicAttributes`, from the URL
 * @param given the source of the query's parameters
 * @throws PlatformError (400) naming the parameter; REQ_COST_EXCEEDED
 */
export function parseQueryRead(
  query: QueryToRead,
  operation: 'list' | 'count',
  controls: ExactObject,
  given: ExactObject,
  options: ParseOptions,
  limits: QueryLimits,
): ParsedQuery {
  const members = operation === 'count' ? {} : { ...defaultsOf(query), ...controls };
  const base = parseRead({ operation, entityName: query.entity, members }, options, limits);
  const values = parseArguments(query.parameters, given, limits, options.dateTimeOffset);
  return brandParsed({
    ...base,
    select: { query: query.query, parameters: query.parameters, ...values },
    shapeKey: JSON.stringify([query.key, base.shapeKey]),
  });
}

/**
 * The same for a query whose values are known: of a data set, which has no request of its own.
 *
 * @param values in the order of the query's parameters; of an open one the text
 */
export function parseSelectRead(
  query: QueryToRead,
  values: readonly QueryArgument[],
  controls: ExactObject,
  options: ParseOptions,
  limits: QueryLimits,
): ParsedQuery {
  const base = parseRead({ operation: 'list', entityName: query.entity, members: controls }, options, limits);
  const listValues = query.parameters.reduce((sum, { isList }, at) => {
    const list = values[at];
    return isList && Array.isArray(list) ? sum + list.length : sum;
  }, 0);
  assertLimit(limits, 'listValues', listValues);
  return brandParsed({
    ...base,
    select: { query: query.query, parameters: query.parameters, arguments: values, ignored: [] },
    shapeKey: JSON.stringify([query.key, base.shapeKey]),
  });
}

const defaultsOf = ({ fetchPlan, limit, offset }: QueryToRead): ExactObject => ({
  ...(fetchPlan === undefined ? {} : { fetchPlan }),
  ...(limit === undefined ? {} : { limit: new ExactNumber(String(limit)) }),
  ...(offset === undefined ? {} : { offset: new ExactNumber(String(offset)) }),
});
