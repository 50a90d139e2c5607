import type { ComparisonOperator, Condition, Value } from '../../ast/condition.ts';
import type { Expression, SourcePosition } from '../../ast/expression.ts';
import { ExactNumber } from '../../json/exact-json.ts';
import { syntaxErrorAt } from './position-of.ts';

/**
 * The result of a grammar rule: whether parentheses contain a value or a test is known only after them, so the rules
 * accept both and check here.
 */
export type Node =
  | { readonly kind: 'value'; readonly value: Expression }
  | { readonly kind: 'test'; readonly test: Condition; readonly position: SourcePosition };

export const valueNode = (value: Expression): Node => ({ kind: 'value', value });
export const testNode = (test: Condition, position: SourcePosition): Node => ({ kind: 'test', test, position });

export const nodePosition = (node: Node): SourcePosition =>
  node.kind === 'value' ? node.value.position : node.position;

/** @throws QuerySyntaxError for a value instead of a test */
export function asTest(node: Node): Condition {
  if (node.kind === 'test') return node.test;
  throw syntaxErrorAt('Expected a condition, but found a value alone', node.value.position);
}

/** @throws QuerySyntaxError for a test instead of a value */
export function asValue(node: Node): Expression {
  if (node.kind === 'value') return node.value;
  throw syntaxErrorAt('Expected a value, but found a condition', node.position);
}

/** Tests joined by AND or OR. */
export function groupNode(kind: 'and' | 'or', nodes: readonly Node[]): Node {
  const [first] = nodes;
  if (first === undefined) throw new Error('A group has members');
  if (nodes.length === 1) return first;
  return testNode(Object.freeze({ kind, conditions: Object.freeze(nodes.map(asTest)) }), nodePosition(first));
}

const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '=',
  '<>': '<>',
  '>': '<',
  '>=': '<=',
  '<': '>',
  '<=': '>=',
};

/** Variable of the instance that a policy is about. */
export const SELF_NAME = '{E}';

/**
 * A comparison. In a policy, a comparison of an attribute with a value is the same node as in a filter: a path through
 * collections is then true if some member matches, as in a filter.
 */
export function relation(left: Expression, operator: ComparisonOperator, right: Expression): Condition {
  const ofLeft = ownPath(left);
  const ofRight = ownPath(right);
  const leftValue = plainValue(left);
  const rightValue = plainValue(right);
  if (ofLeft !== undefined && rightValue !== undefined)
    return { kind: 'comparison', path: ofLeft, operator, value: rightValue };
  if (ofRight !== undefined && leftValue !== undefined)
    return { kind: 'comparison', path: ofRight, operator: MIRRORED[operator], value: leftValue };
  return { kind: 'relation', left, operator, right, quantifier: undefined, position: left.position };
}

/** `value [not] in (items)`. */
export function among(value: Expression, items: readonly Expression[], negated: boolean): Condition {
  const path = ownPath(value);
  const values = items.map(plainValue);
  return path !== undefined && values.every((item) => item !== undefined)
    ? { kind: 'in', path, negated, values }
    : { kind: 'among', value, items, negated, position: value.position };
}

/** `value is [not] null`. */
export function absent(value: Expression, negated: boolean): Condition {
  const path = ownPath(value);
  return path !== undefined
    ? { kind: 'null', path, negated }
    : { kind: 'absent', value, negated, position: value.position };
}

/** The path from the instance of a policy. */
function ownPath(expression: Expression): string | undefined {
  if (expression.kind !== 'path') return undefined;
  const [root, ...names] = expression.names;
  return root === SELF_NAME && names.length > 0 ? names.join('.') : undefined;
}

function plainValue(expression: Expression): Value | undefined {
  if (expression.kind === 'parameter') return { kind: 'parameter', name: expression.name };
  return expression.kind === 'literal' ? { kind: 'literal', value: expression.value } : undefined;
}

/** `-value`; a number with its sign is a literal. */
export function negative(operand: Expression, position: SourcePosition): Expression {
  if (operand.kind !== 'literal' || !(operand.value instanceof ExactNumber))
    return { kind: 'negative', operand, position };
  const { text } = operand.value;
  return { kind: 'literal', value: new ExactNumber(text.startsWith('-') ? text.slice(1) : `-${text}`), position };
}

/** `value [not] between low and high`. */
export function between(value: Expression, low: Expression, high: Expression, negated: boolean): Condition {
  const conditions = [relation(value, '>=', low), relation(value, '<=', high)];
  const inside: Condition = { kind: 'and', conditions };
  return negated ? { kind: 'not', condition: inside } : inside;
}
