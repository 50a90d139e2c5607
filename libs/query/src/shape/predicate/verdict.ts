import type { SessionValue } from '../../access.ts';
import type { ComparisonOperator } from '../../ast/condition.ts';
import type { LiteralType } from '../../literals/literal-type.ts';
import { type Comparable, comparableOf, compareValues } from './comparable.ts';

/** The result of a condition for an instance: true, false, or undecided because a value is missing. */
export type Verdict = boolean | null;
export type Instance = Readonly<Record<string, unknown>>;
export type Evaluate = (instance: Instance, session: SessionValue) => Verdict;

export const not = (verdict: Verdict): Verdict => (verdict === null ? null : !verdict);

/** AND or OR of the parts; `deciding` is the verdict of a part that determines the result. */
export const junction =
  (parts: readonly Evaluate[], deciding: boolean): Evaluate =>
  (instance, session) => {
    let result: Verdict = !deciding;
    for (const part of parts) {
      const verdict = part(instance, session);
      if (verdict === deciding) return deciding;
      if (verdict === null) result = null;
    }
    return result;
  };

const COMPARISONS: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
};

export const compared = (left: Comparable | null, operator: ComparisonOperator, right: Comparable | null): Verdict =>
  left === null || right === null ? null : COMPARISONS[operator](compareValues(left, right));

export function isAmong(value: Comparable | null, among: readonly (Comparable | null)[]): Verdict {
  if (among.length === 0) return false;
  if (value === null) return null;
  if (among.some((other) => other !== null && compareValues(value, other) === 0)) return true;
  return among.includes(null) ? null : false;
}

/** A test with a value that the caller does not have, or has in another form, is undecided. */
export function sessionOperand(value: unknown, type: LiteralType): Comparable | null {
  try {
    return comparableOf(value, type);
  } catch {
    return null;
  }
}
