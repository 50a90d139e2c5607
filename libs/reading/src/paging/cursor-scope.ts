import { callerKeyOf, type Principal } from '@lintel/contracts';
import type { ParsedQuery } from '@lintel/query';

/**
 * The scope of a cursor: the caller, the entity, the filter with its values, the sort, and groups with their values. The
 * plan and the page size may change from page to page.
 */
export function cursorScope(
  { entityName, filter, inputs, sort, deleted, aggregates }: ParsedQuery,
  caller: Principal,
): string {
  const parts = [callerKeyOf(caller), entityName, filter, inputs, sort, deleted];
  return JSON.stringify(aggregates === undefined ? parts : [...parts, aggregates]);
}
