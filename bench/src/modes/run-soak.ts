import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadGenerator } from '../load/load-generator.ts';
import { rssOf, sampleIdle } from '../measure/sample-idle.ts';
import { slopeOf } from '../measure/statistics.ts';
import { OPERATIONS } from '../operations/index.ts';
import { contestantOf } from '../run-bench.ts';
import { logIn } from '../servers/log-in.ts';
import type { Stage } from '../stage.ts';
import { LIMITS } from '../targets.ts';
import { sendOtherRequests } from './other-requests.ts';

type ByProcess = Readonly<Record<string, number>>;

/** Memory at one moment of a soak, by process. */
export interface SoakSample {
  readonly minutes: number;
  readonly requests: number;
  readonly rssMiB: ByProcess;
}

/** What an hour under load does to the memory of the processes. */
export interface SoakRun {
  readonly durationMs: number;
  /** Part of the time in which requests were sent. */
  readonly share: number;
  readonly requests: number;
  readonly failures: number;
  readonly samples: readonly SoakSample[];
  /** Of the second half, when everything is warm: MiB of resident memory per hour, by process. */
  readonly growthMiBPerHour: ByProcess;
  /** Resident memory 15 s after the last request. */
  readonly idleMiB: ByProcess;
}

/** What runs under load: the gateway and the data service, or the process of `npm start` with all services. */
export interface SoakTarget {
  readonly stage: Stage;
  readonly generator: LoadGenerator;
  readonly system: 'gateway' | 'standalone';
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

/**
 * Runs all operations in turn and samples the memory in between. The process of `npm start` also has requests that are
 * no operation of the benchmark, once after each round of the operations.
 */
export async function runSoak(
  { stage, generator, system }: SoakTarget,
  { durationMs, share }: SoakOptions,
  onProgress: (step: string) => void,
): Promise<SoakRun> {
  const { url, servers, ...first } = contestantOf(stage, system);
  let { token } = first;
  const samples: SoakSample[] = [];
  const begin = performance.now();
  const sliceMs = Math.min(share < 1 ? SHORT_SLICE_MS : SLICE_MS, durationMs / OPERATIONS.length);
  let [requests, failures] = [0, 0];
  for (let slice = 0; performance.now() - begin < durationMs; slice += 1) {
    const index = slice % OPERATIONS.length;
    const operation = OPERATIONS[index]?.name ?? '';
    const report = await generator.run({ url, token, operation, durationMs: sliceMs, api: 'lintel' });
    requests += report.requests;
    failures += Object.values(report.failures).reduce((sum, count) => sum + count, 0);
    if (index === OPERATIONS.length - 1 && system === 'standalone') {
      const others = await sendOtherRequests(url);
      requests += others.requests;
      failures += others.failures;
      // A user has a maximum of sessions: the oldest one ends.
      token = await logIn(url);
    }
    const elapsedMs = performance.now() - begin;
    if (elapsedMs >= (samples.length * durationMs) / SAMPLES) {
      const sample = { minutes: elapsedMs / MS_PER_MINUTE, requests, rssMiB: rssOf(servers) };
      samples.push(sample);
      onProgress(
        `${sample.minutes.toFixed(1)} min, ${requests} requests, ${failures} failed, ${describe(sample.rssMiB)} MiB`,
      );
    }
    await sleep(sliceMs * (1 / share - 1));
  }
  const idleMiB = await sampleIdle(servers);
  onProgress(`15 s after the last request: ${describe(idleMiB)} MiB`);
  return {
    durationMs,
    share,
    requests,
    failures,
    samples,
    growthMiBPerHour: growthOf(samples, [...servers.keys()]),
    idleMiB,
  };
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

/** The growth of resident memory. */
export function formatSoak({ durationMs, share, requests, failures, samples, idleMiB, growthMiBPerHour }: SoakRun) {
  const growth = Object.entries(growthMiBPerHour).map(([name, slope]) => `${name} ${slope.toFixed(1)} MiB per hour`);
  const minutes = Math.round(durationMs / 6_000) / 10;
  const pauses = share === 1 ? '' : `, in ${Math.round(share * 100)} % of the time`;
  const memory = Object.entries(idleMiB).map(([name, idle]) => {
    const all = samples.map(({ rssMiB }) => Math.round(rssMiB[name] ?? 0));
    const limit = LIMITS.rssMiB[name as keyof typeof LIMITS.rssMiB];
    return `${name} at most ${Math.max(...all)} MiB (limit ${limit}), at the end ${all.at(-1)}, 15 s later ${Math.round(idle)}`;
  });
  return `${minutes} minutes, ${requests} requests through the gateway${pauses}, ${failures} failed. Resident memory: ${memory.join('; ')}. In the second half it grew by: ${growth.join(', ')}.`;
}
