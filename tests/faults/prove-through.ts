import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@lintel/testkit';
import { type Load, startLoad } from './load/start-load.ts';
import type { FaultSystem } from './system/fault-system.ts';

/*
 * How a fault test is written:
 *
 *   const system = await startFaultSystem();          // one for all faults of a file: starting takes seconds
 *   afterAll(() => system.dispose());
 *
 *   test('…', async () => {
 *     for (const durationMs of faultDurationsMs())    // once and short; longer and several times in the long form
 *       await proveThrough(system, {
 *         name: 'redis down',
 *         durationMs,
 *         begin: () => system.redis.kill(),
 *         end: () => system.redis.start(),
 *       });
 *   });
 *
 * `proveThrough` puts the system under load, makes the fault, ends it, waits for full throughput, and then compares
 * everything that callers received with what is stored and published. It fails with all that is not as promised:
 * an acknowledged write that is lost or done twice, an event that is lost or out of order, somebody else's data, a
 * refusal that is not in the form of the API (or has the status 500, or 503 without `Retry-After`), a request without a
 * response, and a system that is not at full throughput ten seconds after the end of the fault.
 *
 * Faults are made with `system.wires` (cut, refuse, freeze, slow down: `TcpProxy`), with `system.postgres`, `redis`
 * and `broker` (stop, kill, start), with `system.services` (kill, stop, start), or with anything else.
 */

/**
 * Below this pace (`MachinePace`) the machine gives us next to nothing, and time limits of the services expire by
 * themselves: a test then says nothing of refusals, only that the promises are kept.
 */
const STARVED_PACE = 0.1;
/** The same where the machine stands still for longer than this: the shortest time limit of the services. */
const STANDSTILL_MS = 800;

/** What callers were refused with, each status once. */
export const statusesOf = (reports: readonly FaultReport[]): readonly string[] => [
  ...new Set(
    reports
      .filter(({ pace, standstillMs }) => pace >= STARVED_PACE && standstillMs < STANDSTILL_MS)
      .flatMap(({ refusals }) => Object.keys(refusals)),
  ),
];

export interface Fault {
  /** For the report. */
  readonly name: string;
  readonly durationMs: number;
  begin(): Promise<unknown> | unknown;
  /** When it resolves, the cause is gone; nobody helps the services to find back. */
  end(): Promise<unknown> | unknown;
  /** Where the gateway itself is killed: callers may then be left without a response. */
  readonly mayCut?: boolean;
  /** Runs beside the load, from the beginning of the fault; the fault lasts at least as long. */
  readonly meanwhile?: () => Promise<void>;
}

export interface FaultReport {
  /** Requests per second before the fault. */
  readonly rate: number;
  /** What the machine gave us, from before the fault to full throughput: `MachinePace`. */
  readonly pace: number;
  /** For how long the machine stood still meanwhile. */
  readonly standstillMs: number;
  /** What callers were refused with, from the beginning of the fault to full throughput, and how often. */
  readonly refusals: Readonly<Record<string, number>>;
  /** How long one waited at most for a refusal. */
  readonly longestRefusalMs: number;
  /** From the end of the fault. */
  readonly recoveredMs: number;
}

const BEFORE_MS = 1_500;
const WARM_UP_MS = 700;
/** So many requests make a rate that one can compare with. */
const FEWEST_BEFORE = 20;
const PATIENCE_MS = 120_000;
const RECOVERY_DEADLINE_MS = 10_000;
/** The rate is looked at over this long, so that one slow moment of the machine is no outage. */
const WINDOW_MS = 1_000;
/** Rates swing; what a fault breaks makes them fall much deeper. */
const FULL_SHARE = 0.6;
/** On a machine that gives less than this share of a processor, the deadline is longer by as much. */
const BUSY_PACE = 0.5;

/** Proves that the system keeps its promises through a fault; returns what callers saw. */
export async function proveThrough(system: FaultSystem, fault: Fault): Promise<FaultReport> {
  const load = startLoad(system);
  try {
    const report = await measure(load, fault);
    await load.stop();
    const problems = [...(await load.check())];
    if (Number.isNaN(report.recoveredMs)) problems.push(`not at full throughput ${RECOVERY_DEADLINE_MS} ms later`);
    process.stdout.write(`${fault.name}, ${fault.durationMs} ms: ${JSON.stringify(report)}\n`);
    expect(problems).toEqual([]);
    return report;
  } finally {
    await load.stop();
  }
}

/** Makes the fault and ends it; what is wrong with the fault itself ends it, too. */
async function measure(load: Load, fault: Fault): Promise<FaultReport> {
  const { meter, pace } = load;
  await sleep(WARM_UP_MS);
  const beforeMs = performance.now();
  // A machine that does other things needs longer for as many requests.
  await eventually(() => expect(meter.countSince(beforeMs)).toBeGreaterThan(FEWEST_BEFORE), { timeoutMs: PATIENCE_MS });
  await sleep(Math.max(0, beforeMs + BEFORE_MS - performance.now()));
  const now = performance.now();
  const [rate, paceBefore] = [meter.rateBetween(beforeMs, now), pace.between(beforeMs, now)];
  if (fault.mayCut) load.cutsBegin();
  const beganMs = performance.now();
  await fault.begin();
  try {
    await Promise.all([sleep(fault.durationMs), fault.meanwhile?.()]);
  } finally {
    await fault.end();
  }
  const recoveredMs = await fullThroughputAfter(load, performance.now(), rate, paceBefore);
  load.cutsEnd();
  return {
    rate: Math.round(rate),
    pace: Number(pace.between(beforeMs, performance.now()).toFixed(2)),
    standstillMs: Math.round(pace.standstillBetween(beforeMs, performance.now())),
    refusals: meter.refusalsBetween(beganMs, performance.now()),
    longestRefusalMs: Math.round(meter.longestRefusalMs()),
    recoveredMs: Math.round(recoveredMs ?? Number.NaN),
  };
}

/**
 * When the rate was back, in milliseconds after the end of the fault. Where the machine has become busier with other
 * things than before the fault, less is full.
 */
async function fullThroughputAfter(
  { meter, pace }: Load,
  endedMs: number,
  rate: number,
  paceBefore: number,
): Promise<number | undefined> {
  for (;;) {
    await sleep(50);
    const now = performance.now();
    const paceNow = pace.between(now - 2 * WINDOW_MS, now);
    const full = rate * FULL_SHARE * Math.min(1, paceNow / paceBefore);
    // Back at the beginning of the first window in which the rate was full.
    const backMs = now - WINDOW_MS - endedMs;
    if (backMs >= 0 && meter.rateBetween(now - WINDOW_MS, now) >= full) return backMs;
    const stretch = Math.max(1, BUSY_PACE / pace.between(endedMs, now));
    if (backMs > RECOVERY_DEADLINE_MS * stretch + pace.standstillBetween(endedMs, now)) return undefined;
  }
}
