/** Targets of the data service alone: ratios to the reference, (c). */
const DATA: Readonly<Record<string, number>> = { R1: 0.85, R2: 1.05, R3: 1.15, R4: 0.9, W1: 0.85, W2: 0.85, W3: 0.85 };

/** Through the gateway: of what the same gateway does in front of (c). */
const THROUGH_GATEWAY = 0.85;

/** The same as ratios to (c) itself, as they were hoped for before anything was built. */
export const HOPED_THROUGH_GATEWAY: Readonly<Record<string, number>> = {
  ...{ R1: 0.4, R2: 0.7, R3: 0.9, R4: 0.6 },
  ...{ W1: 0.55, W2: 0.6, W3: 0.5 },
};

/** Limits that are no ratios; for a process of ours each. */
export const LIMITS = {
  /** Of R1 with 16 connections. */
  p99Ms: 10,
  /** Of R5, and what it may add to the memory of a process. */
  exportMs: 80,
  exportGrowthMiB: 20,
  /** Resident, after all operations. */
  rssMiB: 250,
  loopLagP99Ms: 20,
  /** From the start of a process until it responds. */
  startMs: 400,
} as const;

const ERROR: Readonly<Record<string, number>> = { R1: 0.3 };
const USUAL_ERROR = 0.15;

/** How far a ratio of the operation may be off by chance. */
export const errorOf = (operation: string): number => ERROR[operation] ?? USUAL_ERROR;

/** A target, and what its ratio is to: (c), or the gateway in front of (c). */
export interface Target {
  readonly ratio: number;
  readonly to: 'express' | 'gateway-express';
}

/** The target of a system, where it has one: `data-without-listeners` has those of `data`. */
export const targetOf = (system: string, operation: string): Target | undefined => {
  const ratio = DATA[operation];
  if (ratio === undefined) return undefined;
  if (system === 'gateway') return { ratio: THROUGH_GATEWAY, to: 'gateway-express' };
  return system.startsWith('data') ? { ratio, to: 'express' } : undefined;
};

/** Whether a ratio meets a target within its error. */
export const meets = (ratio: number, target: number, operation: string): boolean =>
  ratio >= target * (1 - errorOf(operation));
