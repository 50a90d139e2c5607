import { type ValidationItem, validationError } from '@lintel/errors';
import type { SaveGraph } from '../merge/build-graph.ts';
import type { InstanceNode } from '../merge/instance-node.ts';
import { testRules, testRulesWithout } from '../validate/test-rules.ts';
import { validateNode } from '../validate/validate-node.ts';
import { loadMembers } from './load-members.ts';
import type { WriteScope } from './write-scope.ts';

/**
 * Tests every rule of every instance before anything is written (contract §3.12).
 *
 * @param beforeRefusal checks whose errors come first
 * @throws PlatformError DATA_VALIDATION_FAILED with all violations
 */
export async function validateGraph(
  scope: WriteScope,
  graph: SaveGraph,
  beforeRefusal: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { model, now, localize } = scope;
  const violations = new Map<InstanceNode, readonly ValidationItem[] | undefined>(
    graph.nodes.map((node) => [node, testRulesWithout(model, node, localize)]),
  );
  const open = graph.nodes.filter((node) => violations.get(node) === undefined);
  const members = await loadMembers(scope, graph, open);
  for (const node of open) violations.set(node, testRules(model, node, members.get(node) ?? {}, localize));
  const items = graph.nodes.flatMap((node) => [
    ...validateNode(model, node, now, localize),
    ...(violations.get(node) ?? []),
  ]);
  if (items.length === 0) return;
  await beforeRefusal();
  throw validationError(items);
}
