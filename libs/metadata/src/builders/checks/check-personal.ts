import { type Attribute, isToOne } from '../../entities/attribute.ts';
import type { Model } from '../../model.ts';

/** Attributes that are marked as personal and cannot be: one sentence each. */
export function checkPersonal(entities: Model['entities']): readonly string[] {
  return [...entities.values()].flatMap(({ name, key, system, attributes }) => {
    const kept = new Set<string | undefined>([key?.attribute, ...Object.values(system)]);
    return [...attributes.values()]
      .filter(({ personal, declaredBy }) => personal === true && declaredBy === name)
      .filter((attribute) => kept.has(attribute.name) || !canBePersonal(attribute))
      .map((attribute) => `${name}.${attribute.name} cannot be personal: it is ${whatOf(attribute)}`);
  });
}

const canBePersonal = (attribute: Attribute): boolean =>
  attribute.kind !== 'reference' || (isToOne(attribute) && attribute.owning && !attribute.composition);

const whatOf = (attribute: Attribute): string =>
  canBePersonal(attribute) ? 'the key, the version or an audit attribute' : 'no value and no reference to an owner';
