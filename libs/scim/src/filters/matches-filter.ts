import type { Filter } from './filter.ts';

/** Whether a value of a multi-valued attribute matches the filter in the brackets of a path. Texts have no case. */
export function matchesFilter(filter: Filter, value: Readonly<Record<string, unknown>>): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.terms.every((term) => matchesFilter(term, value));
    case 'or':
      return filter.terms.some((term) => matchesFilter(term, value));
    case 'not':
      return !matchesFilter(filter.term, value);
    case 'present':
      return isPresent(memberOf(filter.path, value));
    case 'compare': {
      const member = memberOf(filter.path, value);
      if (filter.comparison === 'ne') return !compares('eq', member, filter.value);
      return compares(filter.comparison, member, filter.value);
    }
    default:
      return filter satisfies never;
  }
}

const memberOf = (path: string, value: Readonly<Record<string, unknown>>): unknown =>
  value[path.slice(path.indexOf('.') + 1)];

const isPresent = (member: unknown): boolean => member !== undefined && member !== null && member !== '';

function compares(comparison: string, member: unknown, expected: unknown): boolean {
  if (expected === null) return comparison === 'eq' && !isPresent(member);
  if (!isPresent(member)) return false;
  const [left, right] = [String(member).toLowerCase(), String(expected).toLowerCase()];
  switch (comparison) {
    case 'eq':
      return left === right;
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    case 'gt':
      return left > right;
    case 'ge':
      return left >= right;
    case 'lt':
      return left < right;
    default:
      return left <= right;
  }
}
