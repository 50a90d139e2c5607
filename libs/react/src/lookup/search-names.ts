import type { Condition, ConditionGroup } from '@lintel/client';
import { type PathModel, resolvePath } from '../paths/resolve-path.ts';

/** Further words would only repeat what the first ones have found. */
const MAX_WORDS = 5;

/** The texts of the instance name of an entity that the user may see: a search by words is for these. */
export const searchNamesOf = (model: PathModel, entity: string): readonly string[] =>
  (model.entities.get(entity)?.nameAttributes ?? []).filter((name) => {
    const found = resolvePath(model, entity, name);
    return (
      found?.isStored === true && found.attribute.attributeType === 'DATATYPE' && found.attribute.type === 'string'
    );
  });

/** Conditions that each word is in one of the attributes. */
export function conditionsOfWords(words: string, names: readonly string[]): readonly (Condition | ConditionGroup)[] {
  if (names.length === 0) return [];
  const all = words.split(/\s+/).filter((word) => word !== '');
  return all.slice(0, MAX_WORDS).map((word) => ({
    group: 'OR',
    conditions: names.map((property) => ({ property, operator: 'contains', value: word })),
  }));
}
