import type { LoadGenerator } from '../load/load-generator.ts';
import type { LoadJob } from '../load/load-process.ts';
import { memoryOf } from '../measure/processes.ts';
import { IDLE_MS, sampleIdle } from '../measure/sample-idle.ts';
import type { StandaloneProcess } from '../servers/start-standalone.ts';
import type { Stage } from '../stage.ts';
import { chainOf } from '../systems.ts';
import { sendOtherRequests } from './other-requests.ts';
import type { SoakCount, SoakTarget } from './run-soak.ts';

/** The gateway and the data service, each in a process of its own. */
export function gatewayTarget(stage: Stage, generator: LoadGenerator): SoakTarget {
  const parts = chainOf('gateway');
  const servers = parts.flatMap((part) => {
    const server = stage.servers.get(part);
    return server === undefined ? [] : [[part, server] as const];
  });
  const url = stage.servers.get('gateway')?.url;
  if (url === undefined) throw new Error('The gateway does not run');
  return {
    parts,
    load: (operation, durationMs) =>
      load(generator, { url, token: stage.tokenFor('gateway'), operation, durationMs, api: 'lintel' }),
    async sample() {
      const rssMiB: Record<string, number> = {};
      const heapMiB: Record<string, number> = {};
      for (const [part, server] of servers) {
        rssMiB[part] = memoryOf(server.pid)?.rssMiB ?? 0;
        await server.startWatch();
        heapMiB[part] = (await server.endWatch()).heapMiB;
      }
      return { rssMiB, heapMiB };
    },
    sampleIdle: () => sampleIdle(new Map(servers)),
  };
}

/** The process of `npm start`, all services in one. */
export function standaloneTarget(process: StandaloneProcess, generator: LoadGenerator): SoakTarget {
  const { url, pid } = process;
  const rssMiB = () => ({ standalone: memoryOf(pid)?.rssMiB ?? 0 });
  let token = process.logIn();
  return {
    parts: ['standalone'],
    load: async (operation, durationMs) =>
      load(generator, { url, token: await token, operation, durationMs, api: 'lintel' }),
    async sendOthers() {
      const count = await sendOtherRequests(process);
      // A user has a maximum of sessions: the oldest one ends.
      token = process.logIn();
      return count;
    },
    sample: async () => ({ rssMiB: rssMiB(), heapMiB: { standalone: await process.heapMiB() } }),
    async sampleIdle() {
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      return rssMiB();
    },
  };
}

async function load(generator: LoadGenerator, job: LoadJob): Promise<SoakCount> {
  const { requests, failures } = await generator.run(job);
  return { requests, failures: Object.values(failures).reduce((sum, count) => sum + count, 0) };
}
