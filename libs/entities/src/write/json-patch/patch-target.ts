import {
  type Attribute,
  type DynamicAttribute,
  dynamicAttributesOf,
  dynamicMemberOf,
  type Entity,
  entityOf,
  isToMany,
  type Model,
  type ReferenceAttribute,
} from '@lintel/metadata';
import { parseEntityId, type Visibility } from '@lintel/query';
import type { Access } from '@lintel/security';
import type { Key } from '../values/value.ts';

/** An object on the way to the target: an embedded object, the single child, or a child of a collection. */
export type Step =
  | { readonly kind: 'object'; readonly name: string; readonly entity: Entity }
  | { readonly kind: 'member'; readonly name: string; readonly entity: Entity; readonly key: Key };

/** What a path of a JSON Patch addresses below its attribute. */
export type Rest =
  | { readonly kind: 'whole' }
  /** Inside a JSON value, or an element of a collection of values. */
  | { readonly kind: 'inside'; readonly tokens: readonly string[] }
  | { readonly kind: 'member'; readonly key: Key }
  | { readonly kind: 'newMember' }
  /** The id of the target of a reference. */
  | { readonly kind: 'id' };

/** A path of a JSON Patch, bound to the model. */
export interface Target {
  readonly steps: readonly Step[];
  /** The entity or embeddable of the attribute. */
  readonly entity: Entity;
  readonly attribute: TargetAttribute;
  readonly name: string;
  readonly rest: Rest;
}

/** `fixed` is what identifies the instance: it can only be tested. */
export type TargetAttribute =
  | Attribute
  | { readonly kind: 'dynamic'; readonly dynamic: DynamicAttribute }
  | { readonly kind: 'fixed'; readonly member: 'id' | '_entityName' };

/** Whether the attribute is a collection of instances. No type guard: a reference that is none is still one. */
export const isCollection = (attribute: TargetAttribute): boolean =>
  attribute.kind === 'reference' && isToMany(attribute);

/** What binding a path needs. */
export interface TargetContext {
  readonly model: Model;
  /** That of reads: what no response shows can be neither compared nor changed inside. */
  readonly visibility: Visibility;
  readonly access: Pick<Access, 'mayModify' | 'mayView'>;
}

/** Why a path is refused; without regard to what is stored. */
export class TargetError extends Error {}

/**
 * Binds a path of a JSON Patch (contract/writing.md#json-patch). Attributes that the caller may not view are unknown:
 * neither an operation nor its error shows that they exist.
 *
 * @throws TargetError naming the mistake
 */
export function resolveTarget(
  context: TargetContext,
  entity: Entity,
  tokens: readonly string[],
  steps: readonly Step[] = [],
): Target {
  const [name = '', ...rest] = tokens;
  const found = attributeOf(context, entity, name, steps.length === 0);
  if (found === undefined) throw new TargetError(`${entity.name} has no attribute '${name}'`);
  const here = { steps, entity, name, attribute: found };
  if (rest.length === 0) return { ...here, rest: { kind: 'whole' } };
  switch (found.kind) {
    case 'datatype':
      if (found.datatype !== 'json') break;
      return { ...here, rest: { kind: 'inside', tokens: rest } };
    case 'elements':
      if (rest.length > 1) break;
      return { ...here, rest: { kind: 'inside', tokens: rest } };
    case 'embedded':
      return below(context, entityOf(context.model, found.target), rest, steps, { kind: 'object', name });
    case 'reference':
      return isCollection(found) ? inMembers(context, here, found, rest) : inReference(context, here, found, rest);
    default:
  }
  throw new TargetError(`'${name}' is a single value`);
}

function below(
  context: TargetContext,
  entity: Entity,
  tokens: readonly string[],
  steps: readonly Step[],
  step: { readonly kind: 'object'; readonly name: string } | Omit<Extract<Step, { kind: 'member' }>, 'entity'>,
): Target {
  return resolveTarget(context, entity, tokens, [...steps, { ...step, entity } as Step]);
}

type Here = Omit<Target, 'rest'>;

function inReference(
  context: TargetContext,
  here: Here,
  attribute: ReferenceAttribute,
  rest: readonly string[],
): Target {
  const target = entityOf(context.model, attribute.target);
  if (attribute.composition) return below(context, target, rest, here.steps, { kind: 'object', name: here.name });
  if (rest.length === 1 && (rest[0] === 'id' || rest[0] === target.key?.attribute))
    return { ...here, rest: { kind: 'id' } };
  throw new TargetError(`'${here.name}' refers to another instance, of which the patch can address only the id`);
}

function inMembers(
  context: TargetContext,
  here: Here,
  attribute: ReferenceAttribute,
  [token = '', ...rest]: readonly string[],
): Target {
  const target = entityOf(context.model, attribute.target);
  if (token === '-' && rest.length === 0) return { ...here, rest: { kind: 'newMember' } };
  const key = keyOf(context.model, target, token);
  if (key === undefined)
    throw new TargetError(`Members of '${here.name}' are addressed by their ids, not by '${token}'`);
  if (rest.length === 0) return { ...here, rest: { kind: 'member', key } };
  if (!attribute.composition)
    throw new TargetError(
      `The members of '${here.name}' are other instances, whose attributes the patch cannot address`,
    );
  return below(context, target, rest, here.steps, { kind: 'member', name: here.name, key });
}

function keyOf(model: Model, entity: Entity, token: string): Key | undefined {
  try {
    return parseEntityId(model, entity, token);
  } catch {
    return undefined;
  }
}

function attributeOf(
  context: TargetContext,
  entity: Entity,
  name: string,
  isRoot: boolean,
): TargetAttribute | undefined {
  const isInstance = entity.kind === 'entity';
  if (isInstance && (name === 'id' || name === entity.key?.attribute)) return { kind: 'fixed', member: 'id' };
  if (isInstance && name === '_entityName') return { kind: 'fixed', member: '_entityName' };
  const dynamic = isRoot
    ? dynamicAttributesOf(context.model, entity).find((one) => dynamicMemberOf(one) === name)
    : undefined;
  if (dynamic !== undefined) return { kind: 'dynamic', dynamic };
  const attribute = entity.attributes.get(name);
  if (attribute === undefined) return undefined;
  const isKnown = context.access.mayModify(entity.name, name) || context.visibility.mayView(entity, attribute);
  return isKnown ? attribute : undefined;
}

/** Whether a response shows the attribute to the caller, so that its value may be tested, moved and copied. */
export function isShown(context: TargetContext, root: Entity, target: Target): boolean {
  const { entity, attribute } = target;
  if (!isReachable(context, root, target)) return false;
  if (attribute.kind === 'dynamic' || attribute.kind === 'fixed') return true;
  return !attribute.secret && context.visibility.mayView(entity, attribute);
}

/** Whether the caller may change the attribute, and each object on the way. */
export function isModifiable(
  { access }: TargetContext,
  root: Entity,
  { steps, entity, attribute, name }: Target,
): boolean {
  if (attribute.kind === 'fixed') return false;
  let owner = root;
  for (const step of steps) {
    if (!access.mayModify(owner.name, step.name)) return false;
    owner = step.entity;
  }
  return attribute.kind === 'dynamic' || access.mayModify(entity.name, name);
}

/** Whether responses show the caller each object on the way: what is not shown cannot be addressed. */
export function isReachable({ visibility }: TargetContext, root: Entity, { steps }: Target): boolean {
  let owner = root;
  for (const step of steps) {
    const attribute = owner.attributes.get(step.name);
    if (attribute === undefined || !visibility.mayView(owner, attribute)) return false;
    owner = step.entity;
  }
  return true;
}
