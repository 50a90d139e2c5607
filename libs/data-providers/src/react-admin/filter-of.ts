import type { Condition, ConditionGroup } from '@lintel/client';
import type { Resource } from '../records/record-model.ts';
import { toId } from '../records/records.ts';
import { SEARCH, searchWords } from '../records/search-words.ts';

/** Ends of the names of filters, as in the other data providers of react-admin. */
const OPERATORS: readonly (readonly [string, string])[] = [
  ['_gte', '>='],
  ['_lte', '<='],
  ['_neq', '<>'],
  ['_gt', '>'],
  ['_lt', '<'],
  ['_eq', '='],
  ['_q', 'contains'],
];

/**
 * The filter of a list: `{ q: 'words' }`, `{ status: 'NEW' }`, `{ status: ['NEW', 'SHIPPED'] }`, `{ amount_gte: 10 }`,
 * `{ name_q: 'part' }`, `{ 'customer.id': id }`, `{ notes: null }`. All of them hold.
 */
export function filterOf(resource: Resource, filter: Readonly<Record<string, unknown>> = {}): ConditionGroup {
  const conditions = Object.entries(filter)
    .filter(([, value]) => value !== undefined && value !== '')
    .flatMap(([name, value]) => conditionsOf(resource, name, value));
  return { conditions };
}

function conditionsOf(resource: Resource, name: string, value: unknown): readonly (Condition | ConditionGroup)[] {
  // An attribute may have such a name itself.
  const isAttribute = resource.entity.properties.some((attribute) => attribute.name === name);
  if (name === SEARCH && !isAttribute) return [searchWords(resource, value)];
  const [end, operator] = OPERATORS.find(([each]) => name.endsWith(each) && !isAttribute) ?? ['', '='];
  const property = name.slice(0, name.length - end.length);
  if (value === null) return [{ property, operator: operator === '<>' ? 'notEmpty' : 'isNull', value: true }];
  if (Array.isArray(value)) return [{ property, operator: operator === '<>' ? 'notIn' : 'in', value }];
  // Forms write the filter `author.id` as an object.
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([part, nested]) =>
      conditionsOf(resource, `${property}.${part}${end}`, nested),
    );
  return [{ property, operator, value: property === 'id' ? toId(value) : value }];
}
