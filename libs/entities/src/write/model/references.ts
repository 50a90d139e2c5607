import { type Entity, entityOf, isToOne, type Model, rootOf } from '@lintel/metadata';
import type { Layout } from './layout.ts';

/** A reference in the columns of an instance. */
export interface StoredReference {
  readonly path: string;
  /** Name of the root of the target's tree. */
  readonly rootName: string;
}

/** A composition of an entity. */
export interface Composition {
  readonly name: string;
  readonly isOne: boolean;
  /** Name of the root of the target's tree. */
  readonly rootName: string;
}

const rootNameOf = (model: Model, entity: string): string => rootOf(model, entityOf(model, entity)).name;

export const findReferences = (model: Model, { slots }: Layout): readonly StoredReference[] =>
  [...slots.values()].flatMap(({ path, attribute }) =>
    attribute.kind === 'reference' ? [{ path, rootName: rootNameOf(model, attribute.target) }] : [],
  );

export const findCompositions = (model: Model, { attributes }: Entity): readonly Composition[] =>
  [...attributes.values()].flatMap((attribute) =>
    attribute.kind === 'reference' && attribute.composition && attribute.persistent
      ? [{ name: attribute.name, isOne: isToOne(attribute), rootName: rootNameOf(model, attribute.target) }]
      : [],
  );
