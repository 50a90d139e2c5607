import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LoadGenerator } from './load/load-generator.ts';
import { type CpuProfile, formatProfile, summarizeProfile } from './report/summarize-profile.ts';
import { setStage } from './stage.ts';
import { REFERENCE, type ServerName, SYSTEMS } from './systems.ts';

/** Long enough that the compiler is done before most samples are taken. */
const PROFILED_MS = 6_000;
const SHOWN_FUNCTIONS = 60;

interface ProfileOptions {
  readonly operations: readonly string[];
  readonly databaseUrl: string;
  readonly folder: string;
  readonly profileFolder: string;
  readonly generator: LoadGenerator;
}

/**
 * Runs each operation under the processor profiler, against a data service and a reference of its own. Leaves
 * `<operation>-<system>.cpuprofile` in the folder, which browsers and editors open as a flame graph, and
 * answers the costliest functions as text.
 */
export async function profileServers(options: ProfileOptions): Promise<string> {
  const parts: string[] = [];
  for (const operation of options.operations)
    for (const name of [REFERENCE, 'data'] as const) parts.push(await profileOne(options, operation, name));
  return parts.join('\n');
}

async function profileOne(options: ProfileOptions, operation: string, name: ServerName): Promise<string> {
  const folder = resolve(options.profileFolder);
  mkdirSync(folder, { recursive: true });
  const known = new Set(readdirSync(folder));
  const stage = await setStage({
    databaseUrl: options.databaseUrl,
    folder: options.folder,
    systems: name === REFERENCE ? [] : [name],
    withReference: name === REFERENCE,
    flagsOf: () => ['--cpu-prof', `--cpu-prof-dir=${folder}`],
  });
  const url = stage.servers.get(name)?.url ?? '';
  const token = stage.tokenFor(name);
  const { api } = SYSTEMS[name];
  const report = await options.generator.run({ url, token, operation, api, durationMs: PROFILED_MS });
  await stage.close();
  const written = readdirSync(folder).find((file) => file.endsWith('.cpuprofile') && !known.has(file));
  if (written === undefined) throw new Error(`${name} left no profile in ${folder}`);
  const file = join(folder, `${operation}-${name}.cpuprofile`);
  renameSync(join(folder, written), file);
  const functions = summarizeProfile(JSON.parse(readFileSync(file, 'utf8')) as CpuProfile, report.requests);
  const head = `${operation} ${name}: ${Math.round(report.perSecond)}/s under the profiler; ${file}`;
  return `${head}\n  own  total  µs per request\n${formatProfile(functions, SHOWN_FUNCTIONS)}\n`;
}
