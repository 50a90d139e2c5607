import type { Entity } from '@lintel/metadata';
import type { InstanceNode } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import { copyOf, type MutableValues } from '../values/slot-values.ts';
import type { Value } from '../values/value.ts';

export interface Stamp {
  /** `YYYY-MM-DDTHH:mm:ss.SSS` */
  readonly now: string;
  readonly username: string;
}

/** First version of an instance. */
const FIRST_VERSION = 1;

/**
 * Sets version and audit attributes (contract/writing.md#audit, #versions). A stored instance gets a new
 * version only when something differs, and only once in a transaction.
 *
 * @param isCounted the instance was written before in this transaction
 * @param isTouched counts as changed although none of its own values differs
 */
export function stampNode(node: InstanceNode, stamp: Stamp, isCounted: boolean, isTouched = false): InstanceNode {
  let after: MutableValues | undefined;
  const put = (name: string | undefined, value: Value): void => {
    if (name === undefined) return;
    after ??= copyOf(node.after);
    after.set(name, value);
  };
  const { system } = node.entity;
  if (node.kind === 'create') {
    put(system.version, FIRST_VERSION);
    put(system.createdDate, stamp.now);
    put(system.createdBy, stamp.username);
    put(system.lastModifiedDate, stamp.now);
    put(system.lastModifiedBy, null);
  } else if (!isCounted && (isTouched || changedPaths(node.layout, node.before, node.after).length > 0)) {
    put(system.version, nextVersion(node.entity, node));
    put(system.lastModifiedDate, stamp.now);
    put(system.lastModifiedBy, stamp.username);
  }
  return after === undefined ? node : { ...node, after };
}

const nextVersion = (entity: Entity, node: InstanceNode): number =>
  Number(node.before?.get(entity.system.version ?? '') ?? 0) + 1;
