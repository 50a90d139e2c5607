import { PlatformError } from '@lintel/errors';
import { type Entity, familyTreeOf, isToMany, type Model } from '@lintel/metadata';
import type { Condition, Value } from '../ast/condition.ts';
import { hasCompositeKey } from '../ids/entity-id.ts';
import { assertLimit, type QueryLimits } from '../limits/query-limits.ts';
import type { ParsedAggregate, ParsedAggregates, ParsedGroup } from '../parse/parse-aggregates.ts';
import type { BoundCondition, BoundPath } from './bound-condition.ts';
import type { BoundExpression, Variable } from './language/bound-expression.ts';
import type { BoundSelect } from './language/bound-select.ts';
import type { SelectedValue } from './language/describe-select.ts';
import { totalType } from './language/resolve-aggregate.ts';
import { selfOf } from './language/self.ts';
import { datatypeOf, groupOf, hasOrder, nameOfType, ofLiteral, scalar } from './language/value-types.ts';
import { walkSelect } from './language/walk-bound.ts';
import { resolvePath } from './resolve-path.ts';
import type { FilledUnits, GroupCaption, ResolvedSelection } from './resolved-query.ts';

const refuse = (details: string): PlatformError => new PlatformError('REQ_INVALID_PARAMETER', details);

const LONG = scalar('long');
const COUNT_ALL = { kind: 'aggregate', name: 'count', distinct: false, argument: undefined, type: LONG } as const;

/** Model and limits that paths of the request are bound with. */
interface Context {
  readonly model: Model;
  readonly entity: Entity;
  readonly limits: QueryLimits;
}

/**
 * Binds groups and aggregates to the model, as a query of the entity query language. Collections are aggregated in a
 * subquery for each instance, so that no join multiplies its rows.
 *
 * @param filter of the instances
 * @throws PlatformError (400) naming the path, type or name that does not fit; REQ_COST_EXCEEDED
 */
export function resolveAggregates(
  context: Context,
  { groups, values, having, sort, firstInput }: ParsedAggregates,
  filter: BoundCondition | undefined,
): ResolvedSelection {
  const root = selfOf(context.entity);
  const items = [
    ...groups.map((group) => ({ name: group.name, expression: groupExpression(context, root, group) })),
    ...values.map((value) => ({ name: value.name, expression: aggregateOf(context, root, value) })),
  ];
  const byName = new Map(items.map(({ name, expression }) => [name, expression]));
  const orderBy = sort.map(({ path, descending }) => {
    const expression = byName.get(path);
    if (expression === undefined)
      throw new PlatformError('REQ_INVALID_SORT', `Cannot sort by ${path}: no value has the name`);
    return { expression, descending, nulls: undefined };
  });
  const select: BoundSelect = {
    distinct: false,
    items,
    ranges: [{ variable: root, source: { kind: 'entity' }, joins: [] }],
    where: filter,
    groupBy: items.slice(0, groups.length).map(({ expression }) => expression),
    having: havingAll(context, having && havingOf(having, byName, firstInput)),
    orderBy,
    grouped: true,
  };
  const fill = filledUnits(groups, values);
  // A group that is left out must not come back without its values.
  if (fill !== undefined && minimumGroup(context, context.entity) > 0)
    throw refuse(`'fill' is not available for ${context.entity.name}, whose small groups are left out`);
  const captions = groups.flatMap((group, at) => captionOf(context, group, at));
  return Object.freeze({ select, root: undefined, isKeyed: true, captions, fill });
}

/** The smallest group of the entity, its descendants included; 0 if groups of any size are shown. */
const minimumGroup = ({ model }: Pick<Context, 'model'>, entity: Entity): number =>
  Math.max(0, ...familyTreeOf(model, entity).map((member) => member.minimumGroup ?? 0));

