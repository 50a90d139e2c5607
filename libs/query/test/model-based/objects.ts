import { type Attribute, type Entity, entityOf, familyTreeOf, isToOne, lineageOf } from '@lintel/metadata';
import { type Caller, hasPredicates, isKey, mayView } from './caller.ts';
import { isEmpty, isVisible, plain, seenTargets } from './conditions.ts';
import { dynamicOf } from './dynamic.ts';
import { Exact } from './exact.ts';
import { type Plan, type Selection, selectionsOf } from './fetch-plans.ts';
import { counted, described } from './generate-model.ts';
import { keyAttributesOf, scalarTypeOf } from './generate-world.ts';
import { type Scalar, shapeScalar } from './scalars.ts';
import { type Embedded, type Instance, isInstance, keyText, type World, type WorldValue } from './world.ts';

/** How results are shaped. */
export interface Showing {
  readonly world: World;
  readonly caller: Caller;
  /** Absent values are null instead of left out. */
  readonly returnNulls: boolean;
  /** No plan was given: computed attributes that it suffices for are shown, too. */
  readonly isDefault?: boolean;
  /** Dynamic attributes were requested. */
  readonly dynamic: boolean;
  /** The members of a collection that a selection keeps, in its order, and the page of them. */
  readonly select: (entity: Entity, members: readonly Instance[], selection: Selection) => SelectedMembers;
}

export interface SelectedMembers {
  readonly all: readonly Instance[];
  readonly page: readonly Instance[];
}

type ShapedObject = Record<string, unknown>;

/**
 * The JSON object of an instance that is seen as `entity`: contract/instances.md#object.
 *
 * @param above the instances on the way from the root
 */
export function shapeObject(
  showing: Showing,
  entity: Entity,
  instance: Instance,
  plan: Plan,
  above: readonly Instance[] = [],
): ShapedObject {
  const { model } = showing.world;
  const shaped: ShapedObject = {
    _entityName: instance.entity.name,
    _instanceName: instanceName(showing, entity, instance),
    id: shapeId(showing, instance),
  };
  const root = (one: Instance): Entity | undefined => lineageOf(model, one.entity).at(-1);
  const isAbove = above.some((other) => root(other) === root(instance) && keyText(other.key) === keyText(instance.key));
  if (isAbove) return shaped;
  showAttributes(showing, entity, instance, plan, [...above, instance], shaped);
  if (showing.dynamic) showDynamic(showing, entity, instance, shaped);
  showMemberFacts(showing, entity, instance, plan, shaped);
  return shaped;
}

/** Which collections are shown in part, and the requested numbers of members. */
function showMemberFacts(showing: Showing, entity: Entity, instance: Instance, plan: Plan, shaped: ShapedObject): void {
  const { world, caller } = showing;
  const partial: string[] = [];
  const counts: Record<string, unknown> = {};
  for (const attribute of entity.attributes.values()) {
    const selection = selectionsOf.get(plan)?.get(attribute.name);
    if (selection === undefined || attribute.kind !== 'reference') continue;
    if (!mayView(world.model, caller, entity, attribute)) continue;
    const { filter, limit, offset, count } = selection;
    // A filter without conditions leaves nothing out.
    const isFiltered = filter !== undefined && !(filter.kind === 'and' && filter.members.length === 0);
    if (isFiltered || limit !== undefined || offset !== undefined) partial.push(attribute.name);
    const members = seenTargets(world, caller, instance, attribute);
    const { all } = showing.select(entityOf(world.model, attribute.target), members, selection);
    if (count) counts[attribute.name] = new Exact(String(all.length));
  }
  if (partial.length > 0) shaped['_partial'] = partial;
  if (Object.keys(counts).length > 0) shaped['_counts'] = counts;
}

