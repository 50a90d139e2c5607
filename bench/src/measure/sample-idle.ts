import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedServer } from '../servers/start-server.ts';
import { memoryOf } from './processes.ts';

/** By then an idle process has collected its garbage, and has returned memory to the system. */
const IDLE_MS = 15_000;

/**
 * Resident memory in MiB after 15 s without requests, by name. From now on the servers collect their garbage when idle,
 * as services do: not before, since a collection between two runs would be part of the cost of the second one.
 */
export async function sampleIdle(
  servers: ReadonlyMap<string, Pick<StartedServer, 'pid' | 'collectWhenIdle'>>,
): Promise<Readonly<Record<string, number>>> {
  for (const server of servers.values()) await server.collectWhenIdle();
  await sleep(IDLE_MS);
  return rssOf(servers);
}

/** Resident memory in MiB now, by name. */
export const rssOf = (
  servers: Iterable<readonly [name: string, Pick<StartedServer, 'pid'>]>,
): Readonly<Record<string, number>> =>
  Object.fromEntries([...servers].map(([name, { pid }]) => [name, memoryOf(pid)?.rssMiB ?? 0]));
