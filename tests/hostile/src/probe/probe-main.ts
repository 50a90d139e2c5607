/** A process besides the system: it measures others, so its own work must not be that of the attacker. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveWorker } from '../serve-worker.ts';
import { findProcesses, INSIDE_DEADLINE_MS, readInside } from './inside-reader.ts';
import { BackgroundUser } from './other-user.ts';
import type { ProbeCommand, ProbeReport, ProbeResponse, ProbeTarget, ProcessFigures } from './probe-messages.ts';
import { anonymousBytes, childrenOf, commandOf, isRunning, residentBytes } from './process-memory.ts';

const SAMPLE_MS = 50;
const MEBIBYTE = 1024 * 1024;
/** Above it a statement is canceled, a process ended: a finding must not take the machine with it. */
const GUARD_BYTES = 2_000 * MEBIBYTE;
/** Of the bound for backends. */
const LARGE_BACKEND_BYTES = 250 * MEBIBYTE;
/** Memory is returned to the system some time after a collection. */
const SETTLE_ROUNDS = 4;
const SETTLE_MS = 250;
const SETTLED_BYTES = 100 * MEBIBYTE;
/** Without `release`, V8 keeps freed pages for its next use until eight seconds after the last collection. */
const PAGE_RELEASE_ROUNDS = 80;

interface Observation {
  readonly names: ReadonlyMap<number, string>;
  readonly before: ReadonlyMap<number, number>;
  readonly serverPids: string;
  readonly peak: Map<number, number>;
  readonly interventions: Set<string>;
  readonly canceled: Set<number>;
  maxBackendBytes: number;
  timer: NodeJS.Timeout;
}

const own = monitorEventLoopDelay({ resolution: 10 });
own.enable();

/** Processes of the server that live as long as it does; after a recovery they are others. */
const serverPids = (postmasterPid: number): string =>
  childrenOf(postmasterPid)
    .filter((pid) => /checkpointer|background writer/.test(commandOf(pid)))
    .toSorted((a, b) => a - b)
    .join();

/** A process that does not respond is blocked for the deadline at least. */
const unresponsiveMs = (pid: number): number => (isRunning(pid) ? INSIDE_DEADLINE_MS : 0);

/** Memory of a process after a collection; later, of one that has grown, once V8 has given its freed pages back. */
async function settle(sockets: string, pid: number, before?: number): Promise<number> {
  // A collection makes it smaller only.
  let reading = await readInside(sockets, pid, before === undefined ? 'collect' : 'read');
  for (let round = 0; round < SETTLE_ROUNDS + PAGE_RELEASE_ROUNDS && before !== undefined; round += 1) {
    if (reading === undefined || reading.rss - before < SETTLED_BYTES) break;
    await sleep(SETTLE_MS);
    // Each collection begins the wait anew.
    reading = await readInside(sockets, pid, round < SETTLE_ROUNDS ? 'release' : 'read');
  }
  return reading?.rss ?? residentBytes(pid);
}

function sample(target: ProbeTarget, seen: Observation): void {
  for (const pid of childrenOf(target.postmasterPid)) {
    const bytes = anonymousBytes(pid);
    seen.maxBackendBytes = Math.max(seen.maxBackendBytes, bytes);
    if (bytes > GUARD_BYTES) {
      seen.interventions.add('a backend with more than 2 GB was ended');
      // The planner does not look for requests to cancel and to end: at twice the size the database recovers.
      if (bytes > 2 * GUARD_BYTES) process.kill(pid, 'SIGQUIT');
      else process.kill(pid, seen.canceled.has(pid) ? 'SIGTERM' : 'SIGINT');
      seen.canceled.add(pid);
    }
  }
  for (const [pid, name] of seen.names) {
    const bytes = residentBytes(pid);
    seen.peak.set(pid, Math.max(seen.peak.get(pid) ?? 0, bytes));
    if (bytes > GUARD_BYTES) {
      seen.interventions.add(`${name} with ${Math.round(bytes / MEBIBYTE)} MB was ended`);
      process.kill(pid, 'SIGKILL');
    }
  }
}

/** A backend keeps the memory of an earlier finding: that is not one of the next attack. */
async function endLargeBackends(postmasterPid: number): Promise<void> {
  const large = childrenOf(postmasterPid).filter((pid) => anonymousBytes(pid) > LARGE_BACKEND_BYTES);
  for (const pid of large) process.kill(pid, 'SIGTERM');
  for (let round = 0; round < SETTLE_ROUNDS && large.some(isRunning); round += 1) await sleep(SETTLE_MS);
}

async function begin(target: ProbeTarget, user: BackgroundUser): Promise<Observation> {
  await endLargeBackends(target.postmasterPid);
  const names = findProcesses(target.sockets);
  const before = new Map<number, number>();
  for (const pid of names.keys()) before.set(pid, await settle(target.sockets, pid));
  const seen: Observation = {
    names,
    before,
    serverPids: serverPids(target.postmasterPid),
    peak: new Map(),
    interventions: new Set(),
    canceled: new Set(),
    maxBackendBytes: 0,
    timer: setInterval(() => sample(target, seen), SAMPLE_MS),
  };
  for (const pid of names.keys()) await readInside(target.sockets, pid, 'read');
  await user.begin();
  own.reset();
  return seen;
}

async function end(target: ProbeTarget, user: BackgroundUser, seen: Observation): Promise<ProbeReport> {
  const otherUser = await user.end();
  const processes: ProcessFigures[] = [];
  const ownBlockMs = own.max / 1e6;
  const blocks = new Map<number, Pick<ProcessFigures, 'maxBlockMs' | 'maxBusyMs'>>();
  for (const pid of seen.names.keys()) {
    const reading = await readInside(target.sockets, pid, 'read');
    blocks.set(pid, reading ?? { maxBlockMs: unresponsiveMs(pid), maxBusyMs: unresponsiveMs(pid) });
  }
  clearInterval(seen.timer);
  for (const [pid, name] of seen.names) {
    const before = seen.before.get(pid) ?? 0;
    const { maxBlockMs = 0, maxBusyMs = 0 } = blocks.get(pid) ?? {};
    processes.push({
      pid,
      name,
      maxBlockMs,
      maxBusyMs,
      settledBytes: [before, await settle(target.sockets, pid, before)],
      peakBytes: seen.peak.get(pid) ?? 0,
      isAlive: isRunning(pid),
    });
  }
  const isDatabaseAlive = seen.serverPids !== '' && serverPids(target.postmasterPid) === seen.serverPids;
  const { maxBackendBytes, interventions } = seen;
  return { otherUser, processes, maxBackendBytes, interventions: [...interventions], isDatabaseAlive, ownBlockMs };
}

let target: ProbeTarget | undefined;
let user: BackgroundUser | undefined;
let seen: Observation | undefined;

async function carryOut(command: ProbeCommand): Promise<ProbeResponse> {
  if (command.kind === 'start') {
    target = command.target;
    user = new BackgroundUser(target);
    return { kind: 'started' };
  }
  if (target === undefined || user === undefined) throw new Error('The probe was not started');
  if (command.kind === 'begin') {
    // A test that failed has not ended its observation.
    clearInterval(seen?.timer);
    seen = await begin(target, user);
    return { kind: 'began' };
  }
  if (seen === undefined) throw new Error('No observation has begun');
  return { kind: 'ended', report: await end(target, user, seen) };
}

serveWorker(carryOut);