/** No plan names them and no policy is about them; what they refer to is shown by its identity. */
function showDynamic(showing: Showing, entity: Entity, instance: Instance, shaped: ShapedObject): void {
  const { world, caller } = showing;
  for (const { member, attribute, type, values } of dynamicOf(world, entity.name, instance)) {
    if (attribute.target !== undefined && caller.unreadable.has(attribute.target)) continue;
    const items = values.flatMap((value): readonly unknown[] => {
      if (!isInstance(value)) return type === undefined ? [] : [shapeScalar(type, value)];
      if (!isVisible(world, caller, value)) return [];
      const identity = { ...showing, dynamic: false };
      return [shapeObject(identity, entityOf(world.model, attribute.target ?? ''), value, new Map())];
    });
    const held = items.length === 0 ? null : attribute.collection ? items : items[0];
    if (held !== null || showing.returnNulls) shaped[member] = held;
  }
}

/** Adds the attributes of the plan that the caller may see, in the order of the model. */
function showAttributes(
  showing: Showing,
  entity: Entity,
  holder: Instance | Embedded,
  plan: Plan,
  above: readonly Instance[],
  shaped: ShapedObject,
): void {
  const { world, caller } = showing;
  for (const attribute of entity.attributes.values()) {
    const isPlanned =
      plan.has(attribute.name) ||
      (showing.isDefault && above.length <= 1 && isInstance(holder) && isComputedOf(attribute, plan));
    if (!isPlanned || attribute.secret || !mayView(world.model, caller, entity, attribute)) continue;
    if (attribute.name === 'id' && isKey(entity, attribute)) continue;
    const selection = selectionsOf.get(plan)?.get(attribute.name);
    const select = (target: Entity, members: readonly Instance[]): readonly Instance[] =>
      selection === undefined ? members : showing.select(target, members, selection).page;
    const below = plan.get(attribute.name) ?? new Map();
    const value = shapeValue({ ...showing, shown: select }, entity, attribute, holder, below, above);
    if (value !== null || showing.returnNulls) shaped[attribute.name] = value;
  }
}

const isComputedOf = (attribute: Attribute, plan: Plan): boolean =>
  attribute.kind === 'datatype' &&
  attribute.compute !== undefined &&
  attribute.dependsOn.every((name) => plan.has(name));

function shapeValue(
  showing: Showing & { readonly shown: (target: Entity, members: readonly Instance[]) => readonly Instance[] },
  entity: Entity,
  attribute: Attribute,
  holder: Instance | Embedded,
  plan: Plan,
  above: readonly Instance[],
): unknown {
  const { world, caller } = showing;
  const held: WorldValue = (isInstance(holder) ? holder.values : holder)[attribute.name] ?? null;
  if (!attribute.persistent) return computed(showing, entity, attribute, holder);
  switch (attribute.kind) {
    case 'datatype':
    case 'enum':
      return held === null ? null : shapeScalar(scalarTypeOf(world.model, attribute), held as Scalar);
    case 'elements':
      return (held as readonly Scalar[]).map((one) => shapeScalar(scalarTypeOf(world.model, attribute), one));
    case 'embedded': {
      const isKeyHere = isKey(entity, attribute);
      const embedded = held as Embedded | null;
      if (!isKeyHere && !attribute.mandatory && isEmpty(world, caller, attribute, embedded)) return null;
      const shaped: ShapedObject = {};
      // A key is always returned as a whole, whether or not the caller may view its parts.
      const inside = isKeyHere ? { ...showing, caller: { ...caller, hidden: new Set<string>() } } : showing;
      showAttributes(inside, entityOf(world.model, attribute.target), embedded ?? {}, plan, above, shaped);
      return shaped;
    }
    case 'reference': {
      const target = entityOf(world.model, attribute.target);
      const targets = seenTargets(world, caller, holder, attribute);
      const objects = showing
        .shown(target, targets)
        .map((one) => shapeObject(notDefault(showing), target, one, plan, above));
      return isToOne(attribute) ? (objects[0] ?? null) : objects;
    }
    default:
      return attribute satisfies never;
  }
}

