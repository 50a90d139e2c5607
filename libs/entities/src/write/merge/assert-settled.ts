import { validationError } from '@lintel/errors';
import type { InstanceNode } from '../graph/instance-node.ts';
import { type Disagreement, settleShared } from '../graph/settle-shared.ts';
import { isKnownTo } from '../scope/error-access.ts';
import type { WriteScope } from '../scope/write-scope.ts';
import { plainText, sharedColumnText } from '../values/messages.ts';
import { copyOf, type MutableValues } from '../values/slot-values.ts';
import type { Values } from '../values/value.ts';

type SettledNode = Pick<InstanceNode, 'entity' | 'layout' | 'path' | 'sent'>;

/**
 * Settles the values of references over columns of other attributes, for an instance of a save.
 *
 * @throws PlatformError DATA_VALIDATION_FAILED naming the attributes that do not agree
 */
export function assertSettled(
  scope: WriteScope,
  node: SettledNode,
  values: MutableValues,
  given: ReadonlySet<string>,
): void {
  const found = settleShared(node.layout, values, given);
  if (found.length === 0) return;
  throw validationError(found.map((disagreement) => itemOf(scope, node, disagreement)));
}

/** Settles an instance some of whose references were set back to their stored values. */
export function settleKept(scope: WriteScope, node: InstanceNode, before: Values): InstanceNode {
  const kept = node.layout.overShared
    .map(({ path }) => path)
    .filter((path) => node.after.get(path) !== before.get(path));
  if (kept.length === 0) return node;
  const after = copyOf(node.after);
  assertSettled(scope, node, after, new Set(kept));
  return { ...node, after };
}

function itemOf({ errorAccess, localize }: WriteScope, node: SettledNode, { path, other }: Disagreement) {
  const { entity } = node;
  const [attribute = ''] = other.split('.', 1);
  const isKnown =
    attribute === entity.key?.attribute ||
    (isKnownTo(errorAccess, entity.name) &&
      (errorAccess.mayView(entity.name, attribute) || errorAccess.mayModify(entity.name, attribute)));
  const text = isKnown ? sharedColumnText(other) : plainText('{lintel.validation.InvalidValue.message}');
  return {
    message: localize(text, entity.name),
    messageTemplate: text.messageTemplate,
    path: node.path === '' ? path : `${node.path}.${path}`,
    invalidValue: node.sent.get(path) ?? null,
  };
}
