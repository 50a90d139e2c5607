import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LoadGenerator } from './load/load-generator.ts';
import { drawFlames } from './report/draw-flames.ts';
import { type CpuProfile, formatProfile, summarizeProfile } from './report/summarize-profile.ts';
import { setStage } from './stage.ts';
import { REFERENCE, type ServerName, SYSTEMS, type SystemName } from './systems.ts';

/** Long enough that the compiler is done before the profile begins. */
const WARM_UP_MS = 4_000;
const PROFILED_MS = 4_000;
const SHOWN_FUNCTIONS = 60;

interface ProfileOptions {
  readonly operations: readonly string[];
  /** Systems of one process, beside the reference. */
  readonly systems: readonly SystemName[];
  readonly databaseUrl: string;
  readonly folder: string;
  readonly profileFolder: string;
  readonly generator: LoadGenerator;
}

/**
 * Runs each operation under the processor profiler, against servers that do nothing else. Leaves
 * a flame graph `<operation>-<system>.svg` in the folder, the costliest functions as text in the same folder, and returns those.
 * With `LINTEL_BENCH_KEEP_PROFILES` the profiles themselves stay, for the tools of browsers and editors.
 */
export async function profileServers(options: ProfileOptions): Promise<string> {
  const parts: string[] = [];
  for (const operation of options.operations)
    for (const name of [REFERENCE, ...options.systems] as const)
      if (SYSTEMS[name].program !== undefined) parts.push(await profileOne(options, operation, name));
  return parts.join('\n');
}

async function profileOne(options: ProfileOptions, operation: string, name: ServerName): Promise<string> {
  const profileFolder = resolve(options.profileFolder);
  mkdirSync(profileFolder, { recursive: true });
  const { databaseUrl, folder, generator } = options;
  const systems = name === REFERENCE ? [] : [name];
  await using stack = new AsyncDisposableStack();
  const set = await setStage({ databaseUrl, folder, systems, withReference: name === REFERENCE });
  const stage = stack.adopt(set, (started) => started.close());
  const server = stage.servers.get(name);
  if (server === undefined) throw new Error(`${name} does not run`);
  const job = { url: server.url, token: stage.tokenFor(name), operation, api: SYSTEMS[name].api };
  await generator.run({ ...job, durationMs: WARM_UP_MS });
  const file = join(profileFolder, `${operation}-${name}.cpuprofile`);
  let requests = 0;
  await server.profile(file, async () => {
    ({ requests } = await generator.run({ ...job, durationMs: PROFILED_MS }));
  });
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  if (!process.env['LINTEL_BENCH_KEEP_PROFILES']) rmSync(file);
  writeFileSync(file.replace('.cpuprofile', '.svg'), drawFlames(`${operation} ${name}`, profile, requests));
  const head = `${operation} ${name}: ${requests} requests in ${PROFILED_MS} ms`;
  const functions = formatProfile(summarizeProfile(profile, requests), SHOWN_FUNCTIONS);
  const text = `${head}\n   own  total µs per request\n${functions}\n`;
  writeFileSync(file.replace('.cpuprofile', '.txt'), text);
  return text;
}