const notDefault = (showing: Showing): Showing => ({ ...showing, isDefault: false });

/** The values of the two computed attributes of the generated models. */
function computed(
  { world, caller }: Pick<Showing, 'world' | 'caller'>,
  entity: Entity,
  attribute: Attribute,
  holder: Instance | Embedded,
): unknown {
  const [name = ''] = attribute.dependsOn;
  const needed = entity.attributes.get(name);
  if (needed === undefined || !isInstance(holder)) return null;
  const mayBeViewed = !needed.secret && mayView(world.model, caller, entity, needed);
  if (needed.kind === 'reference') {
    const count = counted(mayBeViewed ? seenTargets(world, caller, holder, needed) : null);
    return count === null ? null : new Exact(String(count));
  }
  return described(mayBeViewed ? plain(holder.values[name] ?? null) : null);
}

/** A number for integer keys, an object for composite ones, else a text (contract/decisions.md#7). */
function shapeId({ world: { model } }: Showing, { entity, key }: Instance): unknown {
  const parts = keyAttributesOf(model, entity);
  const shaped = parts.map((part, at) => shapeScalar(scalarTypeOf(model, part), key[at] ?? ''));
  const isComposite = entity.attributes.get(entity.key?.attribute ?? '')?.kind === 'embedded';
  return isComposite ? Object.fromEntries(parts.map(({ name }, at) => [name, shaped[at]])) : shaped[0];
}

/**
 * The instance name: by the definition of the concrete entity, of what the caller may view; hidden parts are
 * empty (contract/instances.md#instance-name, contract/decisions.md#28, #29).
 *
 * @param above entities whose names lead here
 */
export function instanceName(
  showing: Pick<Showing, 'world' | 'caller'>,
  entity: Entity,
  instance: Instance,
  above: readonly Entity[] = [],
): string {
  const seenAs = nameGiver(showing, entity, instance);
  const definition = seenAs.instanceName;
  if (definition === undefined) return [instance.entity.name, ...instance.key.map(String)].join('-');
  const part = (name: string): string | null => namePart(showing, seenAs, instance, name, above);
  if (definition.kind === 'method')
    return definition.format(Object.fromEntries(definition.dependsOn.map((name) => [name, part(name)])));
  return definition.parts.map((one) => ('text' in one ? one.text : (part(one.attribute) ?? ''))).join('');
}

/** The entity whose definition counts: where descendants have the same one, the topmost that is seen. */
function nameGiver({ world: { model } }: Pick<Showing, 'world'>, entity: Entity, instance: Instance): Entity {
  const family = familyTreeOf(model, entity);
  const candidates = lineageOf(model, instance.entity).filter(
    (one) => family.includes(one) && one.instanceName === instance.entity.instanceName,
  );
  return candidates.at(-1) ?? instance.entity;
}

function namePart(
  showing: Pick<Showing, 'world' | 'caller'>,
  entity: Entity,
  instance: Instance,
  name: string,
  above: readonly Entity[],
): string | null {
  const { world, caller } = showing;
  const { model } = world;
  const attribute = entity.attributes.get(name);
  if (attribute === undefined || attribute.secret || !mayView(model, caller, entity, attribute)) return null;
  if (attribute.kind === 'reference') {
    const target = entityOf(model, attribute.target);
    if (leadsBack(above, target, world) || hasPredicates(model, caller, target)) return null;
    const [one] = seenTargets(world, caller, instance, attribute);
    return one === undefined ? null : instanceName(showing, target, one, [...above, entity]);
  }
  if (!attribute.persistent) return computed(showing, entity, attribute, instance) as string | null;
  const held = instance.values[name] ?? null;
  return held === null ? null : String(held);
}

/** Names that refer to each other in a cycle end where an entity, or one of its family, is reached again. */
const leadsBack = (above: readonly Entity[], target: Entity, { model }: World): boolean =>
  above.some((entity) => lineageOf(model, entity).includes(target) || lineageOf(model, target).includes(entity));
