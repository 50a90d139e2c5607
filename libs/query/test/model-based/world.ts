import { type Entity, entityOf, lineageOf, type Model, type ReferenceAttribute } from '@lintel/metadata';
import type { DynamicValues } from './dynamic.ts';
import type { Scalar } from './scalars.ts';

/** Values of an embedded object by attribute name; absent ones are null. */
export interface Embedded {
  readonly [name: string]: WorldValue;
}

export type WorldValue = null | Scalar | Embedded | Instance | readonly Instance[] | readonly Scalar[];

/** One row: all values it stores. To-one and M:N references at their owning end lead to other instances. */
export interface Instance {
  /** Its concrete entity. */
  readonly entity: Entity;
  /** Values of the key's parts, in their order. */
  readonly key: readonly Scalar[];
  readonly isDeleted: boolean;
  readonly values: Record<string, WorldValue>;
}

/** A model and all rows there are. */
export interface World {
  readonly model: Model;
  readonly instances: readonly Instance[];
  /** Values of dynamic attributes by the id of their definition. */
  readonly dynamic: ReadonlyMap<string, DynamicValues>;
}

/** The key as one text that is unique in the entity. */
export const keyText = (key: readonly Scalar[]): string => JSON.stringify(key.map(String));

/** Whether the instance is one of the entity: of itself or of a descendant. */
export const isOf = (model: Model, instance: Instance, entity: Entity): boolean =>
  lineageOf(model, instance.entity).includes(entity);

/** All rows of an entity, deleted ones included. */
export const rowsOf = ({ model, instances }: World, entity: Entity): readonly Instance[] =>
  instances.filter((instance) => isOf(model, instance, entity));

/** The instances that a reference leads to, deleted ones included; found by looking at every row. */
export function targetsOf(
  world: World,
  holder: Instance | Embedded,
  attribute: ReferenceAttribute,
): readonly Instance[] {
  if (attribute.owning) {
    const value = (isInstance(holder) ? holder.values : holder)[attribute.name] ?? null;
    if (value === null) return [];
    return Array.isArray(value) ? (value as readonly Instance[]) : [value as Instance];
  }
  const other = attribute.inverse ?? '';
  return rowsOf(world, entityOf(world.model, attribute.target)).filter((row) => {
    const back = row.values[other] ?? null;
    return Array.isArray(back) ? back.some((instance) => instance === holder) : back === holder;
  });
}

export const isInstance = (value: unknown): value is Instance =>
  typeof value === 'object' && value !== null && 'entity' in value && 'key' in value && 'values' in value;
