import type { Captions, Entity, Enumeration } from '@lintel/metadata';

/** Keys of the response and their texts: entity names and attributes, or enums and constants. */
export type FlatMessages = Readonly<Record<string, string>>;

/**
 * Captions of entities and of all their attributes, inherited ones with the name of the entity; sorted by key
 * (contract/messages.md#messages). They do not depend on rights.
 */
export const entityMessages = (entities: Iterable<Entity>, captions: Captions): FlatMessages =>
  sorted(
    [...entities].flatMap((entity) => [
      [entity.name, captions.entity(entity.name)] as const,
      ...[...entity.attributes.values()].map(
        (attribute) => [`${entity.name}.${attribute.name}`, captions.attribute(attribute)] as const,
      ),
    ]),
  );

/** Captions of enums and of their constants; sorted by key. */
export const enumMessages = (enums: Iterable<Enumeration>, captions: Captions): FlatMessages =>
  sorted(
    [...enums].flatMap(({ name, values }) => [
      [name, captions.enumeration(name)] as const,
      ...values.map((value) => [`${name}.${value.name}`, captions.constant(name, value.name)] as const),
    ]),
  );

/** Keys are unique and keep their order, since no name consists of digits only. */
const sorted = (texts: readonly (readonly [string, string])[]): FlatMessages =>
  Object.fromEntries([...texts].sort(([one], [other]) => (one < other ? -1 : 1)));
