import type { IToken } from 'chevrotain';
import type { Condition, TreeOperator } from '../../ast/condition.ts';
import type { Expression, TimeUnit } from '../../ast/expression.ts';
import { ExactNumber } from '../../json/exact-json.ts';
import { absent, type Node, relation, testNode, valueNode } from './node.ts';
import { positionOf, syntaxErrorAt } from './position-of.ts';

const UNITS: ReadonlySet<string> = new Set(['year', 'month', 'day', 'hour', 'minute', 'second'] satisfies TimeUnit[]);
const MAX_UNITS = 1_000_000;

interface Macro {
  /** Numbers of arguments, without the zone. */
  readonly min: number;
  readonly max: number;
  readonly hasZone: boolean;
  readonly expand: (call: MacroCall) => Condition | Expression;
}

interface MacroCall {
  readonly name: string;
  readonly token: IToken;
  readonly args: readonly Expression[];
  readonly inUserZone: boolean;
}

/** The macros of the reference and their expansions. */
const MACROS: Readonly<Record<string, Macro>> = {
  '@between': { min: 4, max: 4, hasZone: true, expand: expandBetween },
  '@today': {
    min: 1,
    max: 1,
    hasZone: true,
    expand: (call) => inside(call, moment(call, undefined, 0, 'day'), moment(call, undefined, 1, 'day')),
  },
  '@dateEquals': {
    min: 2,
    max: 2,
    hasZone: true,
    expand: (call) => inside(call, dayOf(call, 0), dayOf(call, 1)),
  },
  '@dateBefore': {
    min: 2,
    max: 2,
    hasZone: true,
    expand: (call) => relation(argument(call, 0), '<', dayOf(call, 0)),
  },
  '@dateAfter': {
    min: 2,
    max: 2,
    hasZone: true,
    expand: (call) => relation(argument(call, 0), '>=', dayOf(call, 0)),
  },
  '@under': { min: 2, max: 2, hasZone: false, expand: (call) => branch(call, 'under') },
  '@above': { min: 2, max: 2, hasZone: false, expand: (call) => branch(call, 'above') },
  '@isNull': { min: 1, max: 2, hasZone: false, expand: expandIsNull },
  '@enum': { min: 1, max: 1, hasZone: false, expand: expandEnum },
};

const BY_LOWER_NAME = new Map(Object.entries(MACROS).map(([name, macro]) => [name.toLowerCase(), macro]));

/**
 * Expands a macro. A date is compared with the beginnings of days: `@dateBefore` is before the day,
 * `@dateAfter` not before it.
 *
 * @throws QuerySyntaxError
 */
export function expandMacro(token: IToken, given: readonly Expression[]): Node {
  const position = positionOf(token);
  const macro = BY_LOWER_NAME.get(token.image.toLowerCase());
  if (macro === undefined)
    throw syntaxErrorAt(`Unknown macro ${token.image}; expected ${Object.keys(MACROS).join(', ')}`, position);
  const last = given.at(-1);
  const inUserZone = macro.hasZone && last !== undefined && nameOf(last)?.toLowerCase() === 'user_timezone';
  const args = inUserZone ? given.slice(0, -1) : given;
  if (args.length < macro.min || args.length > macro.max)
    throw syntaxErrorAt(
      `${token.image} takes ${macro.min === macro.max ? macro.min : `${macro.min} or ${macro.max}`} arguments, but ${args.length} were given`,
      position,
    );
  const expanded = macro.expand({ name: token.image, token, args, inUserZone });
  return token.image.toLowerCase() === '@enum'
    ? valueNode(expanded as Expression)
    : testNode(expanded as Condition, position);
}

function argument({ args, token }: MacroCall, at: number): Expression {
  const found = args[at];
  if (found === undefined) throw new Error(`${token.image} has no argument ${at}`);
  return found;
}

const branch = (call: MacroCall, operator: TreeOperator): Condition => ({
  kind: 'branch',
  value: argument(call, 0),
  operator,
  of: argument(call, 1),
  position: positionOf(call.token),
});

const nameOf = (expression: Expression): string | undefined =>
  expression.kind === 'path' && expression.names.length === 1 ? expression.names[0] : undefined;

const moment = (
  { token, inUserZone }: MacroCall,
  base: Expression | undefined,
  offset: number,
  unit: TimeUnit,
): Expression => ({ kind: 'moment', base, offset, unit, inUserZone, position: positionOf(token) });

const inside = (call: MacroCall, from: Expression, to: Expression): Condition => ({
  kind: 'and',
  conditions: [relation(argument(call, 0), '>=', from), relation(argument(call, 0), '<', to)],
});

/** The day of the second argument, be it `now+3` or a value. */
function dayOf(call: MacroCall, later: number): Expression {
  const given = argument(call, 1);
  const offset = offsetFromNow(given);
  return offset === undefined ? moment(call, given, later, 'day') : moment(call, undefined, offset + later, 'day');
}

/** Units after the moment of the statement: `now`, `now+1`, `now-7`; undefined for other expressions. */
function offsetFromNow(expression: Expression): number | undefined {
  if (nameOf(expression)?.toLowerCase() === 'now') return 0;
  if (expression.kind !== 'arithmetic' || nameOf(expression.left)?.toLowerCase() !== 'now') return undefined;
  const { operator, right } = expression;
  const isSum = operator === '+' || operator === '-';
  if (!isSum || right.kind !== 'literal' || !(right.value instanceof ExactNumber)) return undefined;
  const units = Number(right.value.text);
  if (!Number.isInteger(units) || Math.abs(units) > MAX_UNITS) return undefined;
  return operator === '+' ? units : -units;
}

function expandBetween(call: MacroCall): Condition {
  const unitGiven = argument(call, 3);
  const unit = nameOf(unitGiven)?.toLowerCase() ?? '';
  if (!UNITS.has(unit)) throw syntaxErrorAt(`Expected a unit of time: ${[...UNITS].join(', ')}`, unitGiven.position);
  const momentOf = (given: Expression): Expression => {
    const offset = offsetFromNow(given);
    if (offset === undefined) throw syntaxErrorAt('Expected now, now+<number> or now-<number>', given.position);
    return moment(call, undefined, offset, unit as TimeUnit);
  };
  return inside(call, momentOf(argument(call, 1)), momentOf(argument(call, 2)));
}

function expandIsNull(call: MacroCall): Condition {
  const [value, wanted] = call.args;
  if (value === undefined) throw new Error('@isNull has an argument');
  if (wanted !== undefined && (wanted.kind !== 'literal' || typeof wanted.value !== 'boolean'))
    throw syntaxErrorAt('Expected TRUE or FALSE', wanted.position);
  return absent(value, wanted?.kind === 'literal' && wanted.value === false);
}

function expandEnum(call: MacroCall): Expression {
  const constant = argument(call, 0);
  if (constant.kind !== 'path' || constant.names.length < 2)
    throw syntaxErrorAt('Expected a constant of an enum: <enum>.<CONSTANT>', constant.position);
  return constant;
}
