import { costExceeded } from '@lintel/errors';
import { MAX_JSON_DEPTH } from '../json/parse-json-in-steps.ts';
import { scanJson } from '../json/scan-json.ts';

/**
 * Refuses JSON inside of a text, which the count of the body does not include, before it is parsed.
 *
 * @throws PlatformError REQ_COST_EXCEEDED
 */
export function assertItems(text: string, maxItems: number, what: string, property: string): void {
  // Each item has a character and a comma.
  if (text.length <= 2 * maxItems) return;
  const { nodes } = scanJson(text, MAX_JSON_DEPTH);
  if (nodes > maxItems)
    throw costExceeded(`${what} has ${nodes} objects and list items, at most ${maxItems} are read`, property);
}
