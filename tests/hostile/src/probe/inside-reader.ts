import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { commandOf, isRunning } from './process-memory.ts';

/** What `inside-process.mjs` reports. */
export interface InsideReading {
  readonly maxBlockMs: number;
  readonly maxBusyMs: number;
  readonly rss: number;
}

/** A process that is blocked for longer does not respond. */
export const INSIDE_DEADLINE_MS = 20_000;
/** Processes that serve requests; the others start them. */
const SERVED = /services\/(\w+)\/(?:dist|src)\/main|(standalone)\/dist\/|(start-services)/;

/** The processes of the system that run now, by their id, with a name. */
export function findProcesses(folder: string): ReadonlyMap<number, string> {
  const pids = readdirSync(folder)
    .filter((file) => file.endsWith('.sock'))
    .map((file) => Number(basename(file, '.sock')))
    .filter(isRunning);
  return new Map(pids.map((pid) => [pid, nameOf(commandOf(pid))]));
}

function nameOf(command: string): string {
  const found = SERVED.exec(command)
    ?.slice(1)
    .find((name) => name !== undefined);
  return found ?? basename(command.split(' ').at(-1) ?? command);
}

/** Asks a process; none where it has ended, or does not respond in time. */
export const readInside = (
  folder: string,
  pid: number,
  command: 'read' | 'collect' | 'release',
): Promise<InsideReading | undefined> =>
  new Promise((resolve) => {
    const socket = connect(join(folder, `${pid}.sock`));
    const timer = setTimeout(() => finish(undefined), INSIDE_DEADLINE_MS);
    let text = '';
    const finish = (reading: InsideReading | undefined): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reading);
    };
    socket.on('error', () => finish(undefined));
    socket.on('close', () => finish(undefined));
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (text.endsWith('\n')) finish(JSON.parse(text) as InsideReading);
    });
    socket.write(`${command}\n`);
  });