/** Groups that keep the condition and are not too small (contract/aggregates.md#small-groups). */
function havingAll(context: Context, condition: BoundCondition | undefined): BoundCondition | undefined {
  const least = minimumGroup(context, context.entity);
  if (least === 0) return condition;
  const right: BoundExpression = { kind: 'constant', value: String(least), type: LONG };
  const isLarge: BoundCondition = { kind: 'relation', left: COUNT_ALL, operator: '>=', right, quantifier: undefined };
  return condition === undefined ? isLarge : { kind: 'and', conditions: [condition, isLarge] };
}

/** Refuses values of other instances, which may be fewer than the members of the group. */
function assertLargeGroups(context: Context, { text, steps, leaf }: BoundPath): void {
  for (const [at, { attribute, target }] of steps.entries()) {
    const next = steps[at + 1] ?? leaf;
    const isKey = target.key?.attribute === next.attribute.name;
    if (attribute.kind === 'reference' && !isKey) assertNoValues(context, text, target);
  }
}

function assertNoValues(context: Context, path: string, target: Entity): void {
  if (minimumGroup(context, target) > 0)
    throw refuse(`${path} has values of ${target.name}, whose small groups are left out: ask ${target.name}`);
}

function captionOf(context: Context, { path, by, captionAs: name }: ParsedGroup, at: number): readonly GroupCaption[] {
  if (name === undefined) return [];
  const { leaf } = pathOf(context, context.entity, path);
  if (by === undefined && leaf.kind === 'reference') {
    // A name has values of the instance.
    assertNoValues(context, path, leaf.target);
    return [{ at, name, of: leaf.target }];
  }
  if (leaf.kind === 'value' && leaf.attribute.kind === 'enum') return [{ at, name, of: leaf.attribute }];
  throw refuse(`'captionAs' of ${path} needs a reference or an enum`);
}

function filledUnits(groups: readonly ParsedGroup[], values: readonly ParsedAggregate[]): FilledUnits | undefined {
  const at = groups.findIndex(({ fill }) => fill === true);
  const unit = groups[at]?.by;
  if (unit === undefined) return undefined;
  const zeros = values.flatMap(({ function: name }, index) =>
    name.startsWith('count') ? [groups.length + index] : [],
  );
  return { at, unit, zeros };
}

function pathOf(context: Context, entity: Entity, text: string): BoundPath {
  const { model, limits } = context;
  const unknown = (path: string): PlatformError => refuse(`Property for ${entity.name} not found: ${path}`);
  const notStored = (path: string): PlatformError => refuse(`Property ${path} of ${entity.name} is not stored`);
  const path = resolvePath(model, entity, text, { unknown, notStored }, limits);
  assertLargeGroups(context, path);
  return path;
}

/** The value at the end of a path without collections; of a reference, the key. */
function valueAt(context: Context, variable: Variable, text: string): BoundExpression {
  const path = pathOf(context, variable.entity, text);
  const { leaf } = path;
  if ([...path.steps, leaf].some(({ attribute }) => isToMany(attribute)))
    throw refuse(`${text} leads through a collection: only count, sum, avg, min and max may, through one`);
  if (leaf.kind === 'reference') {
    const key = leaf.target.key?.attribute;
    if (key === undefined || hasCompositeKey(leaf.target))
      throw refuse(`${text} has no single key: name one of its attributes`);
    return valueAt(context, variable, `${text}.${key}`);
  }
  const isPlain = leaf.kind === 'value' && leaf.inside === undefined;
  if (!isPlain || (leaf.type.kind === 'datatype' && ['json', 'byteArray'].includes(leaf.type.datatype)))
    throw refuse(`${text} has no single value that can be grouped or aggregated`);
  const isTextForm = leaf.type.kind === 'datatype' && leaf.type.comparedAs !== undefined;
  return {
    kind: 'attribute',
    variable,
    treated: undefined,
    path,
    type: isTextForm ? scalar('string') : ofLiteral(leaf.type),
  };
}

const DATES = ['date', 'localDate'];

