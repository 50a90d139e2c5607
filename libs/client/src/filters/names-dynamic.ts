import type { AnyCondition } from './condition.ts';

/** A sign of a direction, or the dot of a path, and the sign of a dynamic attribute. */
const DYNAMIC_KEY = /[+\-.]\+/;

/** Whether a sort of the API is about a dynamic attribute: `-+vip`, `customer.+vip`. */
export const sortsByDynamic = (sort: string | undefined): boolean => sort !== undefined && DYNAMIC_KEY.test(sort);

/** Whether a condition of the filter is about a dynamic attribute: `customer.+vip`. */
export const namesDynamic = (filter: AnyCondition): boolean =>
  'property' in filter ? /(?:^|\.)\+[^.]*$/.test(filter.property) : filter.conditions?.some(namesDynamic) === true;
