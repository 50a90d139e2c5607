import type { Entity, Model } from '@lintel/metadata';
import type { SelectQuery } from '../../ast/select-query.ts';
import type { QueryParameter } from '../../parse/parsed-query.ts';
import type { BoundExpression } from './bound-expression.ts';
import { resolveSelection } from './resolve-selection.ts';
import { walkSelect } from './walk-bound.ts';

/**
 * The names of the entities whose ids the parameters of a query are, by the names of the parameters: the query compares
 * them with the key of this entity alone.
 */
export function argumentEntities(
  model: Model,
  entity: Entity,
  query: SelectQuery,
  parameters: readonly QueryParameter[],
): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string | undefined>>();
  walkSelect(resolveSelection(model, entity, query, parameters).select, {
    compared(value, index) {
      const name = parameters[index]?.name ?? '';
      found.set(name, (found.get(name) ?? new Set()).add(identifiedBy(value)));
    },
  });
  return new Map(
    [...found].flatMap(([name, entities]): [string, string][] => {
      const [only] = entities;
      return entities.size === 1 && only !== undefined ? [[name, only]] : [];
    }),
  );
}

/** The entity that the value is an id or an instance of. */
function identifiedBy(value: BoundExpression): string | undefined {
  if (value.type.kind === 'entity') return value.type.entity.name;
  if (value.kind !== 'attribute') return undefined;
  const { owner, attribute } = value.path.leaf;
  return owner.key?.attribute === attribute.name ? owner.name : undefined;
}
