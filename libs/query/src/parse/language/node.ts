import type { ComparisonOperator, Condition, Value } from '../../ast/condition.ts';
import type { Expression, Place } from '../../ast/expression.ts';
import { ExactNumber } from '../../json/exact-json.ts';
import { syntaxErrorAt } from './place-of.ts';

/**
 * What a rule of the grammar gives: only behind a parenthesis is known whether a value or a test stood in
 * it, so the rules take both and ask here.
 */
export type Node =
  | { readonly kind: 'value'; readonly value: Expression }
  | { readonly kind: 'test'; readonly test: Condition; readonly place: Place };

export const valueNode = (value: Expression): Node => ({ kind: 'value', value });
export const testNode = (test: Condition, place: Place): Node => ({ kind: 'test', test, place });

export const nodePlace = (node: Node): Place => (node.kind === 'value' ? node.value.place : node.place);

/** @throws QuerySyntaxError where a value stands instead of a test */
export function asTest(node: Node): Condition {
  if (node.kind === 'test') return node.test;
  throw syntaxErrorAt('Expected a condition, but found a value alone', node.value.place);
}

/** @throws QuerySyntaxError where a test stands instead of a value */
export function asValue(node: Node): Expression {
  if (node.kind === 'value') return node.value;
  throw syntaxErrorAt('Expected a value, but found a condition', node.place);
}

/** Tests that hold together, or of which one holds. */
export function groupNode(kind: 'and' | 'or', nodes: readonly Node[]): Node {
  const [first] = nodes;
  if (first === undefined) throw new Error('A group has members');
  if (nodes.length === 1) return first;
  return testNode(Object.freeze({ kind, conditions: Object.freeze(nodes.map(asTest)) }), nodePlace(first));
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
 * A comparison. In a policy, an attribute beside a value is the same node as a filter's: paths through
 * collections then ask for some member, as they do there.
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
  return { kind: 'relation', left, operator, right, quantifier: undefined, place: left.place };
}

/** `value [not] in (items)`. */
export function among(value: Expression, items: readonly Expression[], negated: boolean): Condition {
  const path = ownPath(value);
  const values = items.map(plainValue);
  return path !== undefined && values.every((item) => item !== undefined)
    ? { kind: 'in', path, negated, values }
    : { kind: 'among', value, items, negated, place: value.place };
}

/** `value is [not] null`. */
export function absent(value: Expression, negated: boolean): Condition {
  const path = ownPath(value);
  return path !== undefined ? { kind: 'null', path, negated } : { kind: 'absent', value, negated, place: value.place };
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
export function negative(operand: Expression, place: Place): Expression {
  if (operand.kind !== 'literal' || !(operand.value instanceof ExactNumber))
    return { kind: 'negative', operand, place };
  const { text } = operand.value;
  return { kind: 'literal', value: new ExactNumber(text.startsWith('-') ? text.slice(1) : `-${text}`), place };
}

/** `value [not] between low and high`. */
export function between(value: Expression, low: Expression, high: Expression, negated: boolean): Condition {
  const conditions = [relation(value, '>=', low), relation(value, '<=', high)];
  const inside: Condition = { kind: 'and', conditions };
  return negated ? { kind: 'not', condition: inside } : inside;
}
