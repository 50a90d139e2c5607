import { scanJson } from '@lintel/contracts';
import { costExceeded, PlatformError, shortened } from '@lintel/errors';
import { type ExactJson, isExactObject, parseExactJson } from '../json/exact-json.ts';
import { MAX_JSON_DEPTH } from '../json/parse-json-in-steps.ts';
import type { ParsedFetchPlan } from './parsed-query.ts';

/**
 * Refuses JSON inside of a text, which the count of the body does not include, before it is parsed.
 *
 * @throws PlatformError REQ_COST_EXCEEDED
 */
function assertItems(text: string, maxItems: number, what: string, property: string): void {
  // Each item has a character and a comma.
  if (text.length <= 2 * maxItems) return;
  const { nodes } = scanJson(text, MAX_JSON_DEPTH);
  if (nodes > maxItems)
    throw costExceeded(`${what} has ${nodes} objects and list items, at most ${maxItems} are read`, property);
}

/** Objects and items of lists in the text of a plan: more than any plan within the limits has. */
const MAX_PLAN_ITEMS = 30_000;

/**
 * Reads a `fetchPlan` (or `responseFetchPlan`): a name, an inline plan as JSON text, or an inline plan as
 * an object (contract/fetch-plans.md#parameter).
 *
 * @throws PlatformError REQ_INVALID_FETCH_PLAN; REQ_INLINE_FETCH_PLANS_DISABLED when they are
 */
export function parseFetchPlan(value: ExactJson | undefined, inlineEnabled: boolean): ParsedFetchPlan {
  if (value === undefined) return { kind: 'default' };
  if (typeof value === 'string') return parsePlanText(value.trim(), inlineEnabled);
  if (isExactObject(value)) return inlinePlan(value, inlineEnabled);
  throw new PlatformError('REQ_INVALID_FETCH_PLAN', shortened(JSON.stringify(value)));
}

function parsePlanText(text: string, inlineEnabled: boolean): ParsedFetchPlan {
  if (text === '') return { kind: 'default' };
  if (!text.startsWith('{') || !text.endsWith('}')) return { kind: 'named', name: text };
  assertItems(text, MAX_PLAN_ITEMS, 'The text of the fetch plan', 'plan-nodes');
  return inlinePlan(parseExactJson(text, 'The fetch plan', 'REQ_INVALID_FETCH_PLAN'), inlineEnabled);
}

function inlinePlan(definition: ExactJson, inlineEnabled: boolean): ParsedFetchPlan {
  if (!inlineEnabled)
    throw new PlatformError(
      'REQ_INLINE_FETCH_PLANS_DISABLED',
      'Inline fetch plans are disabled. Use only named fetch plans.',
    );
  if (!isExactObject(definition))
    throw new PlatformError('REQ_INVALID_FETCH_PLAN', shortened(JSON.stringify(definition)));
  return { kind: 'inline', definition };
}
