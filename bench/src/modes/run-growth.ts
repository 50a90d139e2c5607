import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markdownTable } from '../report/markdown-table.ts';
import type { RecordedRun } from '../report/recorded-run.ts';
import type { RunHead } from '../report/run-head.ts';

/** What one operation cost under one load on one size of the data set. */
export interface GrowthPoint {
  readonly operation: string;
  /** How many times the data set of the performance page. */
  readonly scale: number;
  /** How many times the connections, of clients and to the database. */
  readonly replicas: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  /** Processor time per request: the data service, and PostgreSQL. */
  readonly serviceMicros: number;
  readonly databaseMicros: number;
}

export interface GrowthRun extends RunHead {
  readonly points: readonly GrowthPoint[];
}

/** Operations that an index serves: those cost the same however much is stored. */
const OPERATIONS = 'R1,R2,R3,R4,W1,W3';
const CONNECTIONS = 16;
const POOL = 10;
/** The database of the benchmark has 500 connections at most. */
const MAX_REPLICAS = 16;
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/**
 * Measures each size of the data set with the usual connections, and the smallest one with as many times the
 * connections, up to 16 times: as if so many replicas shared the database. Each is a benchmark of its own, since the
 * size is fixed for a process.
 */
export async function runGrowth(
  scales: readonly number[],
  seconds: number,
  onProgress: (step: string) => void,
): Promise<GrowthRun> {
  const [smallest = 1] = scales;
  const loads = [
    ...scales.map((scale) => ({ scale, replicas: 1 })),
    ...scales
      .filter((factor) => factor > 1 && factor <= MAX_REPLICAS)
      .map((factor) => ({ scale: smallest, replicas: factor })),
  ];
  const folder = mkdtempSync(join(tmpdir(), 'lintel-growth-'));
  try {
    const runs: { readonly run: RecordedRun; readonly scale: number; readonly replicas: number }[] = [];
    for (const { scale, replicas } of loads) {
      onProgress(`${scale} × the data, ${replicas} × the connections`);
      const file = join(folder, `${scale}-${replicas}.json`);
      await measure(scale, replicas, seconds, file);
      runs.push({ run: JSON.parse(readFileSync(file, 'utf8')) as RecordedRun, scale, replicas });
    }
    const [first] = runs;
    if (first === undefined) throw new Error('--growth needs a size');
    const { commit, isChanged, measuredAt, machine } = first.run;
    return { commit, isChanged, measuredAt, machine, points: runs.flatMap(pointsOf) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pointsOf({ run, scale, replicas }: { run: RecordedRun; scale: number; replicas: number }): GrowthPoint[] {
  return run.operations.flatMap(({ operation, systems }) => {
    const data = systems.find(({ system }) => system === 'data');
    if (data === undefined) return [];
    const { perSecond, p50Ms, cpuMicrosPerRequest: micros } = data;
    const [serviceMicros, databaseMicros] = [micros['data'] ?? 0, micros['postgres'] ?? 0];
    return [{ operation, scale, replicas, perSecond, p50Ms, serviceMicros, databaseMicros }];
  });
}

function measure(scale: number, replicas: number, seconds: number, file: string): Promise<void> {
  const options = ['--only', OPERATIONS, '--systems', 'data', '--rounds', '2', '--seconds', String(seconds)];
  const connections = ['--connections', String(CONNECTIONS * replicas), '--pool', String(POOL * replicas)];
  const child = spawn(process.execPath, [...process.execArgv, MAIN, ...options, ...connections, '--output', file], {
    env: { ...process.env, LINTEL_BENCH_SCALE: String(scale) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`The benchmark with ${scale} × the data ended with code ${code}`)),
    );
  });
}

/** The cost of each operation by the amount of data and by connections. */
export function formatGrowth({ points }: GrowthRun): string {
  const loads = [...new Set(points.map(({ scale, replicas }) => `${scale} ${replicas}`))];
  const operations = [...new Set(points.map(({ operation }) => operation))];
  const cell = (operation: string, load: string): string => {
    const point = points.find((one) => one.operation === operation && `${one.scale} ${one.replicas}` === load);
    return point === undefined ? '' : `${Math.round(point.serviceMicros)} + ${Math.round(point.databaseMicros)}`;
  };
  const heads = loads.map((load) => {
    const [scale, replicas] = load.split(' ');
    return replicas === '1' ? `${scale} × data` : `${replicas} × connections`;
  });
  const rows = operations.map((operation) => [operation, ...loads.map((load) => cell(operation, load))]);
  return `CPU µs per request, data service + PostgreSQL:\n\n${markdownTable(['', ...heads], rows)}`;
}
