import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '@lintel/errors';
import { isCopied } from './is-copied.ts';

/** Another process has claimed the home folder. */
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

const CLAIM = 'standalone.json';

interface Claim {
  readonly pid: number;
  /** The folder that is claimed. */
  readonly home?: string;
  /** Start time of the process as the system reports it, since process ids are reused. */
  readonly startedAt: string;
  /** Undefined for a command that only uses the database. */
  readonly url?: string | undefined;
}

/**
 * Claims the home folder for this process until it ends: two databases in one folder would stop each other.
 *
 * @throws HomeTakenError while another process has claimed it
 */
export function claimHome(home: string, url?: string): void {
  const file = join(home, CLAIM);
  const claim: Claim = { pid: process.pid, home: realpathSync(home), startedAt: startOf(process.pid) ?? '', url };
  const text = `${JSON.stringify(claim)}\n`;
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if (!isExisting(error)) throw error;
    const other = readClaim(file);
    const isTaken = other !== undefined && startOf(other.pid) === other.startedAt && !isCopied(CLAIM, home, other.home);
    if (isTaken) throw new HomeTakenError(home, other);
    writeFileSync(file, text); // the claim of a process that was killed, or of the folder that this one is a copy of
  }
  process.once('exit', () => rmSync(file, { force: true }));
}

const isExisting = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

function readClaim(file: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Claim;
  } catch {
    return undefined; // truncated in a crash
  }
}

/** Start time of the process since the start of the machine; without `/proc` only whether it runs. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0) ? 'running' : undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may contain any character; the start time is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'running' : undefined;
  }
}
