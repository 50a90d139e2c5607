import type { Entity, Model } from '@lintel/metadata';
import type { SelectQuery } from '../../ast/select-query.ts';
import type { LiteralType } from '../../literals/literal-type.ts';
import type { QueryParameter } from '../../parse/parsed-query.ts';
import { languageError } from './context.ts';
import { resolveSelect, selectedInstances } from './resolve-select.ts';

/** A value that a query selects. */
export interface SelectedValue {
  readonly name: string;
  readonly type: LiteralType;
}

/** What the rows of a query are: instances of an entity, or values. */
export interface SelectDescription {
  /** Of the instances; for values the entity of the first variable. */
  readonly entity: Entity;
  /** Undefined if the rows are instances. */
  readonly values: readonly SelectedValue[] | undefined;
}

/**
 * Determines the result of a query.
 *
 * @throws QuerySyntaxError with the position of a name, type or form that does not fit
 */
export function describeSelect(
  model: Model,
  query: SelectQuery,
  parameters: readonly QueryParameter[],
): SelectDescription {
  const select = resolveSelect(query, {
    model,
    scope: { variables: new Map(), outer: undefined },
    self: undefined,
    parameters: new Map(parameters.map((parameter, index) => [parameter.name, { ...parameter, index }])),
    used: new Set(),
    noAggregates: undefined,
  });
  const instances = selectedInstances(select);
  if (instances !== undefined) return { entity: instances.root.entity, values: undefined };
  const values = select.items.map(({ name, expression }, at): SelectedValue => {
    if (expression.type.kind !== 'scalar')
      throw languageError(
        'Expected one instance alone, or values: of an instance together with values, select attributes',
        query.items[at]?.expression.position ?? query.position,
      );
    return { name, type: expression.type.type };
  });
  const [range] = select.ranges;
  if (range === undefined) throw languageError('Expected FROM', query.position);
  return { entity: range.variable.entity, values };
}
