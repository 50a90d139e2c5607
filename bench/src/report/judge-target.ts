import type { SystemResult } from '../measure/run-record.ts';
import { meets, type Target, targetOf } from '../targets.ts';

/** A system's target, how near it came, and whether that is near enough. */
export interface Judgement extends Target {
  /** The ratio that the target is about. */
  readonly reached: number;
  readonly isMet: boolean;
}

/**
 * Whether a system meets its target, within the error of a ratio.
 *
 * @param systems the others of the same operation
 * @returns undefined where there is no target, or the system that it compares with was not measured
 */
export function judgeTarget(
  operation: string,
  { system, ratio }: SystemResult,
  systems: readonly SystemResult[],
): Judgement | undefined {
  const target = targetOf(system, operation);
  const other = systems.find((one) => one.system === target?.to);
  if (target === undefined || other === undefined || other.ratio === 0) return undefined;
  const reached = target.to === 'express' ? ratio : ratio / other.ratio;
  return { ...target, reached, isMet: meets(reached, target.ratio, operation) };
}

/** `0.85 ✓`, and for a target that is not about (c) what was reached: `0.92 of 0.85 ✓`. */
export function formatJudgement(judgement: Judgement | undefined): string {
  if (judgement === undefined) return '';
  const { to, ratio, reached, isMet } = judgement;
  const goal = to === 'express' ? ratio.toFixed(2) : `${reached.toFixed(2)} of ${ratio.toFixed(2)}`;
  return `${goal} ${isMet ? '✓' : '✗'}`;
}
