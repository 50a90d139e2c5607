import type { Model } from '@lintel/metadata';
import type { InstanceNode } from '../graph/instance-node.ts';
import { toJsonForm } from '../values/json-form.ts';
import { keyText } from '../values/value.ts';

/** A new instance in its JSON form, with its composition children at every depth. */
export type CompositionForm = (node: InstanceNode) => Record<string, unknown>;

/** The form of new instances of one save; their children are all among its nodes. */
export function compositionForm(model: Model, nodes: readonly InstanceNode[]): CompositionForm {
  let byKey: ReadonlyMap<string, InstanceNode> | undefined;
  const idOf = (rootName: string, key: InstanceNode['key']): string => `${rootName} ${keyText(key)}`;
  const formOf: CompositionForm = (node) => {
    const form = toJsonForm(model, node.layout, node.after);
    for (const { name, isOne, rootName } of node.layout.compositions) {
      const children: Record<string, unknown>[] = [];
      for (const key of node.children.get(name) ?? []) {
        byKey ??= new Map(nodes.map((one) => [idOf(one.layout.rootName, one.key), one]));
        const child = byKey.get(idOf(rootName, key));
        if (child !== undefined) children.push(formOf(child));
      }
      form[name] = isOne ? (children[0] ?? null) : children;
    }
    return form;
  };
  return formOf;
}
