import { PlatformError } from '@lintel/errors';
import { type Entity, entityOf } from '@lintel/metadata';
import { isExactObject } from '@lintel/query';
import { keyMemberOf, readKey } from '../parse/parse-key.ts';
import { invalidOperation, type Operation, shownPointer } from './parse-json-patch.ts';
import {
  isCollection,
  isModifiable,
  isReachable,
  isShown,
  resolveTarget,
  type Target,
  type TargetContext,
  TargetError,
} from './patch-target.ts';

/** An operation whose paths are bound to the model, and which the caller may execute. */
export interface BoundOperation extends Operation {
  readonly target: Target;
  /** Of `move` and `copy`. */
  readonly source: Target | undefined;
}

/** The longest path that can lead to a value: plans and JSON values are nested less deeply. */
const MAX_TOKENS = 200;

/**
 * Binds the paths of an operation, and checks what does not depend on the stored instance.
 *
 * @throws PlatformError REQ_INVALID_PATCH; ACCESS_DENIED for an attribute that the caller may view and not change
 */
export function bindOperation(context: TargetContext, root: Entity, operation: Operation): BoundOperation {
  const { name, at, path, from } = operation;
  const target = withKeyOfValue(context, bindPath(context, root, at, path), operation);
  const isTest = name === 'test';
  if (target.rest.kind === 'newMember' && name !== 'add')
    throw invalidOperation(at, `'-' is the position of a new member: ${name} needs the id of one`);
  if (isTest) assertTestable(context, root, operation, target);
  else {
    // A change inside writes the rest of the value again, as it was read.
    if (target.rest.kind === 'inside') assertShown(context, root, at, target);
    assertChangeable(context, root, operation, target, path);
  }
  if (name !== 'move' && name !== 'copy') return { ...operation, target, source: undefined };
  const source = bindPath(context, root, at, from);
  assertShown(context, root, at, source);
  for (const one of [source, target])
    if (!isMovable(one)) throw invalidOperation(at, `${name} is for values, not for instances: use add and remove`);
  if (name === 'move') assertChangeable(context, root, operation, source, from);
  return { ...operation, target, source };
}

/** A new child that names its id is the member of that id, which must not be there. */
function withKeyOfValue({ model }: TargetContext, target: Target, { name, value }: Operation): Target {
  const { attribute, rest } = target;
  if (rest.kind !== 'newMember' || name !== 'add' || attribute.kind !== 'reference' || !attribute.composition)
    return target;
  const entity = entityOf(model, attribute.target);
  const sent = isExactObject(value) ? keyMemberOf(entity, value) : undefined;
  const key = sent === undefined ? undefined : readKey(model, entity, sent);
  return key === undefined ? target : { ...target, rest: { kind: 'member', key } };
}

function bindPath(context: TargetContext, root: Entity, at: number, tokens: readonly string[]): Target {
  if (tokens.length > MAX_TOKENS) throw invalidOperation(at, `a path has at most ${MAX_TOKENS} parts`);
  try {
    const target = resolveTarget(context, root, tokens);
    if (!isReachable(context, root, target)) throw unknown(target);
    return target;
  } catch (error) {
    if (error instanceof TargetError) throw invalidOperation(at, error.message);
    throw error;
  }
}

const unknown = ({ entity, name }: Target): TargetError => new TargetError(`${entity.name} has no attribute '${name}'`);

/** An attribute that no response shows the caller is unknown, so that a test cannot guess its value. */
function assertShown(context: TargetContext, root: Entity, at: number, target: Target): void {
  if (!isShown(context, root, target)) throw invalidOperation(at, unknown(target).message);
}

function assertTestable(context: TargetContext, root: Entity, { at }: Operation, target: Target): void {
  assertShown(context, root, at, target);
  const { attribute, rest } = target;
  if (isCollection(attribute) && rest.kind === 'whole')
    throw invalidOperation(at, `a collection of instances has no order: test its members by their ids`);
}

/** System attributes that only the server sets. */
const BY_SERVER = ['version', 'lastModifiedDate', 'lastModifiedBy', 'deletedDate', 'deletedBy'] as const;

function assertChangeable(
  context: TargetContext,
  root: Entity,
  { at }: Operation,
  target: Target,
  path: readonly string[],
): void {
  const { attribute, entity, name } = target;
  if (attribute.kind === 'fixed') throw invalidOperation(at, `'${name}' identifies the instance and cannot be changed`);
  if (attribute.kind !== 'dynamic') {
    const isComputed = attribute.kind === 'datatype' && attribute.compute !== undefined;
    const isByServer =
      BY_SERVER.some((one) => entity.system[one] === name) || name === parentLink(context, root, target);
    if (attribute.readOnly || attribute.generated === true || isComputed || isByServer)
      throw invalidOperation(at, `'${name}' is read-only`);
  }
  if (!isModifiable(context, root, target))
    throw new PlatformError('ACCESS_DENIED', `operations[${at}]: ${shownPointer(path)} may not be changed`);
}

/** The reference of a child to its parent, which the server sets. */
function parentLink({ model }: TargetContext, root: Entity, { steps }: Target): string | undefined {
  const last = steps.at(-1);
  if (last?.kind !== 'member') return undefined;
  const owner = steps.at(-2)?.entity ?? root;
  const collection = entityOf(model, owner.name).attributes.get(last.name);
  return collection?.kind === 'reference' ? collection.inverse : undefined;
}

/** Values can be moved and copied; instances have identities. */
function isMovable({ attribute, rest }: Target): boolean {
  if (rest.kind === 'member' || rest.kind === 'newMember') return false;
  return attribute.kind !== 'reference' || !(attribute.composition || isCollection(attribute));
}
