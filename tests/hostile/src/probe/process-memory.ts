import { readdirSync, readFileSync } from 'node:fs';

const KIBIBYTE = 1024;

/** Text of a file below `/proc`; empty for a process that has ended. */
function procText(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return '';
  }
}

const statusBytes = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(procText(`${pid}/status`))?.[1] ?? 0) * KIBIBYTE;

/** Resident memory of a process; 0 when it has ended. */
export const residentBytes = (pid: number): number => statusBytes(pid, 'VmRSS');

/** Resident memory of a process without files and shared memory: of a PostgreSQL backend, all but the buffers. */
export const anonymousBytes = (pid: number): number => statusBytes(pid, 'RssAnon');

/** Whether the process exists and has not ended. */
export const isRunning = (pid: number): boolean => /^State:\s+[^ZX]/m.test(procText(`${pid}/status`));

/** How the process was started; a PostgreSQL process shows what it does. */
export const commandOf = (pid: number): string => procText(`${pid}/cmdline`).replaceAll('\0', ' ').trim();

/** Direct children of a process. */
export function childrenOf(pid: number): readonly number[] {
  let threads: readonly string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  return threads
    .flatMap((thread) => procText(`${pid}/task/${thread}/children`).trim().split(' '))
    .filter((text) => text !== '')
    .map(Number);
}

/** The process that started this one. */
export const parentOf = (pid: number): number => Number(/^PPid:\s+(\d+)/m.exec(procText(`${pid}/status`))?.[1] ?? 0);
