import { clearPasswordOf, PASSWORD } from '../graph/clear-password.ts';
import type { InstanceNode } from '../graph/instance-node.ts';
import type { WriteScope } from '../scope/write-scope.ts';

/** Replaces new passwords of users by their hashes; validation has seen the clear text, nothing else does. */
export async function hashPasswords(
  scope: Pick<WriteScope, 'hashPassword'>,
  nodes: readonly InstanceNode[],
): Promise<readonly InstanceNode[]> {
  if (!nodes.some((node) => clearPasswordOf(node) !== undefined)) return nodes;
  const hashed: InstanceNode[] = [];
  // One after the other: hashes of a large batch would occupy all threads of the process.
  for (const node of nodes) {
    const password = clearPasswordOf(node);
    if (password === undefined) hashed.push(node);
    else hashed.push({ ...node, after: new Map([...node.after, [PASSWORD, await scope.hashPassword(password)]]) });
  }
  return hashed;
}
