import type { Condition, ConditionGroup } from '@lintel/client';
import type { Resource } from './record-model.ts';

/** The name of the filter that searches in all texts. */
export const SEARCH = 'q';

/**
 * The condition that one of the texts of a resource contains the words.
 *
 * @throws Error if the resource has no text
 */
export function searchWords({ name, searched }: Resource, words: unknown): Condition | ConditionGroup {
  if (searched.length === 0) throw new Error(`The resource ${name} has no text to search in`);
  return {
    group: 'OR',
    conditions: searched.map((property) => ({ property, operator: 'contains', value: String(words) })),
  };
}
