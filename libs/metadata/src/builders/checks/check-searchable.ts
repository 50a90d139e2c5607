import type { ReferenceAttribute } from '../../entities/attribute.ts';
import type { Entity } from '../../entities/entity.ts';
import {
  type AttributeSearch,
  SEARCH_LANGUAGES,
  searchableOf,
  searchedReferencesOf,
} from '../../entities/searchable.ts';
import { entityOf, type Model } from '../../model.ts';
import { keyColumnsOf, storingEntity } from '../../storage/storage-map.ts';

const WEIGHTS: readonly string[] = ['A', 'B', 'C', 'D'];
const LANGUAGES: readonly string[] = SEARCH_LANGUAGES;

/** Attributes that are marked as searchable and cannot be, or not together: one sentence each. */
export const checkSearchable = (model: Model): readonly string[] =>
  [...model.entities.values()].flatMap((entity) => [...ownProblems(model, entity), ...jointProblems(model, entity)]);

function ownProblems(model: Model, entity: Entity): readonly string[] {
  const searched = new Set<string>(searchableOf(entity).map(({ name }) => name));
  return [...entity.attributes.values()].flatMap((attribute) => {
    if (!('search' in attribute) || attribute.search === undefined || attribute.declaredBy !== entity.name) return [];
    const where = `${entity.name}.${attribute.name}`;
    if (attribute.kind === 'reference' && attribute.persistent && entity.kind === 'entity')
      return referenceProblems(model, where, attribute, attribute.search);
    const { weight, language } = attribute.search;
    return [
      ...(entity.kind === 'entity' && searched.has(attribute.name)
        ? []
        : [`${where} cannot be searchable: it is no stored text of an entity that responses may contain`]),
      ...(WEIGHTS.includes(weight) ? [] : [`${where} has the weight ${weight}: expected ${WEIGHTS.join(', ')}`]),
      ...(LANGUAGES.includes(language)
        ? []
        : [`${where} is searched as ${language}: expected ${LANGUAGES.join(', ')}`]),
    ];
  });
}

function referenceProblems(
  model: Model,
  where: string,
  { target, declaredBy }: ReferenceAttribute,
  { weight, language, prefix, typos }: AttributeSearch,
): readonly string[] {
  const hasOptions = weight !== 'D' || language !== 'simple' || prefix || typos;
  const hasPlainKeys = [declaredBy, target].every((name) => keyColumnsOf(model, entityOf(model, name)).length === 1);
  const referred = entityOf(model, target);
  const hasTexts = searchableOf(referred).length + searchedReferencesOf(referred).length > 0;
  return [
    ...(hasTexts ? [] : [`${where} cannot be searchable: ${target} has no searchable attributes`]),
    ...(hasOptions ? [`${where} has options of a search, which the texts of ${target} have`] : []),
    ...(hasPlainKeys
      ? []
      : [`${where} cannot be searchable: an instance of ${declaredBy} or ${target} has no single key`]),
    ...(searchedFrom(model, target).has(target)
      ? [`${where} cannot be searchable: the search would lead to ${target} again`]
      : []),
  ];
}

/** Entities that the searchable references of an entity lead to, through any number of them. */
function searchedFrom(model: Model, name: string, found = new Set<string>()): ReadonlySet<string> {
  for (const { target } of searchedReferencesOf(entityOf(model, name))) {
    if (found.has(target)) continue;
    found.add(target);
    searchedFrom(model, target, found);
  }
  return found;
}

function jointProblems(model: Model, entity: Entity): readonly string[] {
  const searched = searchableOf(entity);
  if (!searched.some(({ declaredBy }) => declaredBy === entity.name)) return [];
  const tables = new Set(searched.map(({ declaredBy }) => storingEntity(model, entityOf(model, declaredBy))));
  const mixed = WEIGHTS.filter(
    (weight) => new Set(searched.flatMap(({ search }) => (search.weight === weight ? [search.prefix] : []))).size > 1,
  );
  return [
    ...(tables.size > 1 ? [`${entity.name} has searchable attributes in several tables, which no index can have`] : []),
    ...mixed.map((weight) => `Searchable attributes of ${entity.name} with the weight ${weight} differ in prefix`),
  ];
}
