import type { Condition, ConditionGroup } from '@lintel/client';
import type { Resource } from '../records/record-model.ts';
import { toId } from '../records/records.ts';
import { SEARCH, searchWords } from '../records/search-words.ts';

/** A filter of Refine: a condition, or filters of which one or all hold. */
export interface RefineFilter {
  readonly operator: string;
  readonly field?: string;
  // biome-ignore lint/suspicious/noExplicitAny: as Refine has it
  readonly value: any;
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  in: 'in',
  nin: 'notIn',
  contains: 'contains',
  ncontains: 'doesNotContain',
  startswith: 'startsWith',
  endswith: 'endsWith',
};

/**
 * The filter of a list. The field `q` searches in all texts.
 *
 * @throws Error naming an operator that the API does not have
 */
export const filterOf = (resource: Resource, filters: readonly RefineFilter[] = []): ConditionGroup => ({
  conditions: filters.flatMap((filter) => conditionOf(resource, filter) ?? []),
});

function conditionOf(resource: Resource, filter: RefineFilter): Condition | ConditionGroup | undefined {
  const { operator, field = '', value } = filter;
  if (operator === 'and' || operator === 'or') {
    const conditions = (value as readonly RefineFilter[]).flatMap((each) => conditionOf(resource, each) ?? []);
    return conditions.length === 0 ? undefined : { group: operator === 'or' ? 'OR' : 'AND', conditions };
  }
  // A field of a search form without input.
  if (value === undefined || value === '' || (value === null && operator !== 'eq' && operator !== 'ne'))
    return undefined;
  if (field === SEARCH && !resource.entity.properties.some(({ name }) => name === SEARCH))
    return searchWords(resource, value);
  return comparison(field, operator, value);
}

function comparison(property: string, operator: string, value: unknown): Condition | ConditionGroup {
  if (operator === 'null' || (operator === 'eq' && value === null))
    return { property, operator: 'isNull', value: true };
  if (operator === 'nnull' || (operator === 'ne' && value === null))
    return { property, operator: 'notEmpty', value: true };
  if (operator === 'between' || operator === 'nbetween') {
    const [from, to] = value as readonly unknown[];
    const [lower, upper] = operator === 'between' ? ['>=', '<='] : ['<', '>'];
    return {
      group: operator === 'between' ? 'AND' : 'OR',
      conditions: [
        { property, operator: lower, value: from },
        { property, operator: upper, value: to },
      ],
    };
  }
  const known = OPERATORS[operator];
  if (known === undefined)
    throw new Error(`The filter ${operator} of ${property} is none of ${Object.keys(OPERATORS).join(', ')}`);
  if (property !== 'id') return { property, operator: known, value };
  return { property, operator: known, value: Array.isArray(value) ? value.map(toId) : toId(value) };
}
