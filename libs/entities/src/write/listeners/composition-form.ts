import { isToOne, lineageOf, type Model } from '@lintel/metadata';
import type { InstanceNode } from '../graph/instance-node.ts';
import { toJsonForm } from '../values/json-form.ts';
import { keyText } from '../values/value.ts';

/** A new instance in its JSON form, with its composition children at every depth. */
export type CompositionForm = (node: InstanceNode) => Record<string, unknown>;

/** The form of new instances of one save; their children are all among its nodes. */
export function compositionForm(model: Model, nodes: readonly InstanceNode[]): CompositionForm {
  let byKey: ReadonlyMap<string, InstanceNode> | undefined;
  const idOf = (entity: string, key: InstanceNode['key']): string => {
    const known = model.entities.get(entity);
    return `${known === undefined ? entity : lineageOf(model, known).at(-1)?.name} ${keyText(key)}`;
  };
  const formOf: CompositionForm = (node) => {
    const form = toJsonForm(model, node.layout, node.after);
    for (const attribute of node.entity.attributes.values()) {
      if (attribute.kind !== 'reference' || !attribute.composition || !attribute.persistent) continue;
      byKey ??= new Map(nodes.map((one) => [idOf(one.entity.name, one.key), one]));
      const all = byKey;
      const children = (node.children.get(attribute.name) ?? []).flatMap((key) => {
        const child = all.get(idOf(attribute.target, key));
        return child === undefined ? [] : [formOf(child)];
      });
      form[attribute.name] = isToOne(attribute) ? (children[0] ?? null) : children;
    }
    return form;
  };
  return formOf;
}
