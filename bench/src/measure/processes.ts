import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of `/proc` are hundredths of a second on every Linux that Node runs on. */
const MICROS_PER_TICK = 10_000;

const isLinux = process.platform === 'linux';

/**
 * Processor time of a process since it began, in microseconds, user and system; undefined where the system
 * does not say so or the process has ended.
 */
export function cpuMicrosOf(pid: number): number | undefined {
  const fields = statOf(pid);
  if (fields === undefined) return undefined;
  return sumOf(fields, OWN_TIMES) * MICROS_PER_TICK;
}

/** The same of the children that have ended, as far as the process has taken notice. */
export function cpuMicrosOfEnded(pid: number): number {
  const fields = statOf(pid);
  return fields === undefined ? 0 : sumOf(fields, CHILDREN_TIMES) * MICROS_PER_TICK;
}

/** Fields 14 to 17 of proc(5), counted from the state, which is the third. */
const OWN_TIMES = [11, 12];
const CHILDREN_TIMES = [13, 14];

const sumOf = (fields: readonly string[], indexes: readonly number[]): number =>
  indexes.reduce((sum, index) => sum + Number(fields[index]), 0);

/** Resident memory of a process in MiB, now and at most so far. */
export function memoryOf(pid: number): { readonly rssMiB: number; readonly peakMiB: number } | undefined {
  const status = read(`/proc/${pid}/status`);
  if (status === undefined) return undefined;
  const mebibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { rssMiB: mebibytes('VmRSS'), peakMiB: mebibytes('VmHWM') };
}

/** The process that started it; 0 where the system does not say so. */
export const parentOf = (pid: number): number => Number(statOf(pid)?.[1] ?? 0);

/** The process and all that it started. */
export function familyOf(pid: number): readonly number[] {
  if (!isLinux || pid === 0) return [];
  const children = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    return parentOf(Number(name)) === pid ? [Number(name)] : [];
  });
  return [pid, ...children];
}

/** Processor time of a process and all that it started so far, in microseconds. */
export const cpuMicrosOfFamily = (pid: number): number =>
  familyOf(pid).reduce((sum, each) => sum + (cpuMicrosOf(each) ?? 0), 0);

/** Fields of `/proc/<pid>/stat` from the state on: the name before it may hold anything. */
function statOf(pid: number): readonly string[] | undefined {
  const text = read(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function read(file: string): string | undefined {
  if (!isLinux) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return undefined;
    throw error;
  }
}
