import type { SystemResult } from '../measure/run-record.ts';
import { meets, targetOf } from '../targets.ts';

/** A system's target, and whether it came near enough. */
export interface Judgement {
  /** To (c). */
  readonly ratio: number;
  readonly isMet: boolean;
}

/**
 * Whether a system meets its target, within the error of a ratio.
 *
 * @returns undefined where there is no target
 */
export function judgeTarget(operation: string, { system, ratio: reached }: SystemResult): Judgement | undefined {
  const ratio = targetOf(system, operation);
  return ratio === undefined ? undefined : { ratio, isMet: meets(reached, ratio, operation) };
}

/** `0.85 ✓` */
export const formatJudgement = (judgement: Judgement | undefined): string =>
  judgement === undefined ? '' : `${judgement.ratio.toFixed(2)} ${judgement.isMet ? '✓' : '✗'}`;
