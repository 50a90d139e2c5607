import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LoadGenerator } from './load/load-generator.ts';
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
 * `<operation>-<system>.cpuprofile` in the folder, which browsers and editors open as a flame graph, and
 * answers the costliest functions as text.
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
  const functions = summarizeProfile(JSON.parse(readFileSync(file, 'utf8')) as CpuProfile, requests);
  const head = `${operation} ${name}: ${requests} requests in ${PROFILED_MS} ms; ${file}`;
  return `${head}\n   own  total µs per request\n${formatProfile(functions, SHOWN_FUNCTIONS)}\n`;
}
