import type { Condition, ConditionGroup } from './condition.ts';

/** Whether a condition of the filter is about a dynamic attribute: `customer.+vip`. */
export const namesDynamic = (filter: Condition | ConditionGroup): boolean =>
  'conditions' in filter ? filter.conditions.some(namesDynamic) : /(?:^|\.)\+[^.]*$/.test(filter.property);
