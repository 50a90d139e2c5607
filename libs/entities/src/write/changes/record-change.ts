import { dynamicMemberOf, type Entity } from '@lintel/metadata';
import type { InstanceNode } from '../graph/instance-node.ts';
import { changedPaths } from '../graph/merge-values.ts';
import type { StoredRow } from '../rows/rows.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import type { Values } from '../values/value.ts';

/** Entities whose changes concern the sessions of a user. */
const OF_USERS: ReadonlySet<string> = new Set(['sec_User', 'sec_RoleAssignment']);

function usernamesOf(entity: Entity, ...states: readonly (Values | undefined)[]): ReadonlySet<string> {
  if (!OF_USERS.has(entity.name)) return new Set();
  return new Set(
    states.flatMap((values) => {
      const username = values?.get('username');
      return typeof username === 'string' ? [username] : [];
    }),
  );
}

/** Records a saved instance for the events. */
export function recordChange(scope: WriteScope, node: InstanceNode): void {
  const paths = changedPaths(node.layout, node.before, node.after);
  scope.changes.note({
    entity: node.entity,
    key: node.key,
    change: node.kind === 'create' ? 'created' : 'updated',
    attributes: new Set([
      ...paths.map((path) => path.split('.', 1)[0] ?? path),
      ...(node.replaced ?? []),
      ...(node.dynamic ?? []).map(({ attribute }) => dynamicMemberOf(attribute)),
    ]),
    usernames: usernamesOf(node.entity, node.before, node.after),
    before: node.before,
    after: node.after,
  });
}

/** Records a deleted instance for the events. */
export function noteDeletion(scope: WriteScope, row: StoredRow): void {
  scope.changes.note({
    entity: row.entity,
    key: row.key,
    change: 'deleted',
    attributes: new Set(),
    usernames: usernamesOf(row.entity, row.values),
    before: row.values,
    after: undefined,
  });
}
