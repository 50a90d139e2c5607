/** SQL's three values: null is neither true nor false. */
export type Truth = boolean | null;

export function and(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}
export const not = (truth: Truth): Truth => (truth === null ? null : !truth);
export const or = (truths: readonly Truth[]): Truth => not(and(truths.map(not)));

/** Membership is a chain of equalities; an empty list has none. */
export function compareTo<T>(
  operator: string,
  operands: readonly T[],
  one: (operand: T, operator: string) => Truth,
): Truth {
  if (operator === 'in') return or(operands.map((operand) => one(operand, '=')));
  if (operator === 'notIn') return and(operands.map((operand) => one(operand, '<>')));
  const [operand] = operands;
  if (operand === undefined) throw new Error(`${operator} needs a value`);
  return one(operand, operator);
}
