import type { Model } from '@lintel/metadata';
import { dependencyNode, isComputed } from '../resolve/resolve-node.ts';
import type { ResolvedNode } from '../resolve/resolved-query.ts';
import { assertMembersVisible } from './secure-paths.ts';
import type { SecuredNode } from './secured-query.ts';
import type { Visibility } from './visibility.ts';

/** Drops what the caller may not view, at every level (contract/roles.md#attributes-read). */
export function secureNode(model: Model, node: ResolvedNode, visibility: Visibility): SecuredNode {
  const { entity } = node;
  const properties = node.properties
    .filter(({ attribute }) => visibility.mayView(entity, attribute))
    .map(({ attribute, node: nested, members }) => {
      if (nested === undefined) return { attribute, node: undefined };
      if (members !== undefined) assertMembersVisible(model, attribute, members, nested.entity, visibility);
      // A key is always returned as a whole, whether or not the caller may view its parts.
      const isKey = entity.key?.attribute === attribute.name;
      const secured = isKey ? wholeNode(nested) : secureNode(model, nested, visibility);
      return { attribute, node: secured, ...(members && { members }) };
    });
  const policies = visibility.predicatesOf(entity);
  return Object.freeze({
    entity,
    properties: Object.freeze(properties),
    // No attribute policy is about them (contract/dynamic-attributes.md#dynamic-attributes); what they refer to must be
    // readable.
    dynamic: node.dynamic
      .filter(({ node: nested }) => nested === undefined || visibility.canRead(nested.entity))
      .map(({ attribute, node: nested }) => ({
        attribute,
        node: nested === undefined ? undefined : secureNode(model, nested, visibility),
      })),
    // The predicates of the instance itself are tested once, on the returned node. Where all computed
    // attributes are hidden, nothing would remove their inputs from the response.
    inputs:
      node.inputs === undefined || !properties.some(({ attribute }) => isComputed(attribute))
        ? undefined
        : { ...secureNode(model, node.inputs, visibility), policy: undefined },
    policy:
      policies.length === 0
        ? undefined
        : policies.map(({ entity: about, predicates }) => {
            const paths = [...new Set(predicates.flatMap((predicate) => predicate.dependsOn))];
            return { predicates, node: wholeNode(dependencyNode(model, about, paths)) };
          }),
  });
}

/** Drops nothing: for keys, and for attributes that predicates read, which are not in the response. */
function wholeNode({ entity, properties, dynamic, inputs }: ResolvedNode): SecuredNode {
  const whole = (node: ResolvedNode | undefined): SecuredNode | undefined =>
    node === undefined ? undefined : wholeNode(node);
  return Object.freeze({
    entity,
    properties: Object.freeze(properties.map(({ attribute, node }) => ({ attribute, node: whole(node) }))),
    dynamic: dynamic.map(({ attribute, node }) => ({ attribute, node: whole(node) })),
    inputs: whole(inputs),
    policy: undefined,
  });
}
