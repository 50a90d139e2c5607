import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '@lintel/errors';

/** Another process works in the home folder. */
export class HomeTakenError extends StartError {
  constructor(home: string, { pid, url }: Claim) {
    super(
      url === undefined
        ? `A command of Lintel (process ${pid}) works with the data of ${home}. Wait until it has ended.`
        : `Lintel is already running at ${url} (process ${pid}) with the data of ${home}. Stop it first, or give this one a folder of its own with "LINTEL_HOME=/some/folder npm start".`,
    );
    this.name = 'HomeTakenError';
  }
}

interface Claim {
  readonly pid: number;
  /** When the process was started, in the words of the system: process ids are used again. */
  readonly startedAt: string;
  /** Undefined for a command that merely works with the database. */
  readonly url?: string | undefined;
}

/**
 * Takes the home folder for this process until it ends: two databases on one folder would stop each other.
 *
 * @throws HomeTakenError while another process has it
 */
export function claimHome(home: string, url?: string): void {
  const file = join(home, 'standalone.json');
  const claim: Claim = { pid: process.pid, startedAt: startOf(process.pid) ?? '', url };
  const text = `${JSON.stringify(claim)}\n`;
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if (!isExisting(error)) throw error;
    const other = readClaim(file);
    if (other !== undefined && startOf(other.pid) === other.startedAt) throw new HomeTakenError(home, other);
    writeFileSync(file, text); // left behind by a process that was killed
  }
  process.once('exit', () => rmSync(file, { force: true }));
}

const isExisting = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

function readClaim(file: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Claim;
  } catch {
    return undefined; // cut off by a crash
  }
}

/** Start of the process since the start of the machine; without `/proc` merely whether it lives. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0) ? 'running' : undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything; the start is the 20th field behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'running' : undefined;
  }
}
