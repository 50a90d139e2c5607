import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LoadGenerator } from './load/load-generator.ts';
import { contestantOf } from './run-bench.ts';
import { setStage } from './stage.ts';
import { REFERENCE, type SystemName } from './systems.ts';

/** Long enough that the compiler is done before the profile begins. */
const WARM_UP_MS = 4_000;
const PROFILED_MS = 4_000;

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
 * `<operation>-<system>.cpuprofile` in the folder, which the tools of browsers and editors draw as flame graphs.
 */
export async function profileServers(options: ProfileOptions): Promise<void> {
  const { databaseUrl, folder, generator } = options;
  const profileFolder = resolve(options.profileFolder);
  mkdirSync(profileFolder, { recursive: true });
  for (const operation of options.operations)
    for (const name of [REFERENCE, ...options.systems] as const) {
      await using stack = new AsyncDisposableStack();
      const systems = name === REFERENCE ? [] : [name];
      const set = await setStage({ databaseUrl, folder, systems, withReference: name === REFERENCE });
      const stage = stack.adopt(set, (started) => started.close());
      const { url, token, api, servers } = contestantOf(stage, name);
      const job = { url, token, operation, api };
      await generator.run({ ...job, durationMs: WARM_UP_MS });
      const file = join(profileFolder, `${operation}-${name}.cpuprofile`);
      await servers.get(name)?.profile(file, async () => {
        const { requests } = await generator.run({ ...job, durationMs: PROFILED_MS });
        console.log(`${file}: ${requests} requests in ${PROFILED_MS} ms`);
      });
    }
}
