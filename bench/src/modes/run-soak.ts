import type { LoadGenerator } from '../load/load-generator.ts';
import { memoryOf } from '../measure/processes.ts';
import { slopeOf } from '../measure/statistics.ts';
import { OPERATIONS } from '../operations/index.ts';
import type { Machine, TreeState } from '../report/recorded-run.ts';
import type { Stage } from '../stage.ts';
import { chainOf } from '../systems.ts';

/** Memory at one moment of a soak, by process. */
export interface SoakSample {
  readonly minutes: number;
  readonly requests: number;
  readonly rssMiB: Readonly<Record<string, number>>;
  readonly heapMiB: Readonly<Record<string, number>>;
}

/** What an hour under load does to the memory of the processes. */
export interface SoakRun extends TreeState {
  readonly measuredAt: string;
  readonly machine: Machine;
  readonly durationMs: number;
  readonly requests: number;
  readonly failures: number;
  readonly samples: readonly SoakSample[];
  /** Of the second half, when everything is warm: MiB of resident memory per hour, by process. */
  readonly growthMiBPerHour: Readonly<Record<string, number>>;
}

/** Each operation runs for so long before the next one runs. */
const SLICE_MS = 4_000;
const SAMPLES = 60;
const MINUTES_PER_HOUR = 60;
const MS_PER_MINUTE = 60_000;

/** Runs all operations in turn through the gateway and looks at the memory in between. */
export async function runSoak(
  stage: Stage,
  generator: LoadGenerator,
  durationMs: number,
  onProgress: (step: string) => void,
): Promise<Pick<SoakRun, 'durationMs' | 'requests' | 'failures' | 'samples' | 'growthMiBPerHour'>> {
  const server = stage.servers.get('gateway');
  if (server === undefined) throw new Error('The gateway does not run');
  const job = { url: server.url, token: stage.tokenFor('gateway'), api: 'lintel' } as const;
  const parts = chainOf('gateway');
  const samples: SoakSample[] = [];
  const begin = performance.now();
  const sliceMs = Math.min(SLICE_MS, durationMs / OPERATIONS.length);
  let [requests, failures] = [0, 0];
  for (let slice = 0; performance.now() - begin < durationMs; slice += 1) {
    const operation = OPERATIONS[slice % OPERATIONS.length]?.name ?? '';
    for (const part of parts) await stage.servers.get(part)?.startWatch();
    const report = await generator.run({ ...job, operation, durationMs: sliceMs });
    requests += report.requests;
    failures += Object.values(report.failures).reduce((sum, count) => sum + count, 0);
    const sample = await sampleOf(stage, parts, (performance.now() - begin) / MS_PER_MINUTE, requests);
    if (performance.now() - begin < (samples.length * durationMs) / SAMPLES) continue;
    samples.push(sample);
    onProgress(`${sample.minutes.toFixed(1)} min, ${requests} requests, ${describe(sample.rssMiB)} MiB`);
  }
  return { durationMs, requests, failures, samples, growthMiBPerHour: growthOf(samples, parts) };
}

async function sampleOf(
  stage: Stage,
  parts: readonly string[],
  minutes: number,
  requests: number,
): Promise<SoakSample> {
  const rssMiB: Record<string, number> = {};
  const heapMiB: Record<string, number> = {};
  for (const part of parts) {
    const server = stage.servers.get(part as 'gateway');
    if (server === undefined) continue;
    rssMiB[part] = memoryOf(server.pid)?.rssMiB ?? 0;
    heapMiB[part] = (await server.endWatch()).heapMiB;
  }
  return { minutes, requests, rssMiB, heapMiB };
}

function growthOf(samples: readonly SoakSample[], parts: readonly string[]): Readonly<Record<string, number>> {
  const late = samples.slice(Math.floor(samples.length / 2));
  return Object.fromEntries(
    parts.map((part) => [
      part,
      slopeOf(late.map(({ minutes, rssMiB }) => [minutes / MINUTES_PER_HOUR, rssMiB[part] ?? 0] as const)),
    ]),
  );
}

const describe = (values: Readonly<Record<string, number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Math.round(value)}`)
    .join(', ');
