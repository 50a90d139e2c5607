import { exampleOfSchema } from '@lintel/contracts';
import { type Attribute, type Captions, type Entity, entityOf, isLocal, isToMany, type Model } from '@lintel/metadata';
import { attributeSchema } from './attribute-schema.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Made-up values of the attributes that a new instance must have, for examples without demo data: the first attribute
 * if none is mandatory.
 */
export function sampleValues(model: Model, captions: Captions, entity: Entity): Values {
  const system = new Set<string>(Object.values(entity.system));
  const written = [...entity.attributes.values()].filter(
    ({ name, persistent, readOnly, secret }) => persistent && !readOnly && !secret && !system.has(name),
  );
  const mandatory = written.filter((attribute) => attribute.mandatory && attribute.name !== entity.key?.attribute);
  const chosen = mandatory.length > 0 ? mandatory : written.filter(isLocal).slice(0, 1);
  return Object.fromEntries(
    chosen.flatMap((attribute) => {
      const value = sampleValue(model, captions, attribute);
      return value === undefined ? [] : [[attribute.name, value]];
    }),
  );
}

/** Made-up values of mandatory attributes that responses leave out. */
export const sampleSecrets = (model: Model, captions: Captions, { attributes }: Entity): Values =>
  Object.fromEntries(
    [...attributes.values()]
      .filter(({ secret, mandatory }) => secret && mandatory)
      .map((attribute) => [attribute.name, sampleValue(model, captions, attribute)]),
  );

/** The key of an instance in JSON; undefined if the entity has none. */
export function sampleId(model: Model, captions: Captions, { key, attributes }: Entity): unknown {
  const attribute = key === undefined ? undefined : attributes.get(key.attribute);
  return attribute === undefined ? undefined : sampleValue(model, captions, attribute);
}

function sampleValue(model: Model, captions: Captions, attribute: Attribute): unknown {
  switch (attribute.kind) {
    case 'datatype':
    case 'enum':
    case 'elements':
      return exampleOfSchema(attributeSchema(model, captions, attribute), {});
    case 'embedded':
      return sampleValues(model, captions, entityOf(model, attribute.target));
    case 'reference': {
      const target = model.entities.get(attribute.target);
      // The caller may write the reference, and knows the id of an instance from elsewhere.
      if (target === undefined) return undefined;
      const sample = attribute.composition
        ? sampleValues(model, captions, target)
        : { id: sampleId(model, captions, target) };
      return isToMany(attribute) ? [sample] : sample;
    }
    default:
      return attribute satisfies never;
  }
}
