import { suggestion } from '@lintel/errors';
import { type Entity, isToMany } from '@lintel/metadata';
import type { Expression, PathExpression, SourcePosition } from '../../ast/expression.ts';
import type { Range, RangeJoin, SelectItem, SelectQuery } from '../../ast/select-query.ts';
import { bindPath, descendantNamed, variableOf } from './attribute-access.ts';
import type { BoundExpression, Variable } from './bound-expression.ts';
import type { BoundItem, BoundJoin, BoundOrder, BoundRange, BoundSelect, RangeSource } from './bound-select.ts';
import { assertDistinct, assertGrouped } from './check-grouping.ts';
import { findVariable, type LanguageContext, languageError, type Scope } from './context.ts';
import { resolveExpression } from './resolve-expression.ts';
import { resolveCondition } from './resolve-test.ts';
import { walkExpression } from './walk-bound.ts';

/**
 * Binds a query, or a subquery in its context, to the model.
 *
 * @throws QuerySyntaxError with the position of the wrong part
 */
export function resolveSelect(select: SelectQuery, outer: LanguageContext): BoundSelect {
  const scope: Scope = { variables: new Map(), outer: outer.scope };
  const isSubquery = outer.scope.outer !== undefined || outer.scope.variables.size > 0;
  const [ordered] = select.orderBy;
  if (isSubquery && ordered !== undefined) throw languageError('A subquery has no order', ordered.expression.position);
  const where = { ...outer, scope, noAggregates: 'in a condition on single rows: use HAVING' };
  const ranges = select.ranges.map((range) => resolveRange(range, where));
  const condition = select.where === undefined ? undefined : resolveCondition(select.where, where);
  const groupBy = select.groupBy.map((expression) =>
    resolveExpression(expression, { ...where, noAggregates: 'in GROUP BY' }),
  );
  const context: LanguageContext = { ...where, noAggregates: undefined };
  const items = resolveItems(select.items, context);
  const having = select.having === undefined ? undefined : resolveCondition(select.having, context);
  const orderBy = select.orderBy.map(
    ({ expression, descending, nulls }): BoundOrder => ({
      expression: orderedBy(expression, items, context),
      descending,
      nulls,
    }),
  );
  const grouped = groupBy.length > 0 || hasAggregate(items, orderBy) || having !== undefined;
  const bound: BoundSelect = Object.freeze({
    distinct: select.distinct,
    items,
    ranges,
    where: condition,
    groupBy,
    having,
    orderBy,
    grouped,
  });
  if (grouped) assertGrouped(bound, select);
  if (bound.distinct) assertDistinct(bound, select);
  return bound;
}

function hasAggregate(items: readonly BoundItem[], orderBy: readonly BoundOrder[]): boolean {
  let found = false;
  const visitor = {
    aggregate: () => {
      found = true;
    },
  };
  for (const { expression } of [...items, ...orderBy]) walkExpression(expression, visitor);
  return found;
}

/** Adds a variable to the scope; names are one query's own. */
function declare(name: string, entity: Entity, position: SourcePosition, { scope }: LanguageContext): Variable {
  if (scope.variables.has(name)) throw languageError(`There are two variables of the name ${name}`, position);
  const variable: Variable = Object.freeze({ name, entity });
  scope.variables.set(name, variable);
  return variable;
}

function resolveRange({ source, variable: name, joins, position }: Range, context: LanguageContext): BoundRange {
  const { entity, source: bound } = sourceOf(source, undefined, context);
  const variable = declare(name, entity, position, context);
  return { variable, source: bound, joins: joins.map((join) => resolveJoin(join, context)) };
}

function resolveJoin(join: RangeJoin, context: LanguageContext): BoundJoin {
  const { kind, source, treatedAs, variable: name, on, position } = join;
  const { entity, source: bound } = sourceOf(source, treatedAs, context);
  if (bound.kind === 'entity' && on === undefined)
    throw languageError(`Expected ON after the join with ${entity.name}`, position);
  const variable = declare(name, entity, position, context);
  return { kind, variable, source: bound, on: on === undefined ? undefined : resolveCondition(on, context) };
}

