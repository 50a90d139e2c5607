import { scanJson } from '@lintel/contracts';
import { costExceeded } from '@lintel/errors';
import { MAX_JSON_DEPTH } from '@lintel/query';
import type { RequestLimits } from '@lintel/reading';

/** Conditions, and properties of a fetch plan, that a body of a query may hold besides the values of its lists. */
const MAX_OTHER_NODES = 30_000;
/** The shortest item of an array and the comma after it. */
const SHORTEST_ITEM = '1,'.length;

/**
 * Refuses a JSON body with more objects or items than a caller may send, before it is parsed. The parser checks the
 * nesting.
 *
 * @param what the body in the text of the error
 * @throws PlatformError REQ_COST_EXCEEDED
 */
export function assertBodySize(
  body: string,
  { batchItems, graphNodes }: Pick<RequestLimits, 'batchItems' | 'graphNodes'>,
  what = 'request body',
): void {
  if (body.length <= SHORTEST_ITEM * Math.min(batchItems, graphNodes)) return;
  const { items, nodes } = scanJson(body, MAX_JSON_DEPTH);
  if (items > batchItems)
    throw costExceeded(
      `The request body has ${items} items, at most ${batchItems} are allowed`,
      'svc.rest.limits.batch-items',
    );
  if (nodes > graphNodes)
    throw costExceeded(
      `The ${what} has ${nodes} objects and list items, at most ${graphNodes} are allowed`,
      'svc.rest.limits.graph-nodes',
    );
}

/**
 * The same for the body of a search or query. A number of values near the limit is counted exactly after the body is
 * parsed.
 *
 * @throws PlatformError REQ_COST_EXCEEDED
 */
export function assertQuerySize(body: string, { listValues }: Pick<RequestLimits, 'listValues'>): void {
  const maxNodes = listValues + MAX_OTHER_NODES;
  if (body.length <= SHORTEST_ITEM * maxNodes) return;
  const { nodes } = scanJson(body, MAX_JSON_DEPTH);
  if (nodes > maxNodes)
    throw costExceeded(
      `The request body has ${nodes} objects and list items, more than any query with ${listValues} values`,
      'svc.rest.limits.list-values',
    );
}
