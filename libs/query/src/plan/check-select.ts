import type { Entity, Model } from '@lintel/metadata';
import type { SelectQuery } from '../ast/select-query.ts';
import type { QueryParameter } from '../parse/parsed-query.ts';
import { resolveSelection } from '../resolve/language/resolve-selection.ts';
import { walkSelect } from '../resolve/language/walk-bound.ts';
import { createStatementContext } from './create-statement-context.ts';
import { trySelect } from './trusted.ts';

/** The static properties of a query. */
export interface CheckedSelect {
  readonly returns: 'instances' | 'values';
  /** Names of the entities whose rows decide the result, in addition to those of the fetch plan. */
  readonly entities: readonly string[];
  /** Names of the parameters whose values the server fills in. */
  readonly serverParameters: readonly string[];
}

/**
 * Checks a query against the model when it is loaded, so that no request meets one that cannot be compiled.
 *
 * @throws QuerySyntaxError with the position of the name, type or form that does not fit
 */
export function checkSelect(
  model: Model,
  entity: Entity,
  query: SelectQuery,
  parameters: readonly QueryParameter[],
): CheckedSelect {
  const { select, root } = resolveSelection(model, entity, query, parameters);
  trySelect(select, createStatementContext(model));
  const entities = new Set<string>([entity.name]);
  const serverParameters = new Set<string>();
  walkSelect(select, {
    session: (name) => serverParameters.add(name),
    range: (variable) => entities.add(variable.entity.name),
    path: (path) => {
      for (const { target } of path.steps) entities.add(target.name);
      if (path.leaf.kind === 'reference') entities.add(path.leaf.target.name);
    },
  });
  return {
    returns: root === undefined ? 'values' : 'instances',
    entities: [...entities],
    serverParameters: [...serverParameters],
  };
}
