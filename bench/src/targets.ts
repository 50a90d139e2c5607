import type { Addition } from './servers/server-settings.ts';

/** Targets of the data service alone: ratios to the reference, (c). */
const DATA: Readonly<Record<string, number>> = {
  R1: 0.85,
  R2: 1.05,
  R3: 1.15,
  R4: 0.9,
  W1: 0.85,
  W2: 0.9,
  W3: 0.85,
  A1: 0.85,
  A2: 0.85,
  A3: 0.85,
  A4: 0.85,
};

/** The same through the gateway. */
const THROUGH_GATEWAY: Readonly<Record<string, number>> = {
  ...{ R1: 0.45, R2: 0.85, R3: 0.9, R4: 0.85 },
  ...{ W1: 0.6, W2: 0.65, W3: 0.55 },
};

/** Limits that are no ratios; for a process of ours each. */
export const LIMITS = {
  /** Of R1 with 16 connections. */
  p99Ms: 10,
  /** Of R5, and what it may add to the memory of a process. */
  exportMs: 80,
  exportGrowthMiB: 20,
  /** Resident, at the end of the load and 15 s later; and of the process of `npm start` in an hour of all operations. */
  rssMiB: { data: 220, gateway: 130, standalone: 350 },
  loopLagP99Ms: 20,
  /** Processor time of the gateway for one request of R1; other operations may take 1.5 times as much. */
  gatewayMicros: 130,
  /** Processor time of all services in one process for a request, as a multiple of the data service's. */
  standaloneRatio: { R1: 1.35, W1: 1.2, W3: 1.2 } as Readonly<Record<string, number>>,
  /** Limits of further effects of writes of orders: processor time of the service and throughput, as multiples of plain writes. */
  additions: {
    history: { cost: 1.15, throughput: 0.8 },
    // The limit is for W1.
    'follow-ups': { cost: 1.3, throughput: 0.7 },
  } satisfies Record<Addition, object>,
  /** From the start of a process until it responds. */
  startMs: 400,
} as const;

const ERROR: Readonly<Record<string, number>> = { R1: 0.3 };
const USUAL_ERROR = 0.15;

/** How far a ratio of the operation may be off by chance. */
export const errorOf = (operation: string): number => ERROR[operation] ?? USUAL_ERROR;

/** The target of a system as a ratio to (c), where it has one: `data-without-listeners` has those of `data`. */
export const targetOf = (system: string, operation: string): number | undefined => {
  if (system === 'gateway') return THROUGH_GATEWAY[operation];
  return system.startsWith('data') ? DATA[operation] : undefined;
};

/** Whether a ratio meets a target within its error. */
export const meets = (ratio: number, target: number, operation: string): boolean =>
  ratio >= target * (1 - errorOf(operation));
