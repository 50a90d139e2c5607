import { type ValidationItem, validationError } from '@lintel/errors';
import { mapInSlices } from '../../slices/map-in-slices.ts';
import type { InstanceNode } from '../graph/instance-node.ts';
import type { SaveGraph } from '../merge/build-graph.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { checkPassword } from './check-password.ts';
import { loadMembers } from './load-members.ts';
import { testRules, testRulesWithout } from './test-rules.ts';
import { validateNode } from './validate-node.ts';

/**
 * Tests every rule of every instance before anything is written (contract/writing.md#validation).
 *
 * @param beforeRefusal checks whose errors take precedence
 * @throws PlatformError DATA_VALIDATION_FAILED with all violations
 */
export async function validateGraph(
  scope: WriteScope,
  graph: SaveGraph,
  beforeRefusal: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { model, now, localize } = scope;
  const violations = new Map<InstanceNode, readonly ValidationItem[] | undefined>(
    await mapInSlices(graph.nodes, (node) => [node, testRulesWithout(model, node, localize)]),
  );
  const open = graph.nodes.filter((node) => violations.get(node) === undefined);
  const members = await loadMembers(scope, graph, open);
  await mapInSlices(open, (node) => violations.set(node, testRules(model, node, members.get(node) ?? {}, localize)));
  const found = await mapInSlices(graph.nodes, (node) => [
    ...validateNode(model, node, now, localize),
    ...checkPassword(scope, node),
    ...(violations.get(node) ?? []),
  ]);
  const items = found.flat();
  if (items.length === 0) return;
  await beforeRefusal();
  throw validationError(items);
}
