import type { InstanceNode } from '../merge/instance-node.ts';
import type { WriteScope } from './write-scope.ts';

const USER = 'sec_User';
const PASSWORD = 'password';

/** Replaces new passwords of users by their hashes; validation has seen the clear text, nothing else does. */
export async function hashPasswords(
  scope: WriteScope,
  nodes: readonly InstanceNode[],
): Promise<readonly InstanceNode[]> {
  if (!nodes.some((node) => node.entity.name === USER)) return nodes;
  return Promise.all(
    nodes.map(async (node) => {
      const password = node.after.get(PASSWORD);
      const isNew = password !== node.before?.get(PASSWORD);
      if (node.entity.name !== USER || typeof password !== 'string' || !isNew) return node;
      return { ...node, after: new Map([...node.after, [PASSWORD, await scope.hashPassword(password)]]) };
    }),
  );
}
