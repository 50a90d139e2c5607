import { callerKeyOf, type Principal } from '@lintel/contracts';
import type { ParsedQuery } from '@lintel/query';

/**
 * The scope of a cursor: the caller, the entity, the filter with its values, and the sort. The plan and the page size
 * may change from page to page.
 */
export const cursorScope = ({ entityName, filter, inputs, sort, deleted }: ParsedQuery, caller: Principal): string =>
  JSON.stringify([callerKeyOf(caller), entityName, filter, inputs, sort, deleted]);
