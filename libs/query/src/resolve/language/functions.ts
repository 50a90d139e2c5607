import { suggestion } from '@lintel/errors';
import type { SourcePosition } from '../../ast/expression.ts';
import type { BoundExpression, FunctionName, ScalarType, ValueType } from './bound-expression.ts';
import { languageError } from './context.ts';
import { datatypeOf, groupOf, nameOfType, scalar, type TypeGroup, widerNumber } from './value-types.ts';

/** The parameters of a function: the group of each argument; `rest` is the group of all further ones. */
interface Signature {
  readonly name: FunctionName;
  readonly min: number;
  readonly max: number;
  readonly takes: readonly (readonly TypeGroup[])[];
  readonly gives: (args: readonly BoundExpression[]) => ScalarType;
}

const TEXT = ['text'] as const;
const NUMBER = ['number'] as const;
const TEXT_OR_NUMBER = ['text', 'number'] as const;
const DATE = ['date'] as const;
const TIME = ['date', 'time'] as const;

const MAX_ARGUMENTS = 50;

const same = (args: readonly BoundExpression[]): ScalarType => {
  const type = args[0]?.type;
  return type?.kind === 'scalar' ? type : scalar('decimal');
};
const remainder = ([one, other]: readonly BoundExpression[]): ScalarType => widerNumber(numberOf(one), numberOf(other));
const numberOf = (argument: BoundExpression | undefined) =>
  (argument === undefined ? undefined : datatypeOf(argument.type)) ?? 'decimal';

const field = (name: FunctionName, takes: readonly TypeGroup[]): Signature => ({
  name,
  min: 1,
  max: 1,
  takes: [takes],
  gives: () => scalar('int'),
});

const signature = (
  name: FunctionName,
  takes: readonly (readonly TypeGroup[])[],
  gives: Signature['gives'],
  min = takes.length,
  max = takes.length,
): Signature => ({ name, min, max, takes, gives });

const TO_TEXT = (): ScalarType => scalar('string');
const TO_INT = (): ScalarType => scalar('int');
const TO_DECIMAL = (): ScalarType => scalar('decimal');

const SIGNATURES: readonly Signature[] = [
  signature('lower', [TEXT], TO_TEXT),
  signature('upper', [TEXT], TO_TEXT),
  signature('length', [TEXT], TO_INT),
  signature('concat', [TEXT_OR_NUMBER], TO_TEXT, 2, MAX_ARGUMENTS),
  signature('substring', [TEXT, NUMBER, NUMBER], TO_TEXT, 2, 3),
  signature('replace', [TEXT, TEXT, TEXT], TO_TEXT),
  signature('locate', [TEXT, TEXT, NUMBER], TO_INT, 2, 3),
  signature('abs', [NUMBER], same),
  signature('mod', [NUMBER, NUMBER], remainder),
  signature('round', [NUMBER, NUMBER], TO_DECIMAL, 1, 2),
  signature('sqrt', [NUMBER], TO_DECIMAL),
  signature('floor', [NUMBER], TO_DECIMAL),
  signature('ceiling', [NUMBER], TO_DECIMAL),
  field('year', DATE),
  field('quarter', DATE),
  field('month', DATE),
  field('week', DATE),
  field('day', DATE),
  field('hour', TIME),
  field('minute', TIME),
  field('second', TIME),
];

const BY_NAME = new Map<string, Signature>(SIGNATURES.map((one) => [one.name, one]));
/** Other names that people write. */
const ALIASES: Readonly<Record<string, FunctionName>> = { ceil: 'ceiling' };

/** Functions that `resolve-expression.ts` handles. */
const OTHER = ['coalesce', 'nullif', 'size', 'trim'];
/** Functions of JPQL that would pass text to the database unchecked. */
const NATIVE: ReadonlySet<string> = new Set(['function', 'func', 'sql', 'operator', 'column']);

/**
 * The function of that name.
 *
 * @throws QuerySyntaxError naming a like one
 */
export function functionNamed(name: string, position: SourcePosition): Signature {
  const found = BY_NAME.get(ALIASES[name] ?? name);
  if (found !== undefined) return found;
  if (NATIVE.has(name))
    throw languageError(
      `${name.toUpperCase()}(…) is not available: functions of the database cannot be called`,
      position,
    );
  throw languageError(`Unknown function ${name}${suggestion(name, [...BY_NAME.keys(), ...OTHER])}`, position);
}

/** The groups of values that the argument at that position may have. */
export const argumentGroups = ({ takes }: Signature, at: number): readonly TypeGroup[] =>
  takes[at] ?? takes.at(-1) ?? [];

/** The type that an argument which fits everything is taken for. */
export function defaultType(groups: readonly TypeGroup[]): ValueType {
  switch (groups[0]) {
    case 'number':
      return scalar('decimal');
    case 'date':
      return scalar('localDateTime');
    default:
      return scalar('string');
  }
}

/** @throws QuerySyntaxError for a wrong number of arguments */
export function assertCount(name: string, count: number, min: number, max: number, position: SourcePosition): void {
  if (count >= min && count <= max) return;
  const expected = min === max ? String(min) : `${min} to ${max}`;
  throw languageError(`${name.toUpperCase()} takes ${expected} arguments, but ${count} were given`, position);
}

/** @throws QuerySyntaxError for an argument of another group */
export function assertGroup(
  name: string,
  argument: BoundExpression,
  groups: readonly TypeGroup[],
  position: SourcePosition,
): void {
  const group = groupOf(argument.type);
  if (group !== undefined && groups.includes(group)) return;
  throw languageError(
    `${name.toUpperCase()} takes a ${groups.join(' or ')}, but found a value of type ${nameOfType(argument.type)}`,
    position,
  );
}
