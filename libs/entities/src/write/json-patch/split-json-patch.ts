import type { Entity, Model } from '@lintel/metadata';
import { parseEntityId } from '@lintel/query';
import type { NamedKey } from '../authorize/load-for-change.ts';
import { keyText } from '../values/value.ts';
import { invalidOperation, type Operation } from './parse-json-patch.ts';

/** The operations on one instance, with paths from this instance. */
export interface InstancePatch {
  readonly named: NamedKey;
  readonly operations: readonly Operation[];
}

/**
 * Divides the JSON Patch of a collection, whose paths begin with the ids of instances
 * (contract/writing.md#json-patch-of-several).
 *
 * @returns one for each instance, in the order in which the patch names them first
 * @throws PlatformError REQ_INVALID_PATCH naming the operation
 */
export function splitJsonPatch(
  model: Model,
  entity: Entity,
  operations: readonly Operation[],
): readonly InstancePatch[] {
  const patches = new Map<string, { readonly named: NamedKey; readonly operations: Operation[] }>();
  for (const operation of operations) {
    const { named, path } = instanceOf(model, entity, operation.path, operation.at);
    const key = keyText(named.key);
    const from = operation.from.length === 0 ? undefined : instanceOf(model, entity, operation.from, operation.at);
    if (from !== undefined && keyText(from.named.key) !== key)
      throw invalidOperation(operation.at, "'path' and 'from' must lead to the same instance");
    const patch = patches.get(key) ?? { named, operations: [] };
    patches.set(key, patch);
    patch.operations.push({ ...operation, path, from: from?.path ?? [] });
  }
  return [...patches.values()];
}

function instanceOf(model: Model, entity: Entity, [text = '', ...path]: readonly string[], at: number) {
  if (path.length === 0)
    throw invalidOperation(
      at,
      'a path is the id of an instance and a path in it: instances are created by POST and deleted by DELETE',
    );
  return { named: { key: keyOf(model, entity, text, at), text }, path };
}

function keyOf(model: Model, entity: Entity, text: string, at: number) {
  try {
    return parseEntityId(model, entity, text);
  } catch {
    throw invalidOperation(at, `a path begins with the id of an instance, not with '${text}'`);
  }
}
