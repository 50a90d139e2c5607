import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantileOf } from '../measure/statistics.ts';
import type { LoadReport } from './load-process.ts';

/** Where distributions put it; newest first. */
const DEBIAN = '/usr/lib/postgresql';

/** The program, or undefined where it is not installed. */
export function findPgbench(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((left, right) => Number(right) - Number(left)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(environment['PATH'] ?? '').split(':').filter(Boolean),
  ];
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file));
}

export interface PgbenchJob {
  readonly program: string;
  readonly databaseUrl: string;
  readonly script: string;
  readonly connections: number;
  readonly durationMs: number;
  /** For the script and the log of transactions. */
  readonly folder: string;
}

/** Runs the script in prepared mode; processor time of `pgbench` itself is not counted. */
export async function runPgbench(job: PgbenchJob): Promise<LoadReport> {
  const folder = mkdtempSync(join(job.folder, 'pgbench-'));
  try {
    const script = join(folder, 'script.sql');
    writeFileSync(script, job.script);
    const seconds = Math.max(1, Math.round(job.durationMs / 1000));
    const threads = Math.min(2, job.connections);
    const counts = ['-c', String(job.connections), '-j', String(threads), '-T', String(seconds)];
    await run(job.program, [
      '-n',
      '-M',
      'prepared',
      ...counts,
      '-f',
      script,
      '-l',
      '--log-prefix',
      join(folder, 'log'),
      job.databaseUrl,
    ]);
    const latenciesMs = readdirSync(folder)
      .filter((name) => name.startsWith('log'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
      .filter((line) => line !== '')
      .map((line) => Number(line.split(' ')[2]) / 1000)
      .sort((left, right) => left - right);
    return {
      requests: latenciesMs.length,
      perSecond: latenciesMs.length / seconds,
      p50Ms: quantileOf(latenciesMs, 0.5),
      p99Ms: quantileOf(latenciesMs, 0.99),
      bytesPerResponse: 0,
      failures: {},
      cpuMicros: 0,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, parameters: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (chunk) => {
      complaint += String(chunk);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`pgbench ended with code ${code}: ${complaint.trim().split('\n').slice(-3).join(' ')}`));
    });
  });
}
