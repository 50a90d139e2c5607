import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

/** The tree, the time and the machine of a measurement: the begin of each recorded result. */
export interface RunHead {
  readonly commit: string;
  /** Whether the tree held changes that the commit has not. */
  readonly isChanged: boolean;
  /** ISO 8601. */
  readonly measuredAt: string;
  readonly machine: {
    readonly cpu: string;
    readonly cpus: number;
    readonly memoryGiB: number;
    /** Load average of a minute when the run began: figures taken on a busy machine say little. */
    readonly loadBefore: number;
    readonly node: string;
    readonly postgres: string;
  };
}

const BYTES_PER_GIB = 1024 ** 3;

/** Everything but what earlier runs have written. */
const MEASURED = [':/', ':(top,exclude)bench/results', ':(top,exclude)docs/performance.md'];

/** The head of a measurement that begins now. The commit is `unknown` outside of a repository. */
export const headOf = (postgres: string): RunHead => ({
  ...treeOf(import.meta.dirname),
  measuredAt: new Date().toISOString(),
  machine: {
    cpu: cpus()[0]?.model ?? 'unknown',
    cpus: cpus().length,
    memoryGiB: Math.round(totalmem() / BYTES_PER_GIB),
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    node: process.versions.node,
    postgres,
  },
});

function treeOf(folder: string): Pick<RunHead, 'commit' | 'isChanged'> {
  const git = (...parameters: string[]): string =>
    execFileSync('git', parameters, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return {
      commit: git('rev-parse', '--short=10', 'HEAD'),
      isChanged: git('status', '--porcelain', '-uno', '--', ...MEASURED) !== '',
    };
  } catch {
    // No git, or an unpacked archive: the figures are still good.
    return { commit: 'unknown', isChanged: false };
  }
}

/** The head as a sentence of the page. */
export function describeHead({ commit, isChanged, measuredAt, machine }: RunHead): string {
  const { cpu, cpus: count, memoryGiB, loadBefore, node, postgres } = machine;
  const tree = `\`${commit}\`${isChanged ? ' with changes' : ''}`;
  return `Commit ${tree}, ${measuredAt.slice(0, 16).replace('T', ' ')} UTC; ${count} × ${cpu}, ${memoryGiB} GiB, Node ${node}, PostgreSQL ${postgres}, load before ${loadBefore}.`;
}
