import { PlatformError, shortened } from '@lintel/errors';
import type { ComparisonOperator, Condition, MembersCondition, TextOperator, TreeOperator } from '../ast/condition.ts';
import { shapeOf, shapesOf, type ValueShape, valuesOf } from '../ast/value-shape.ts';
import { type ExactJson, ExactNumber, type ExactObject, isExactObject } from '../json/exact-json.ts';
import { assertLimit, type QueryLimits } from '../limits/query-limits.ts';

/** A filter's tree, and its values apart from it. */
export interface ParsedFilter {
  readonly condition: Condition | undefined;
  readonly inputs: readonly ExactJson[];
}

/** Operators of the client form (contract/filters.md#operators). Names are case-sensitive. */
const COMPARISONS = new Set<string>(['=', '<>', '>', '>=', '<', '<=']);
const TEXTS = new Set<string>(['contains', 'doesNotContain', 'startsWith', 'endsWith']);
const LISTS = new Set<string>(['in', 'notIn']);
const NEGATIONS = new Set<string>(['<>', 'doesNotContain']);
/** A member of a condition that has the path of a collection, whose members the conditions inside are about. */
export const QUANTIFIERS = ['some', 'every', 'none', 'count'];
/** Operators of instances in a tree. */
export const TREES = new Set<string>(['under', 'above']);
const NULLS = new Set<string>(['isNull', 'notEmpty']);

/** Deeper groups than any client needs; they would exhaust the stack. */
const GREATEST_DEPTH = 200;

export interface FilterOptions {
  /** Negations (`<>`, `notIn`, `doesNotContain`) find rows without a value, too; SQL leaves them out. */
  readonly negationsFindNull?: boolean;
  /** A condition whose value is null, an empty text or an empty list is left out. */
  readonly skipsEmptyValues?: boolean;
}

/** What has been read so far, of one filter or of several of a request. */
export interface Reading extends FilterOptions {
  /** Values of the request; undefined for a declared filter, which has its values in the tree. */
  readonly inputs: ExactJson[] | undefined;
  readonly limits: QueryLimits;
  conditions: number;
  listValues: number;
}

const refuse = (details: string): PlatformError => new PlatformError('REQ_INVALID_FILTER', details);

/**
 * Reads a filter of the client form `{conditions: […]}` (contract/filters.md#structure), checks 1 to 4 and 7 of
 * contract/filters.md#checks.
 *
 * @throws PlatformError REQ_INVALID_FILTER or REQ_MALFORMED_JSON; REQ_COST_EXCEEDED
 */
export function parseFilter(filter: ExactJson, limits: QueryLimits, options: FilterOptions = {}): ParsedFilter {
  const inputs: ExactJson[] = [];
  return { condition: readFilter(filter, beginReading(inputs, limits, options)), inputs };
}

/** Reads one of several filters, which share the limits and the list of values. */
export function readFilter(filter: ExactJson, reading: Reading): Condition | undefined {
  if (filter === null) throw refuse('Entities filter cannot be null');
  if (!isExactObject(filter)) throw refuse('Entities filter must be a JSON object');
  return parseMembers('and', filter['conditions'], reading, 1);
}

export const beginReading = (inputs: Reading['inputs'], limits: QueryLimits, options: FilterOptions = {}): Reading => ({
  ...options,
  inputs,
  limits,
  conditions: 0,
  listValues: 0,
});

/** Where the value is: in the list of the request, or in the tree. */
const kept = <V extends ExactJson>({ inputs }: Reading, value: V): { readonly index: number; readonly declared?: V } =>
  inputs === undefined ? { index: 0, declared: value } : { index: inputs.push(value) - 1 };

/** An empty group is dropped: it is neither true nor false. */
function parseMembers(
  kind: 'and' | 'or',
  members: ExactJson | undefined,
  reading: Reading,
  depth: number,
): Condition | undefined {
  if (members === undefined) return undefined;
  if (!Array.isArray(members)) throw refuse("Field 'conditions' must be a JSON array");
  if (depth > GREATEST_DEPTH) throw refuse(`Conditions are nested deeper than ${GREATEST_DEPTH} levels`);
  const conditions = members.flatMap((node: ExactJson) => {
    const condition = parseNode(node, reading, depth);
    return condition === undefined ? [] : [condition];
  });
  if (conditions.length === 0) return undefined;
  return conditions.length === 1 ? conditions[0] : Object.freeze({ kind, conditions: Object.freeze(conditions) });
}

