import type { BoundExpression, FunctionName } from '../../resolve/language/bound-expression.ts';
import { datatypeOf } from '../../resolve/language/value-types.ts';
import type { SqlExpression, SqlFunction } from './sql-expression.ts';

export const call = (name: SqlFunction, ...args: readonly SqlExpression[]): SqlExpression => ({
  kind: 'call',
  name,
  args,
});
export const cast = (operand: SqlExpression, sqlType: string): SqlExpression => ({ kind: 'cast', operand, sqlType });
export const number = (value: number): SqlExpression => ({ kind: 'number', value });
const asNumber = (operand: SqlExpression): SqlExpression => cast(operand, 'numeric');
const asText = (operand: SqlExpression): SqlExpression => cast(operand, 'text');

/** The database pads digits that it cannot compute exactly with zeros. */
const trimmed = (operand: SqlExpression): SqlExpression => call('trim_scale', operand);

/** No text is longer, and numbers beyond it would be no integers of the database. */
const GREATEST_POSITION = 1_000_000_000;

/** A position or length: whole, and small enough for the functions that take it. */
const position = (operand: SqlExpression): SqlExpression =>
  cast(
    call('LEAST', call('GREATEST', asNumber(operand), number(-GREATEST_POSITION)), number(GREATEST_POSITION)),
    'integer',
  );

/** Null instead of an error for a division by zero. */
const divisor = (operand: SqlExpression): SqlExpression => call('NULLIF', operand, number(0));

/**
 * A function of the language. None of them fails for values that a request or a row may have: what has no
 * result is null.
 */
export function planFunction(
  name: FunctionName,
  bound: readonly BoundExpression[],
  args: readonly SqlExpression[],
): SqlExpression {
  const [first, second, third] = args;
  if (first === undefined) throw new Error(`${name} has arguments`);
  switch (name) {
    case 'lower':
    case 'upper':
    case 'length':
      return call(name, asText(first));
    case 'abs':
      return call('abs', first);
    case 'concat':
      return joined(args);
    case 'substring':
      return call(
        'substr',
        asText(first),
        position(second ?? number(1)),
        ...(third === undefined ? [] : [call('GREATEST', position(third), number(0))]),
      );
    case 'replace':
      return call('replace', asText(first), asText(second ?? first), asText(third ?? first));
    case 'locate':
      return planLocate(asText(first), asText(second ?? first), third);
    case 'mod':
      return call('mod', asNumber(first), divisor(asNumber(second ?? first)));
    case 'round':
      return call('round', asNumber(first), position(second ?? number(0)));
    case 'sqrt': {
      const value = asNumber(first);
      const when = { kind: 'relation', left: value, operator: '>=', right: number(0) } as const;
      return trimmed(call('sqrt', { kind: 'case', branches: [{ when, value }], otherwise: undefined }));
    }
    case 'floor':
      return call('floor', asNumber(first));
    case 'ceiling':
      return call('ceil', asNumber(first));
    case 'coalesce':
      return call('COALESCE', ...args);
    case 'nullif':
      return call('NULLIF', first, second ?? first);
    default:
      return planField(name, bound[0], first);
  }
}

const joined = (args: readonly SqlExpression[]): SqlExpression =>
  args.map(asText).reduce((left, right) => ({ kind: 'binary', operator: '||', left, right }));

/** The position of a text in another one, 0 where it is not in it. */
function planLocate(searched: SqlExpression, text: SqlExpression, from: SqlExpression | undefined): SqlExpression {
  if (from === undefined) return call('strpos', text, searched);
  const start = call('GREATEST', position(from), number(1));
  const offset = call('strpos', call('substr', text, start), searched);
  const when = { kind: 'relation', left: offset, operator: '=', right: number(0) } as const;
  const found: SqlExpression = {
    kind: 'binary',
    operator: '-',
    left: { kind: 'binary', operator: '+', left: offset, right: start },
    right: number(1),
  };
  return { kind: 'case', branches: [{ when, value: number(0) }], otherwise: found };
}

function planField(
  field: Extract<SqlExpression, { kind: 'extract' }>['field'],
  bound: BoundExpression | undefined,
  operand: SqlExpression,
): SqlExpression {
  const datatype = bound === undefined ? undefined : datatypeOf(bound.type);
  // A date has no hours.
  const moment = datatype === 'localDate' || datatype === 'date' ? cast(operand, 'timestamp') : operand;
  return cast(call('floor', { kind: 'extract', field, operand: moment }), 'integer');
}

/** `left operator right`, exact unless one of the numbers is not. */
export function planArithmetic(
  { operator, left, right, type }: Extract<BoundExpression, { kind: 'arithmetic' }>,
  one: SqlExpression,
  other: SqlExpression,
): SqlExpression {
  if (operator === '||') return joined([one, other]);
  const datatype = datatypeOf(type);
  const sqlType = datatype === 'double' ? 'double precision' : 'numeric';
  const [first, second] = [cast(one, sqlType), cast(other, sqlType)];
  if (operator !== '/') return { kind: 'binary', operator, left: first, right: second };
  const isWhole = datatypeOf(left.type) !== undefined && datatypeOf(right.type) !== undefined && datatype === 'long';
  if (isWhole) return call('div', first, divisor(second));
  const quotient: SqlExpression = { kind: 'binary', operator: '/', left: first, right: divisor(second) };
  return datatype === 'double' ? quotient : trimmed(quotient);
}
