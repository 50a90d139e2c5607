import { enumValueByName } from '@lintel/metadata';
import type { Expression } from '../../ast/expression.ts';
import { ExactNumber } from '../../json/exact-json.ts';
import type { LiteralType } from '../../literals/literal-type.ts';
import { parseText, type SqlValue } from '../../literals/parse-text.ts';
import type { BoundExpression, ValueType } from './bound-expression.ts';
import { languageError } from './context.ts';
import { groupOf, nameOfType, ofLiteral, scalar } from './value-types.ts';

type Literal = Extract<Expression, { kind: 'literal' }>;

/**
 * A constant as a value of the type that its surroundings expect: a text may be a date, a UUID or the name
 * or id of an enum constant; a number fits every type of number.
 *
 * @throws QuerySyntaxError if it is not a value of that type
 */
export function resolveLiteral(literal: Literal, expected: ValueType | undefined): BoundExpression {
  const natural = naturalType(literal);
  if (expected === undefined) return constant(literal, natural);
  const isNumber = literal.value instanceof ExactNumber;
  if (expected.kind === 'scalar') {
    const value = sqlValueOf(literal, expected.type);
    if (value !== undefined) return { kind: 'constant', value, type: expected };
    // 1.5 can be compared with an integer, too.
    if (isNumber && groupOf(expected) === 'number') return constant(literal, natural);
  }
  throw languageError(`Expected ${describe(expected)}, but found ${textOf(literal)}`, literal.position);
}

const textOf = ({ value }: Literal): string => (typeof value === 'string' ? `'${value}'` : String(value));

function describe(type: ValueType): string {
  if (type.kind !== 'scalar' || type.type.kind !== 'enum') return `a value of type ${nameOfType(type)}`;
  const { name, values } = type.type.enumeration;
  return `a constant of ${name}: ${values.map((value) => value.name).join(', ')}`;
}

const GREATEST_LONG = 2n ** 63n - 1n;

function naturalType({ value }: Literal): LiteralType {
  if (typeof value === 'boolean') return { kind: 'datatype', datatype: 'boolean' };
  if (typeof value === 'string') return { kind: 'datatype', datatype: 'string' };
  const isInteger = /^-?\d+$/.test(value.text);
  const fits = isInteger && BigInt(value.text) <= GREATEST_LONG && BigInt(value.text) >= -GREATEST_LONG;
  return { kind: 'datatype', datatype: fits ? 'long' : 'decimal' };
}

function constant(literal: Literal, type: LiteralType): BoundExpression {
  const value = sqlValueOf(literal, type);
  if (value === undefined) throw languageError(`${textOf(literal)} is no value`, literal.position);
  return { kind: 'constant', value, type: ofLiteral(type) };
}

function sqlValueOf({ value }: Literal, type: LiteralType): SqlValue | undefined {
  if (type.kind === 'enum') return enumId(value, type);
  const group = groupOf(ofLiteral(type));
  if (value instanceof ExactNumber) return group === 'number' ? parseText(type, value.text)?.value : undefined;
  if (typeof value === 'boolean') return group === 'boolean' ? value : undefined;
  return group === 'number' || group === 'boolean' ? undefined : parseText(type, value)?.value;
}

/** By the constant's name, else by its stored id, as in texts for the reference. */
function enumId(
  value: Literal['value'],
  { enumeration }: Extract<LiteralType, { kind: 'enum' }>,
): SqlValue | undefined {
  if (typeof value === 'boolean') return undefined;
  if (typeof value === 'string') {
    const named = enumValueByName(enumeration, value);
    if (named !== undefined) return named.id;
  }
  const isOfKind = (id: string | number): boolean => (typeof id === 'number') === value instanceof ExactNumber;
  return enumeration.values.find(({ id }) => isOfKind(id) && String(id) === String(value))?.id;
}

/** Null, of the expected type. */
export const resolveNull = (expected: ValueType | undefined): BoundExpression => ({
  kind: 'null',
  type: expected ?? scalar('string'),
});
