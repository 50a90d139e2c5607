import type { ConditionGroup } from '@lintel/client';
import { isObject } from '@lintel/react';
import type { Question } from '@lintel/react/charts';

/** What a list shows, as it is in the address of the page. */
export interface ListState {
  /** As the API has it; undefined without a filter. */
  readonly filter: ConditionGroup | undefined;
  /** Words of the search field. */
  readonly words: string;
  /** As the API has it: `-date,number`. */
  readonly sort: string | undefined;
  /** Paths of attributes; undefined: those that a list has at first. */
  readonly columns: readonly string[] | undefined;
  /** The instances are counted, not estimated. */
  readonly isCounted: boolean;
  /** Groups and aggregates of the list, with its filter. */
  readonly question?: Question | undefined;
}

/** Parameters of the address, as the router has parsed them. */
export type Search = Readonly<Record<string, unknown>>;

/** The parameters of a list; others are those of other parts of the page. */
const NAMES = ['filter', 'words', 'sort', 'columns', 'count', 'question'] as const;

/** What is wrong with the filter of an address that was written by hand. */
export const isBrokenFilter = ({ filter }: Search): boolean => filter !== undefined && !isGroup(filter);

/** The state of a list in an address; what cannot be read counts as absent. */
export function readListState(search: Search): ListState {
  const { filter } = search;
  const columns = textOf(search['columns'])
    ?.split(',')
    .filter((path) => path !== '');
  return {
    filter: isGroup(filter) ? filter : undefined,
    words: textOf(search['words']) ?? '',
    sort: textOf(search['sort']),
    columns: columns?.length === 0 ? undefined : columns,
    isCounted: search['count'] === 'exact',
    question: isQuestion(search['question']) ? search['question'] : undefined,
  };
}

/** The address of a state: the other parameters of the page stay. */
export function writeListState(state: ListState, search: Search): Search {
  const others = Object.entries(search).filter(([name]) => !(NAMES as readonly string[]).includes(name));
  const { filter, words, sort, columns, isCounted, question } = state;
  return {
    ...Object.fromEntries(others),
    ...(filter !== undefined && filter.conditions.length > 0 && { filter }),
    ...(words !== '' && { words }),
    ...(sort !== undefined && { sort }),
    ...(columns !== undefined && { columns: columns.join(',') }),
    ...(isCounted && { count: 'exact' }),
    ...(question !== undefined && { question }),
  };
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null || typeof value === 'object' ? undefined : String(value);

const isGroup = (value: unknown): value is ConditionGroup =>
  typeof value === 'object' && value !== null && Array.isArray((value as { readonly conditions?: unknown }).conditions);

const isQuestion = (value: unknown): value is Question =>
  isObject(value) &&
  isObject(value['aggregates'] ?? {}) &&
  Array.isArray(value['groupBy'] ?? []) &&
  ((value['groupBy'] ?? []) as readonly unknown[]).every(
    (group) => typeof group === 'string' || (isObject(group) && typeof group['attribute'] === 'string'),
  );

/** The sort after a click on the caption of a column: rising, falling, none. */
export function nextSort(sort: string | undefined, path: string): string | undefined {
  if (sort === risingBy(path)) return `-${path}`;
  return sort === `-${path}` ? undefined : risingBy(path);
}

/** The sort by a path. The first sign is the direction: a dynamic attribute has one of its own. */
export const risingBy = (path: string): string => (path.startsWith('+') ? `+${path}` : path);
