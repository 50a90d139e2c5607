/** Targets of the performance page: ratios to the reference, (c). */
export const TARGETS: Readonly<Record<'data' | 'gateway', Readonly<Record<string, number>>>> = {
  data: { R1: 0.85, R2: 1.05, R3: 1.15, R4: 0.9, W1: 0.85, W2: 0.85, W3: 0.85 },
  gateway: { R1: 0.4, R2: 0.7, R3: 0.9, R4: 0.6, W1: 0.55, W2: 0.6, W3: 0.5 },
};

const ERROR: Readonly<Record<string, number>> = { R1: 0.3 };
const USUAL_ERROR = 0.15;

/** How far a ratio of the operation may be off by chance. */
export const errorOf = (operation: string): number => ERROR[operation] ?? USUAL_ERROR;

/** The target of a system, where it has one: `data-without-listeners` has those of `data`. */
export const targetOf = (system: string, operation: string): number | undefined => {
  if (system === 'gateway') return TARGETS.gateway[operation];
  return system.startsWith('data') ? TARGETS.data[operation] : undefined;
};

/** Whether a ratio meets a target within its error. */
export const meets = (ratio: number, target: number, operation: string): boolean =>
  ratio >= target * (1 - errorOf(operation));
