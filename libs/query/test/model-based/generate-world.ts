import {
  type Attribute,
  type Entity,
  entityOf,
  enumerationOf,
  isLocal,
  isSoftDeleted,
  isToMany,
  lineageOf,
  type Model,
} from '@lintel/metadata';
import { between, type Choose, chance, pick, some, times } from './choose.ts';
import { generateDynamicValues } from './dynamic.ts';
import { generateScalar } from './generate-scalar.ts';
import type { Scalar, ScalarType } from './scalars.ts';
import { type Embedded, type Instance, keyText, rowsOf, type World, type WorldValue } from './world.ts';

/** Type of an attribute's single values. */
export function scalarTypeOf(model: Model, attribute: Attribute): ScalarType {
  if (attribute.kind === 'enum') return { kind: 'enum', values: enumerationOf(model, attribute.enumName).values };
  if (attribute.kind === 'datatype' || attribute.kind === 'elements')
    return { kind: 'datatype', datatype: attribute.datatype };
  throw new Error(`${attribute.name} has no single values`);
}

/** The attributes of an entity's key, in their order. */
export function keyAttributesOf(model: Model, entity: Entity): readonly Attribute[] {
  const key = entity.attributes.get(entity.key?.attribute ?? '');
  if (key === undefined) throw new Error(`${entity.name} has no key`);
  return key.kind === 'embedded' ? [...entityOf(model, key.target).attributes.values()] : [key];
}

/** A few rows of every entity, with references among them. */
export function generateWorld(choose: Choose, model: Model): World {
  const instances: Instance[] = [];
  for (const entity of model.entities.values()) {
    if (entity.kind !== 'entity' || entity.abstract) continue;
    const count = chance(choose, 5) ? 0 : between(choose, 2, 7);
    for (const _ of times(count, (at) => at)) {
      const instance = generateInstance(choose, model, entity);
      const root = lineageOf(model, entity).at(-1);
      const isTaken = instances.some(
        (other) => lineageOf(model, other.entity).at(-1) === root && keyText(other.key) === keyText(instance.key),
      );
      if (!isTaken) instances.push(instance);
    }
  }
  const world = { model, instances, dynamic: new Map() };
  for (const instance of instances) linkInstance(choose, world, instance);
  return { ...world, dynamic: generateDynamicValues(choose, world) };
}

function generateInstance(choose: Choose, model: Model, entity: Entity): Instance {
  const parts = keyAttributesOf(model, entity);
  const key = parts.map((attribute) => generateScalar(choose, attribute, scalarTypeOf(model, attribute)));
  const isDeleted = isSoftDeleted(entity) && chance(choose, 25);
  const values: Record<string, WorldValue> = {};
  for (const attribute of entity.attributes.values()) {
    if (!attribute.persistent) continue;
    if (attribute.name === entity.key?.attribute)
      values[attribute.name] = attribute.kind === 'embedded' ? embeddedKey(parts, key) : (key[0] ?? null);
    else if (attribute.name === entity.system.deletedDate)
      values[attribute.name] = isDeleted ? '2026-03-04T05:06:07.008' : null;
    else values[attribute.name] = generateValue(choose, model, attribute);
  }
  return { entity, key, isDeleted, values };
}

const embeddedKey = (parts: readonly Attribute[], key: readonly Scalar[]): Embedded =>
  Object.fromEntries(parts.map(({ name }, at) => [name, key[at] ?? null]));

function generateValue(choose: Choose, model: Model, attribute: Attribute): WorldValue {
  if (isLocal(attribute))
    return !attribute.mandatory && chance(choose, 30)
      ? null
      : generateScalar(choose, attribute, scalarTypeOf(model, attribute));
  if (attribute.kind === 'elements')
    return times(between(choose, 0, 3), () => generateScalar(choose, attribute, scalarTypeOf(model, attribute)));
  if (attribute.kind === 'embedded') {
    if (chance(choose, 30)) return null;
    const inner = [...entityOf(model, attribute.target).attributes.values()];
    return Object.fromEntries(inner.map((one) => [one.name, generateValue(choose, model, one)]));
  }
  return isToMany(attribute) ? [] : null;
}

/** Gives the references their targets: deleted ones, and the instance itself, too. */
function linkInstance(choose: Choose, world: World, instance: Instance): void {
  for (const attribute of instance.entity.attributes.values())
    if (attribute.persistent) linkAttribute(choose, world, attribute, instance.values);
}

function linkAttribute(choose: Choose, world: World, attribute: Attribute, values: Record<string, WorldValue>): void {
  const { model } = world;
  const held = values[attribute.name] ?? null;
  if (attribute.kind === 'embedded' && held !== null) {
    for (const inner of entityOf(model, attribute.target).attributes.values())
      linkAttribute(choose, world, inner, held as Record<string, WorldValue>);
  }
  if (attribute.kind !== 'reference' || !attribute.owning) return;
  const targets = rowsOf(world, entityOf(model, attribute.target));
  if (attribute.cardinality === 'MANY_TO_MANY') {
    values[attribute.name] = some(choose, targets, 40);
    return;
  }
  if (attribute.tree === true) {
    // No instance is below itself: parents come before their children.
    const at = targets.findIndex((target) => target.values === values);
    values[attribute.name] = at <= 0 || chance(choose, 25) ? null : pick(choose, targets.slice(0, at));
    return;
  }
  // Of a 1:1 reference no two rows may have the same target.
  const taken = new Set(world.instances.map((other) => other.values[attribute.name]));
  const free = attribute.cardinality === 'ONE_TO_ONE' ? targets.filter((target) => !taken.has(target)) : targets;
  values[attribute.name] = free.length === 0 || chance(choose, 25) ? null : pick(choose, free);
}