function parseNode(node: ExactJson, reading: Reading, depth: number): Condition | undefined {
  if (!isExactObject(node))
    throw new PlatformError(
      'REQ_MALFORMED_JSON',
      `JSON array element ${shortened(JSON.stringify(node))} is not a valid JSON object literal`,
    );
  if (!Object.hasOwn(node, 'group')) {
    const quantifiers = QUANTIFIERS.filter((name) => Object.hasOwn(node, name));
    if (quantifiers.length > 0) return parseQuantifier(node, quantifiers, reading, depth);
    const condition = parseCondition(node, reading);
    if (condition === undefined) return undefined;
    return reading.negationsFindNull === true && isNegation(condition) ? orNull(condition) : condition;
  }
  const group = node['group'];
  const kind = typeof group === 'string' ? group.toUpperCase() : undefined;
  if (kind !== 'AND' && kind !== 'OR' && kind !== 'NOT')
    throw refuse(
      `Invalid conditions group type: ${shortened(typeof group === 'string' ? group : JSON.stringify(group))}`,
    );
  const members = parseMembers(kind === 'AND' ? 'and' : 'or', node['conditions'], reading, depth + 1);
  return kind === 'NOT' && members !== undefined ? Object.freeze({ kind: 'not', condition: members }) : members;
}

/** Reads a test of members; `every` says nothing without conditions, nor does a test whose conditions are left out. */
function parseQuantifier(
  node: ExactObject,
  quantifiers: readonly string[],
  reading: Reading,
  depth: number,
): Condition | undefined {
  const [name = ''] = quantifiers;
  const other = quantifiers[1] ?? (Object.hasOwn(node, 'property') ? 'property' : undefined);
  if (other !== undefined) throw refuse(`A condition has '${name}' or '${other}', but not both`);
  countConditions(reading, 1);
  const path = node[name] ?? null;
  if (typeof path !== 'string') throw refuse(`Field '${name}' must be the path of a collection`);
  const quantifier = name === 'count' ? parseMemberCount(node, reading) : { kind: name as 'some' | 'every' | 'none' };
  const condition = parseMembers('and', node['conditions'], reading, depth + 1);
  const { conditions = [] } = node;
  if (condition === undefined && (name === 'every' || (conditions as readonly ExactJson[]).length > 0))
    return undefined;
  return Object.freeze({ kind: 'members', path, quantifier, condition });
}

function parseMemberCount(node: ExactObject, reading: Reading): MembersCondition['quantifier'] {
  const operator = textMember(node, 'operator');
  if (!COMPARISONS.has(operator)) throw refuse(`Operator is not supported: ${operator}`);
  const { value } = node;
  if (value === undefined || value === null) throw refuse("Field 'value' is not defined for filter condition");
  const input = { kind: 'input', ...kept(reading, unwrapped(value)) } as const;
  return { kind: 'count', operator: operator as ComparisonOperator, value: input };
}

function textMember(node: ExactObject, name: 'property' | 'operator'): string {
  const value = node[name];
  if (value === undefined || value === null) throw refuse(`Field '${name}' is not defined for filter condition`);
  if (typeof value !== 'string') throw refuse(`Field '${name}' must be a string in a filter condition`);
  return value;
}

type Test = Exclude<Extract<Condition, { path: string }>, { kind: 'members' }>;

const isNegation = (condition: Test): boolean =>
  condition.kind === 'in' ? condition.negated : condition.kind !== 'null' && NEGATIONS.has(condition.operator);

const orNull = (condition: Test): Condition => {
  const paths = condition.kind === 'attributes' ? [condition.path, condition.other] : [condition.path];
  const isNull = paths.map((path) => Object.freeze({ kind: 'null', path, negated: false } as const));
  return Object.freeze({ kind: 'or', conditions: Object.freeze([condition, ...isNull]) });
};

