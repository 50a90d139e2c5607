import type { ApiTypes } from '../model/api-types.ts';
import type { AnyCondition, ConditionGroup } from './condition.ts';
import { type Operators, operators } from './operators.ts';
import { type Path, type Paths, pathsOf, textOfPath } from './paths.ts';

/**
 * Which instances a search returns: conditions as the API has them, or a function that builds them from typed paths,
 * `(order, { and, eq, gt }) => and(eq(order.status, 'NEW'), gt(order.amount, 1000))`.
 */
export type Filter<A extends ApiTypes, E> =
  | ConditionGroup
  | ((paths: Paths<A, E>, operators: Operators) => AnyCondition);

/** The order of a list: as the API has it (`-date,customer.name`), or a function that returns paths. */
export type Sort<A extends ApiTypes, E> =
  | string
  | ((paths: Paths<A, E>, desc: (path: Path<unknown, unknown>) => Descending) => SortKey | readonly SortKey[]);

type SortKey = Path<unknown, unknown> | Descending;

/** A path in descending order. */
export interface Descending {
  /** Path of the attribute: `customer.name`. */
  readonly descending: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the same code for all applications
type Any = any;

/** The JSON of a filter. */
export function writeFilter(filter: Filter<Any, Any> | undefined): ConditionGroup {
  if (filter === undefined) return { conditions: [] };
  if (typeof filter !== 'function') return filter;
  const term = filter(pathsOf(), operators);
  // The conditions of the root are joined by AND.
  const isAnd = 'group' in term ? term.group === 'AND' : Object.keys(term).join() === 'conditions';
  return isAnd ? { conditions: (term as ConditionGroup).conditions } : { conditions: [term] };
}

const desc = (path: Path<unknown, unknown>): Descending => ({ descending: textOfPath(path) });

/** The first sign of a key is its direction: a dynamic attribute has one of its own. */
const ascending = (path: string): string => (path.startsWith('+') ? `+${path}` : path);

/** The text of a sort. */
export function writeSort(sort: Sort<Any, Any> | undefined): string | undefined {
  if (typeof sort !== 'function') return sort;
  const keys = sort(pathsOf(), desc);
  return (Array.isArray(keys) ? (keys as readonly SortKey[]) : [keys as SortKey])
    .map((key) => ('descending' in key ? `-${key.descending}` : ascending(textOfPath(key))))
    .join(',');
}
