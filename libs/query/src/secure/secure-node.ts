import type { Model } from '@lintel/metadata';
import { dependencyNode, isComputed } from '../resolve/resolve-node.ts';
import type { ResolvedNode } from '../resolve/resolved-query.ts';
import type { SecuredNode } from './secured-query.ts';
import { TRUSTED, type Visibility } from './visibility.ts';

/** Drops what the caller may not view, at every level (contract-security-core.md §4.1). */
export function secureNode(model: Model, node: ResolvedNode, visibility: Visibility): SecuredNode {
  const { entity } = node;
  const properties = node.properties
    .filter(({ attribute }) => visibility.mayView(entity, attribute))
    .map(({ attribute, node: nested }) => {
      // A key is shown whole, whoever may view its parts.
      const below = entity.key?.attribute === attribute.name ? TRUSTED : visibility;
      return { attribute, node: nested === undefined ? undefined : secureNode(model, nested, below) };
    });
  const policies = visibility.predicatesOf(entity);
  return Object.freeze({
    entity,
    properties: Object.freeze(properties),
    // No attribute policy is about them (contract-security-core.md §6.11); what they refer to must be readable.
    dynamic: node.dynamic
      .filter(({ node: nested }) => nested === undefined || visibility.canRead(nested.entity))
      .map(({ attribute, node: nested }) => ({
        attribute,
        node: nested === undefined ? undefined : secureNode(model, nested, visibility),
      })),
    // The predicates of the instance itself are tested once, on the node that is shown. Where all computed
    // attributes are hidden, nothing would drop their inputs from the answer.
    inputs:
      node.inputs === undefined || !properties.some(({ attribute }) => isComputed(attribute))
        ? undefined
        : { ...secureNode(model, node.inputs, visibility), policy: undefined },
    policy:
      policies.length === 0
        ? undefined
        : policies.map(({ entity: about, predicates }) => {
            const paths = [...new Set(predicates.flatMap((predicate) => predicate.dependsOn))];
            return { predicates, node: secureNode(model, dependencyNode(model, about, paths), TRUSTED) };
          }),
  });
}
