import { setTimeout as sleep } from 'node:timers/promises';
import type { Attacker } from '../attacks/attack.ts';
import type { HttpRequest, Reply } from '../client/send-request.ts';
import { BOUNDS } from '../judge-attack.ts';
import { findProcesses, readInside } from '../probe/inside-reader.ts';
import { anonymousBytes, childrenOf } from '../probe/process-memory.ts';
import type { HostileSystem } from '../system/start-hostile-system.ts';

/** What one request costs the system. */
export interface Cost {
  readonly status: Reply['status'];
  readonly ms: number;
  /** The longest block of an event loop. */
  readonly blockMs: number;
  /** Memory of the largest backend meanwhile. */
  readonly backendBytes: number;
  /** Bytes of the response. */
  readonly byteCount: number;
  readonly text: string;
}

const SAMPLE_MS = 20;
const STATISTICS_MS = 1_500;

/** Sends a request, alone, and measures what it costs. */
export async function measureCost(
  system: HostileSystem,
  attacker: Pick<Attacker, 'send'>,
  request: HttpRequest,
): Promise<Cost> {
  const pids = [...findProcesses(system.sockets).keys()];
  const readAll = () => Promise.all(pids.map((pid) => readInside(system.sockets, pid, 'read')));
  const largestBackend = (): number => Math.max(0, ...childrenOf(system.postmasterPid).map(anonymousBytes));
  await readAll();
  let backendBytes = largestBackend();
  const timer = setInterval(() => {
    backendBytes = Math.max(backendBytes, largestBackend());
  }, SAMPLE_MS);
  const reply = await attacker.send(request);
  clearInterval(timer);
  backendBytes = Math.max(backendBytes, largestBackend());
  const { status, ms, byteCount, text } = reply;
  const blockMs = Math.max(0, ...(await readAll()).map((reading) => reading?.maxBlockMs ?? 0));
  return { status, ms, blockMs, backendBytes, byteCount, text: text.slice(0, 200) };
}

/** Rows that the database reads for a request: the counters of its statistics before and after. */
export async function countRows(
  system: HostileSystem,
  attacker: Pick<Attacker, 'send'>,
  request: HttpRequest,
): Promise<number> {
  const read = async (): Promise<number> => {
    // A backend reports its counters a second after it has become idle.
    await sleep(STATISTICS_MS);
    const [row] = await system.query<{ rows: string }>(
      'SELECT tup_returned + tup_fetched AS rows FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(row?.rows ?? 0);
  };
  const before = await read();
  await attacker.send(request);
  return (await read()) - before;
}

/** How near a request comes to the bounds: 1 is at one of them. */
export const scoreOf = ({ ms, blockMs, backendBytes }: Cost): number =>
  Math.max(ms / BOUNDS.responseMs, blockMs / BOUNDS.blockMs, backendBytes / BOUNDS.backendBytes);