/** An entity's name, a path from a variable, or a variable. */
function sourceOf(
  source: PathExpression,
  treatedAs: string | undefined,
  context: LanguageContext,
): { readonly entity: Entity; readonly source: RangeSource } {
  const [name = '', ...names] = source.names;
  const { position } = source;
  const variable = findVariable(context.scope, name);
  if (names.length === 0) {
    if (variable !== undefined) return { entity: variable.entity, source: { kind: 'same', as: variable } };
    return { entity: entityNamed(name, position, context), source: { kind: 'entity' } };
  }
  const from = variableOf(source, context);
  const path = bindPath(from.entity, names, position, context);
  const { leaf } = path;
  if (leaf.kind === 'elements')
    throw languageError(`${from.entity.name}.${path.text} is a collection of values: use MEMBER OF`, position);
  if (leaf.kind !== 'reference') throw languageError(`${from.entity.name}.${path.text} is no reference`, position);
  const entity = treatedAs === undefined ? leaf.target : descendantNamed(treatedAs, leaf.target, position, context);
  return {
    entity,
    source: { kind: 'path', from, path, treatedAs: treatedAs === undefined ? undefined : entity },
  };
}

function entityNamed(name: string, position: SourcePosition, { model }: LanguageContext): Entity {
  const entity = model.entities.get(name);
  if (entity?.kind === 'entity' && entity.key === undefined)
    throw languageError(`${name} has no key: a query cannot select from it`, position);
  if (entity?.kind === 'entity') return entity;
  const stored = [...model.entities.values()].filter(({ kind }) => kind === 'entity').map((one) => one.name);
  throw languageError(
    entity === undefined ? `Unknown entity ${name}${suggestion(name, stored)}` : `${name} is not stored by itself`,
    position,
  );
}

function resolveItems(items: readonly SelectItem[], context: LanguageContext): readonly BoundItem[] {
  const names = new Set<string>();
  return items.map(({ expression, alias }): BoundItem => {
    const bound = resolveExpression(expression, context);
    if (bound.type.kind === 'entity-type')
      throw languageError('Expected a value: a type can only be compared', expression.position);
    const name = alias ?? nameOf(expression);
    if (names.has(name)) throw languageError(`Two selected values have the name ${name}: use AS`, expression.position);
    names.add(name);
    return { name, expression: bound };
  });
}

/** Without an alias: the attribute's name, or the function's. */
function nameOf(expression: Expression): string {
  switch (expression.kind) {
    case 'path':
    case 'treat':
      return expression.names.at(-1) ?? 'value';
    case 'aggregate':
    case 'call':
      return expression.name;
    default:
      return 'value';
  }
}

/** An order names a selected value by its alias, or is an expression of its own. */
function orderedBy(expression: Expression, items: readonly BoundItem[], context: LanguageContext): BoundExpression {
  const [name] = expression.kind === 'path' && expression.names.length === 1 ? expression.names : [];
  const item = name === undefined ? undefined : items.find((one) => one.name === name);
  const isVariable = name !== undefined && findVariable(context.scope, name) !== undefined;
  const bound = item !== undefined && !isVariable ? item.expression : resolveExpression(expression, context);
  if (bound.type.kind === 'entity-type') throw languageError('A type has no order', expression.position);
  return bound;
}

/**
 * The query as one whose rows are instances: `select o.customer` becomes `select c` of a join, so that rows
 * without a customer are left out. Undefined if the query selects values.
 */
export function selectedInstances(
  select: BoundSelect,
): { readonly select: BoundSelect; readonly root: Variable } | undefined {
  const [item] = select.items;
  if (select.items.length !== 1 || item === undefined) return undefined;
  const { expression } = item;
  const { type } = expression;
  if (type.kind !== 'entity') return undefined;
  if (expression.kind === 'variable') return { select, root: expression.variable };
  if (expression.kind !== 'attribute' || expression.treated !== undefined || isToMany(expression.path.leaf.attribute))
    return undefined;
  const root: Variable = Object.freeze({ name: expression.path.text, entity: type.entity });
  const join: BoundJoin = {
    kind: 'inner',
    variable: root,
    source: { kind: 'path', from: expression.variable, path: expression.path, treatedAs: undefined },
    on: undefined,
  };
  const last = select.ranges.at(-1);
  if (last === undefined) return undefined;
  const ranges = [...select.ranges.slice(0, -1), { ...last, joins: [...last.joins, join] }];
  const own: BoundExpression = { kind: 'variable', variable: root, type };
  const groupBy = select.grouped ? [...select.groupBy, own] : select.groupBy;
  return { select: { ...select, items: [{ name: item.name, expression: own }], ranges, groupBy }, root };
}
