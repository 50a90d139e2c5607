import { PlatformError } from '@lintel/errors';
import { type ExactJson, isExactObject, parseExactJson } from '../json/exact-json.ts';
import type { ParsedFetchPlan } from './parsed-query.ts';

/**
 * Reads a `fetchPlan` (or `responseFetchPlan`): a name, an inline plan as JSON text, or an inline plan as
 * an object (contract §1.6).
 *
 * @throws PlatformError REQ_INVALID_FETCH_PLAN; REQ_INLINE_FETCH_PLANS_DISABLED when they are
 */
export function parseFetchPlan(value: ExactJson | undefined, inlineEnabled: boolean): ParsedFetchPlan {
  if (value === undefined) return { kind: 'default' };
  if (typeof value === 'string') return parsePlanText(value.trim(), inlineEnabled);
  if (isExactObject(value)) return inlinePlan(value, inlineEnabled);
  throw new PlatformError('REQ_INVALID_FETCH_PLAN', JSON.stringify(value));
}

function parsePlanText(text: string, inlineEnabled: boolean): ParsedFetchPlan {
  if (text === '') return { kind: 'default' };
  if (!text.startsWith('{') || !text.endsWith('}')) return { kind: 'named', name: text };
  return inlinePlan(parseExactJson(text, 'The fetch plan', 'REQ_INVALID_FETCH_PLAN'), inlineEnabled);
}

function inlinePlan(definition: ExactJson, inlineEnabled: boolean): ParsedFetchPlan {
  if (!inlineEnabled)
    throw new PlatformError(
      'REQ_INLINE_FETCH_PLANS_DISABLED',
      'Inline fetch plans are disabled. Use only named fetch plans.',
    );
  if (!isExactObject(definition)) throw new PlatformError('REQ_INVALID_FETCH_PLAN', JSON.stringify(definition));
  return { kind: 'inline', definition };
}
