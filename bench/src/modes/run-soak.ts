import { setTimeout as sleep } from 'node:timers/promises';
import { slopeOf } from '../measure/statistics.ts';
import { OPERATIONS } from '../operations/index.ts';
import type { Machine, TreeState } from '../report/recorded-run.ts';

type ByProcess = Readonly<Record<string, number>>;

/** Memory at one moment of a soak, by process. */
export interface SoakSample {
  readonly minutes: number;
  readonly requests: number;
  readonly rssMiB: ByProcess;
  readonly heapMiB: ByProcess;
}

/** What an hour under load does to the memory of the processes. */
export interface SoakRun extends TreeState {
  readonly measuredAt: string;
  readonly machine: Machine;
  readonly durationMs: number;
  /** Part of the time in which requests were sent. Older records do not have it: all of the time. */
  readonly share?: number;
  readonly requests: number;
  readonly failures: number;
  readonly samples: readonly SoakSample[];
  /** Of the second half, when everything is warm: MiB of resident memory per hour, by process. */
  readonly growthMiBPerHour: ByProcess;
  /** Resident memory 15 s after the last request. Older records do not have it. */
  readonly idleMiB?: ByProcess;
}

/** What runs under load. */
export interface SoakTarget {
  /** Names of its processes. */
  readonly parts: readonly string[];
  /** Sends requests of the operation for so long. */
  load(operation: string, durationMs: number): Promise<SoakCount>;
  /** Sends requests that are no operation of the benchmark, once after each round of the operations. */
  sendOthers?(): Promise<SoakCount>;
  /** Memory now. */
  sample(): Promise<Pick<SoakSample, 'rssMiB' | 'heapMiB'>>;
  /** Resident memory after 15 s without requests. */
  sampleIdle(): Promise<ByProcess>;
}

export interface SoakCount {
  readonly requests: number;
  readonly failures: number;
}

export interface SoakOptions {
  readonly durationMs: number;
  /** Part of the time in which requests are sent; in the rest of it the target waits. */
  readonly share: number;
}

/** Each operation runs for so long before the next one runs. */
const SLICE_MS = 4_000;
/** The same with pauses. They stay shorter than the 5 s after which an idle process collects its garbage. */
const SHORT_SLICE_MS = 500;
const SAMPLES = 60;
const MINUTES_PER_HOUR = 60;
const MS_PER_MINUTE = 60_000;

/** Runs all operations in turn and samples the memory in between. */
export async function runSoak(
  target: SoakTarget,
  { durationMs, share }: SoakOptions,
  onProgress: (step: string) => void,
): Promise<Omit<SoakRun, keyof TreeState | 'measuredAt' | 'machine'>> {
  const { parts } = target;
  const samples: SoakSample[] = [];
  const begin = performance.now();
  const sliceMs = Math.min(share < 1 ? SHORT_SLICE_MS : SLICE_MS, durationMs / OPERATIONS.length);
  let [requests, failures] = [0, 0];
  const count = (more: SoakCount | undefined): void => {
    requests += more?.requests ?? 0;
    failures += more?.failures ?? 0;
  };
  for (let slice = 0; performance.now() - begin < durationMs; slice += 1) {
    const index = slice % OPERATIONS.length;
    count(await target.load(OPERATIONS[index]?.name ?? '', sliceMs));
    if (index === OPERATIONS.length - 1) count(await target.sendOthers?.());
    const elapsedMs = performance.now() - begin;
    if (elapsedMs >= (samples.length * durationMs) / SAMPLES) {
      const sample = { minutes: elapsedMs / MS_PER_MINUTE, requests, ...(await target.sample()) };
      samples.push(sample);
      onProgress(
        `${sample.minutes.toFixed(1)} min, ${requests} requests, ${failures} failed, ${describe(sample.rssMiB)} MiB`,
      );
    }
    await sleep(sliceMs * (1 / share - 1));
  }
  const idleMiB = await target.sampleIdle();
  onProgress(`15 s after the last request: ${describe(idleMiB)} MiB`);
  return { durationMs, share, requests, failures, samples, growthMiBPerHour: growthOf(samples, parts), idleMiB };
}

function growthOf(samples: readonly SoakSample[], parts: readonly string[]): ByProcess {
  const late = samples.slice(Math.floor(samples.length / 2));
  return Object.fromEntries(
    parts.map((part) => [
      part,
      slopeOf(late.map(({ minutes, rssMiB }) => [minutes / MINUTES_PER_HOUR, rssMiB[part] ?? 0] as const)),
    ]),
  );
}

const describe = (values: ByProcess): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Math.round(value)}`)
    .join(', ');
