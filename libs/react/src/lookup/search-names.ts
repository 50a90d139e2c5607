import type { Condition, ConditionGroup } from '@lintel/client';
import { type PathModel, resolvePath, targetOf } from '../paths/resolve-path.ts';

/** Further words would only repeat what the first ones have found. */
const MAX_WORDS = 5;

/** Longer texts are no `q` (contract/search.md#q). */
const MAX_QUERY = 200;

/** More texts would make the search slow. */
const MAX_NAMES = 12;

/**
 * The texts that a search by words is for: the instance name of an entity and the columns of its list, for a reference
 * the instance name of its target; only what the user may see.
 *
 * @param columns paths of attributes
 */
export function searchNamesOf(model: PathModel, entity: string, columns: readonly string[] = []): readonly string[] {
  const namesOf = (name: string): readonly string[] => model.entities.get(name)?.nameAttributes ?? [];
  const shown = columns.flatMap((path) => {
    const attribute = resolvePath(model, entity, path)?.attribute;
    const target = attribute && targetOf(model, attribute);
    return target === undefined ? [path] : namesOf(target.entityName).map((name) => `${path}.${name}`);
  });
  const texts = [...new Set([...namesOf(entity), ...shown])].filter((path) => {
    const found = resolvePath(model, entity, path);
    return (
      found?.isStored === true && found.attribute.attributeType === 'DATATYPE' && found.attribute.type === 'string'
    );
  });
  return texts.slice(0, MAX_NAMES);
}

/** The words for `q`, if it searches all of the texts, also by beginnings of words; undefined if it does not. */
export function queryOfWords(
  model: PathModel,
  entity: string,
  words: string,
  names: readonly string[],
): string | undefined {
  const searchableAt = (path: readonly string[]) => resolvePath(model, entity, path.join('.'))?.attribute.searchable;
  const isSearched = (name: string): boolean => {
    const path = name.split('.');
    const isReached = path.slice(1).every((_, at) => searchableAt(path.slice(0, at + 1)) === 'targets');
    return isReached && searchableAt(path) === 'prefix';
  };
  const isQuery = words.length <= MAX_QUERY && /[\p{L}\p{N}]/u.test(words);
  return isQuery && names.length > 0 && names.every(isSearched) ? words : undefined;
}

/** Conditions that each word is in one of the attributes. */
export function conditionsOfWords(words: string, names: readonly string[]): readonly (Condition | ConditionGroup)[] {
  if (names.length === 0) return [];
  const all = words.split(/\s+/).filter((word) => word !== '');
  return all.slice(0, MAX_WORDS).map((word) => ({
    group: 'OR',
    conditions: names.map((property) => ({ property, operator: 'contains', value: word })),
  }));
}