function parseCondition(node: ExactObject, reading: Reading): Test | undefined {
  countConditions(reading, 1);
  const path = textMember(node, 'property');
  const operator = textMember(node, 'operator');
  if (NULLS.has(operator)) return parseNullTest(path, operator, node['value']);
  if (!COMPARISONS.has(operator) && !TEXTS.has(operator) && !LISTS.has(operator) && !TREES.has(operator))
    throw refuse(`Operator is not supported: ${operator}`);
  if (Object.hasOwn(node, 'valueOf')) return parseAttributes(node, path, operator);
  const value = node['value'];
  if (reading.skipsEmptyValues === true && isEmpty(value)) return undefined;
  if (value === undefined || value === null) throw refuse("Field 'value' is not defined for filter condition");
  if (LISTS.has(operator)) {
    const shapes = Array.isArray(value) ? countedShapes(value, reading) : undefined;
    const list = {
      kind: 'input-list',
      ...kept(reading, value as readonly ExactJson[]),
      operator,
      ...(shapes === undefined ? {} : { shapes }),
    } as const;
    return Object.freeze({ kind: 'in', path, negated: operator === 'notIn', values: [list] });
  }
  const single = unwrapped(value);
  const shape = shapeOf(single);
  countConditions(reading, valuesOf(shape) - 1);
  const input = Object.freeze({
    kind: 'input',
    ...kept(reading, single),
    ...(typeof shape === 'string' ? {} : { shape }),
  } as const);
  if (TREES.has(operator))
    return Object.freeze({ kind: 'tree', path, operator: operator as TreeOperator, value: input, ...depthOf(node) });
  if (TEXTS.has(operator))
    return Object.freeze({ kind: 'text', path, operator: operator as TextOperator, value: input });
  return Object.freeze({
    kind: 'comparison',
    path,
    operator: operator as ComparisonOperator,
    value: input,
  });
}

/** Deeper branches than any; rows that others have made a cycle of end there. */
const MAX_LEVELS = 100;

function depthOf({ depth }: ExactObject): { readonly depth?: number } {
  if (depth === undefined) return {};
  const levels = depth instanceof ExactNumber ? Number(depth.text) : Number.NaN;
  if (!Number.isInteger(levels) || levels < 0 || levels > MAX_LEVELS)
    throw refuse(`Field 'depth' must be a whole number from 0 to ${MAX_LEVELS}`);
  return { depth: levels };
}

function parseAttributes(node: ExactObject, path: string, operator: string): Test {
  if (Object.hasOwn(node, 'value')) throw refuse("A condition has 'value' or 'valueOf', but not both");
  const other = node['valueOf'] ?? null;
  if (typeof other !== 'string') throw refuse("Field 'valueOf' must be the path of an attribute");
  if (!COMPARISONS.has(operator)) throw refuse(`Operator ${operator} does not compare two attributes`);
  return Object.freeze({ kind: 'attributes', path, operator: operator as ComparisonOperator, other });
}

const isEmpty = (value: ExactJson | undefined): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

function countConditions(reading: Reading, count: number): void {
  reading.conditions += count;
  assertLimit(reading.limits, 'conditions', reading.conditions);
}

/** An embedded object counts as often as it has attributes; a list as a condition for each attribute of each shape. */
function countedShapes(items: readonly ExactJson[], reading: Reading): readonly ValueShape[] | undefined {
  reading.listValues += items.length;
  assertLimit(reading.limits, 'listValues', reading.listValues);
  const shapes = shapesOf(items);
  if (shapes === undefined) return undefined;
  reading.listValues += items.reduce<number>((sum, item) => sum + valuesOf(shapeOf(item)) - 1, 0);
  assertLimit(reading.limits, 'listValues', reading.listValues);
  countConditions(reading, Math.max(1, sumOf(shapes.map(valuesOf))) - 1);
  return shapes;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** An array of one element is read as the element; other arrays are refused when they are bound (check 8). */
function unwrapped(value: ExactJson): ExactJson {
  const only: ExactJson | undefined = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  return only ?? value;
}

/** `isNull` and `notEmpty` take an optional boolean; a text other than `true` counts as false. */
function parseNullTest(path: string, operator: string, value: ExactJson | undefined): Test {
  const given = value === undefined ? undefined : unwrapped(value);
  if (given instanceof ExactNumber || Array.isArray(given) || isExactObject(given))
    throw refuse(`Cannot parse property value: ${shortened(JSON.stringify(given))}`);
  const wanted = typeof given === 'string' ? given.toLowerCase() === 'true' : (given ?? true);
  return Object.freeze({ kind: 'null', path, negated: (operator === 'notEmpty') === wanted });
}
