import { suggestion } from '@lintel/errors';
import type { ReferenceAttribute } from '../../entities/attribute.ts';
import type { Entity } from '../../entities/entity.ts';
import type { Enumeration } from '../../entities/enumeration.ts';

/** What contradicts itself in references, enums, embedded attributes and dependencies: one sentence each. */
export function checkReferences(
  entities: ReadonlyMap<string, Entity>,
  enums: ReadonlyMap<string, Enumeration>,
): readonly string[] {
  const problems: string[] = [];
  for (const entity of entities.values()) {
    for (const attribute of entity.attributes.values()) {
      const where = `${entity.name}.${attribute.name}`;
      if (attribute.kind === 'enum' && !enums.has(attribute.enumName))
        problems.push(
          `${where} is of the unknown enum ${attribute.enumName}${suggestion(attribute.enumName, enums.keys())}`,
        );
      if (attribute.kind === 'embedded' && entities.get(attribute.target)?.kind !== 'embeddable')
        problems.push(
          `${where} embeds ${attribute.target}, which is no embeddable of the model${suggestion(attribute.target, embeddables(entities))}`,
        );
      if (attribute.kind === 'reference') problems.push(...checkReference(where, entity, attribute, entities));
      for (const needed of attribute.dependsOn) {
        if (!entity.attributes.has(needed))
          problems.push(
            `${where} depends on the unknown attribute ${needed}${suggestion(needed, entity.attributes.keys())}`,
          );
      }
    }
  }
  return problems;
}

const embeddables = (entities: ReadonlyMap<string, Entity>): readonly string[] =>
  [...entities.values()].filter(({ kind }) => kind === 'embeddable').map(({ name }) => name);

function checkReference(
  where: string,
  entity: Entity,
  attribute: ReferenceAttribute,
  entities: ReadonlyMap<string, Entity>,
): readonly string[] {
  const target = entities.get(attribute.target);
  if (target === undefined)
    return [
      `${where} refers to the unknown entity ${attribute.target}${suggestion(attribute.target, entities.keys())}`,
    ];
  if (attribute.persistent && target.kind === 'embeddable') return [`${where} refers to the embeddable ${target.name}`];
  if (attribute.owning || !attribute.persistent) return [];
  const other = attribute.inverse === undefined ? undefined : target.attributes.get(attribute.inverse);
  if (other?.kind !== 'reference' || !other.owning)
    return [`${where} needs an owning reference ${target.name}.${attribute.inverse ?? '?'} at the other end`];
  const fits = other.target === entity.name || isAncestor(entities, other.target, entity);
  if (!fits) return [`${where} and ${target.name}.${other.name} are not the two ends of one reference`];
  return checkEnds(where, attribute, `${target.name}.${other.name}`, other);
}

/** The cardinality of the owning end for each cardinality of the inverse end. */
const OWNING_END = { ONE_TO_ONE: 'ONE_TO_ONE', ONE_TO_MANY: 'MANY_TO_ONE', MANY_TO_MANY: 'MANY_TO_MANY' } as const;

function checkEnds(
  where: string,
  attribute: ReferenceAttribute,
  otherEnd: string,
  other: ReferenceAttribute,
): readonly string[] {
  const { cardinality } = attribute;
  if (cardinality === 'MANY_TO_ONE') return [];
  if (cardinality === 'ONE_TO_ONE' && other.cardinality === 'MANY_TO_ONE')
    return [
      `${where} needs a unique reference at the other end: ${otherEnd} is to be toOne('${other.target}').unique()`,
    ];
  if (OWNING_END[cardinality] !== other.cardinality) {
    const ends = `${where} is ${cardinality}, and ${otherEnd} at its other end is ${other.cardinality}`;
    return [other.cardinality === 'ONE_TO_ONE' ? `${ends}: it is to be ${inverseOf(attribute)}` : ends];
  }
  return cardinality === 'ONE_TO_ONE' && attribute.mandatory
    ? [`${where} cannot be mandatory: its value is stored at the other end, ${otherEnd}`]
    : [];
}

const inverseOf = ({ target, inverse }: ReferenceAttribute): string => `toOneInverse('${target}', '${inverse}')`;

function isAncestor(entities: ReadonlyMap<string, Entity>, name: string, entity: Entity): boolean {
  if (entity.ancestor === undefined) return false;
  if (entity.ancestor === name) return true;
  const ancestor = entities.get(entity.ancestor);
  return ancestor !== undefined && isAncestor(entities, name, ancestor);
}
