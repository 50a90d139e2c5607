import type { Entity, Model } from '@lintel/metadata';
import type { SelectQuery } from '../../ast/select-query.ts';
import type { QueryParameter } from '../../parse/parsed-query.ts';
import type { ResolvedSelection } from '../resolved-query.ts';
import { type LanguageContext, languageError } from './context.ts';
import { resolveSelect, selectedInstances } from './resolve-select.ts';

/**
 * Binds a query to the model. Its result is instances of the entity, or values.
 *
 * @throws QuerySyntaxError with the position of a name, type or form that does not fit
 */
export function resolveSelection(
  model: Model,
  entity: Entity,
  query: SelectQuery,
  parameters: readonly QueryParameter[],
): ResolvedSelection {
  const context: LanguageContext = {
    model,
    scope: { variables: new Map(), outer: undefined },
    self: undefined,
    parameters: new Map(parameters.map((parameter, index) => [parameter.name, { ...parameter, index }])),
    used: new Set(),
    noAggregates: undefined,
  };
  const select = resolveSelect(query, context);
  const unused = parameters.find(({ name }) => !context.used.has(name));
  if (unused !== undefined)
    throw languageError(`The parameter ${unused.name} is declared, but not used`, query.position);
  const instances = selectedInstances(select);
  if (instances === undefined) {
    const at = select.items.findIndex(({ expression }) => expression.type.kind !== 'scalar');
    if (at >= 0)
      throw languageError(
        'Expected one instance alone, or values: of an instance together with values, select attributes',
        query.items[at]?.expression.position ?? query.position,
      );
    return Object.freeze({ select, root: undefined });
  }
  if (instances.root.entity !== entity)
    throw languageError(
      `The query is of ${entity.name}, but selects instances of ${instances.root.entity.name}`,
      query.items[0]?.expression.position ?? query.position,
    );
  return Object.freeze(instances);
}
