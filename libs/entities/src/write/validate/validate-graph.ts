import { type ValidationItem, validationError } from '@lintel/errors';
import { mapInSlices } from '../../slices/map-in-slices.ts';
import type { SaveGraph } from '../merge/build-graph.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { checkPassword } from './check-password.ts';
import { loadMembers } from './load-members.ts';
import { testRules, testRulesWithout } from './test-rules.ts';
import { validateNode } from './validate-node.ts';

/** The violated rules of each instance as a whole. Collections are loaded only for rules that read them. */
async function violatedRules(scope: WriteScope, graph: SaveGraph): Promise<readonly (readonly ValidationItem[])[]> {
  const { model, localize } = scope;
  const found = await mapInSlices(graph.nodes, (node) => testRulesWithout(model, node, localize));
  const open = graph.nodes.filter((_, at) => found[at] === undefined);
  const members = open.length === 0 ? undefined : await loadMembers(scope, graph, open);
  return mapInSlices(
    graph.nodes,
    (node, at) => found[at] ?? testRules(model, node, members?.get(node) ?? {}, localize),
  );
}

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
  const items: ValidationItem[] = [];
  const violations = await violatedRules(scope, graph);
  await mapInSlices(graph.nodes, (node, at) => {
    for (const item of validateNode(model, node, now, localize)) items.push(item);
    for (const item of checkPassword(scope, node)) items.push(item);
    for (const item of violations[at] ?? []) items.push(item);
  });
  if (items.length === 0) return;
  await beforeRefusal();
  throw validationError(items);
}
