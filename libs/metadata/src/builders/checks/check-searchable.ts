import type { Entity } from '../../entities/entity.ts';
import { SEARCH_LANGUAGES, searchableOf } from '../../entities/searchable.ts';
import { entityOf, type Model } from '../../model.ts';
import { storingEntity } from '../../storage/storage-map.ts';

const WEIGHTS: readonly string[] = ['A', 'B', 'C', 'D'];
const LANGUAGES: readonly string[] = SEARCH_LANGUAGES;

/** Attributes that are marked as searchable and cannot be, or not together: one sentence each. */
export const checkSearchable = (model: Model): readonly string[] =>
  [...model.entities.values()].flatMap((entity) => [...ownProblems(entity), ...jointProblems(model, entity)]);

function ownProblems(entity: Entity): readonly string[] {
  const searched = new Set<string>(searchableOf(entity).map(({ name }) => name));
  return [...entity.attributes.values()].flatMap((attribute) => {
    if (!('search' in attribute) || attribute.search === undefined || attribute.declaredBy !== entity.name) return [];
    const where = `${entity.name}.${attribute.name}`;
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