function groupExpression(context: Context, root: Variable, { path, by, zone }: ParsedGroup): BoundExpression {
  const base = valueAt(context, root, path);
  if (by === undefined) return base;
  const datatype = datatypeOf(base.type) ?? '';
  const isTime = by === 'hour' || by === 'minute';
  if (groupOf(base.type) !== 'date' || (isTime && DATES.includes(datatype)))
    throw refuse(`${path} (${nameOfType(base.type)}) cannot be grouped by ${by}`);
  return { kind: 'bucket', base, unit: by, zone, type: isTime ? base.type : scalar('localDate') };
}

/** An aggregate of the instances, or of the members of one of their collections. */
function aggregateOf(context: Context, root: Variable, aggregate: ParsedAggregate): BoundExpression {
  const { function: name, path: text } = aggregate;
  if (text === '*') {
    if (name !== 'count') throw refuse(`${name} needs the path of an attribute`);
    return COUNT_ALL;
  }
  const path = pathOf(context, context.entity, text);
  const at = [...path.steps, path.leaf].findIndex(
    ({ attribute }) => isToMany(attribute) || attribute.kind === 'elements',
  );
  if (at < 0 || name === 'countDistinct' || name === 'percentile')
    return ofValue(aggregate, valueAt(context, root, text));
  const names = text.split('.');
  const collection = pathOf(context, context.entity, names.slice(0, at + 1).join('.'));
  const rest = names.slice(at + 1).join('.');
  return rest === ''
    ? ofMembers(root, aggregate, collection)
    : ofMemberValues(context, root, aggregate, collection, rest);
}

/** The aggregate of one value of each instance. */
function ofValue({ name: label, function: name, at }: ParsedAggregate, argument: BoundExpression): BoundExpression {
  const { type } = argument;
  const unfit = (): PlatformError => refuse(`${label}: ${name} is not available for ${nameOfType(type)}`);
  switch (name) {
    case 'count':
    case 'countDistinct':
      return { kind: 'aggregate', name: 'count', distinct: name === 'countDistinct', argument, type: LONG };
    case 'sum':
    case 'avg':
      if (groupOf(type) !== 'number') throw unfit();
      return { kind: 'aggregate', name, distinct: false, argument, type: totalType(name, argument) };
    case 'min':
    case 'max':
      if (!hasOrder(type)) throw unfit();
      return { kind: 'aggregate', name, distinct: false, argument, type };
    case 'percentile':
      if (!hasOrder(type) || at === undefined) throw unfit();
      return { kind: 'percentile', argument, at, type };
    default:
      return name satisfies never;
  }
}

const ofAll = (name: 'sum' | 'min' | 'max', argument: BoundExpression): BoundExpression => ({
  ...({ kind: 'aggregate', name, distinct: false, argument, type: argument.type } as const),
});

const ZERO: BoundExpression = Object.freeze({ kind: 'constant', value: '0', type: LONG });
/** The sum of no numbers is 0 where it is a number of members. */
const orZero = (sum: BoundExpression): BoundExpression => ({
  ...({ kind: 'call', name: 'coalesce', args: [sum, ZERO], type: LONG } as const),
});

/** The number of all members. */
function ofMembers(
  variable: Variable,
  { name: label, function: name }: ParsedAggregate,
  path: BoundPath,
): BoundExpression {
  if (name !== 'count') throw refuse(`${label}: ${name} needs an attribute of the members of ${path.text}`);
  return orZero(ofAll('sum', { kind: 'size', variable, path, type: LONG }));
}

