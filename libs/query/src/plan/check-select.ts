import type { Entity, Model } from '@lintel/metadata';
import type { SelectQuery } from '../ast/select-query.ts';
import type { QueryParameter } from '../parse/parsed-query.ts';
import { resolveSelection } from '../resolve/language/resolve-selection.ts';
import { walkSelect } from '../resolve/language/walk-bound.ts';
import { TRUSTED } from '../secure/visibility.ts';
import { PlanLevel } from './language/plan-level.ts';
import { planSelect } from './language/plan-select.ts';
import { AliasSource } from './row-source.ts';

/** What is known of a query before anybody runs it. */
export interface CheckedSelect {
  readonly answers: 'instances' | 'values';
  /** Names of the entities whose rows decide the answer, besides those that the fetch plan shows. */
  readonly entities: readonly string[];
}

/**
 * Checks a query against the model when it is loaded, so that no request meets one that cannot be compiled.
 *
 * @throws QuerySyntaxError with the place of the name, type or form that does not fit
 */
export function checkSelect(
  model: Model,
  entity: Entity,
  query: SelectQuery,
  parameters: readonly QueryParameter[],
): CheckedSelect {
  const { select, root } = resolveSelection(model, entity, query, parameters);
  planSelect(select, new PlanLevel({ model, visibility: TRUSTED, aliases: new AliasSource() }, undefined));
  const entities = new Set<string>([entity.name]);
  walkSelect(select, {
    range: (variable) => entities.add(variable.entity.name),
    path: (path) => {
      for (const { target } of path.steps) entities.add(target.name);
      if (path.leaf.kind === 'reference') entities.add(path.leaf.target.name);
    },
  });
  return { answers: root === undefined ? 'values' : 'instances', entities: [...entities] };
}