/** The aggregate of the values of all members: each instance counts its members once. */
function ofMemberValues(
  context: Context,
  root: Variable,
  aggregate: ParsedAggregate,
  path: BoundPath,
  rest: string,
): BoundExpression {
  if (path.leaf.kind !== 'reference') throw refuse(`${path.text} has values without attributes`);
  const member: Variable = { name: 'member', entity: path.leaf.target };
  const value = valueAt(context, member, rest);
  const inner = (name: ParsedAggregate['function']): BoundExpression => {
    const expression = ofValue({ ...aggregate, function: name }, value);
    const select: BoundSelect = {
      distinct: false,
      items: [{ name: 'value', expression }],
      ranges: [{ variable: member, source: { kind: 'path', from: root, path, treatedAs: undefined }, joins: [] }],
      where: undefined,
      groupBy: [],
      having: undefined,
      orderBy: [],
      grouped: true,
    };
    return { kind: 'subquery', select, type: expression.type };
  };
  switch (aggregate.function) {
    case 'count':
      return orZero(ofAll('sum', inner('count')));
    case 'avg': {
      const { type } = ofValue(aggregate, value);
      const [left, right] = [ofAll('sum', inner('sum')), ofAll('sum', inner('count'))];
      return { kind: 'arithmetic', operator: '/', left, right, type };
    }
    case 'sum':
    case 'min':
    case 'max':
      return ofAll(aggregate.function, inner(aggregate.function));
    default:
      throw refuse(`${aggregate.name}: ${aggregate.function} does not pass collections`);
  }
}

/**
 * Refuses aggregates of more collections than a filter may pass.
 *
 * @param steps through collections, in the filter
 * @throws PlatformError REQ_COST_EXCEEDED
 */
export function assertAggregateCost(select: BoundSelect, steps: number, limits: QueryLimits): void {
  let collections = steps;
  const path = ({ leaf }: BoundPath, variable: Variable | undefined): void => {
    if (variable !== undefined && (leaf.kind === 'elements' || isToMany(leaf.attribute))) collections += 1;
  };
  walkSelect({ ...select, where: undefined, having: undefined }, { path });
  assertLimit(limits, 'toManySteps', collections);
}

/** The values of the rows of a request for aggregates, in their order. */
export function describeAggregates({ select, captions = [] }: ResolvedSelection): readonly SelectedValue[] {
  const values = select.items.map(({ name, expression }): SelectedValue => {
    if (expression.type.kind !== 'scalar') throw new Error(`${name} is no value`);
    return { name, type: expression.type.type };
  });
  const texts = captions.map(({ name }): SelectedValue => ({ name, type: { kind: 'datatype', datatype: 'string' } }));
  return values.toSpliced(select.groupBy.length, 0, ...texts);
}

/** A condition of the groups, over the names of the response. */
function havingOf(
  condition: Condition,
  byName: ReadonlyMap<string, BoundExpression>,
  firstInput: number,
): BoundCondition {
  const named = (name: string): BoundExpression => {
    const found = byName.get(name);
    if (found === undefined) throw new PlatformError('REQ_INVALID_FILTER', `No value has the name ${name} of 'having'`);
    return found;
  };
  const input = (value: Value, { type }: BoundExpression): BoundExpression => {
    if (value.kind !== 'input') throw new Error('Values of a request are inputs');
    return { kind: 'input', index: value.index + firstInput, type };
  };
  switch (condition.kind) {
    case 'and':
    case 'or':
      return {
        kind: condition.kind,
        conditions: condition.conditions.map((part) => havingOf(part, byName, firstInput)),
      };
    case 'not':
      return { kind: 'not', condition: havingOf(condition.condition, byName, firstInput) };
    case 'null':
      return { kind: 'absent', value: named(condition.path), negated: condition.negated };
    case 'comparison': {
      const left = named(condition.path);
      const isOrdering = condition.operator !== '=' && condition.operator !== '<>';
      if (isOrdering && !hasOrder(left.type))
        throw new PlatformError(
          'REQ_INVALID_FILTER',
          `Operator ${condition.operator} is not available for ${nameOfType(left.type)}`,
        );
      return {
        kind: 'relation',
        left,
        operator: condition.operator,
        right: input(condition.value, left),
        quantifier: undefined,
      };
    }
    default:
      throw new PlatformError(
        'REQ_INVALID_FILTER',
        "'having' takes =, <>, >, >=, <, <=, isNull and notEmpty, and groups of them",
      );
  }
}
