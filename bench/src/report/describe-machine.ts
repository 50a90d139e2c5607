import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Machine } from './recorded-run.ts';

const BYTES_PER_GIB = 1024 ** 3;

export const describeMachine = (postgres: string): Machine => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cpus: cpus().length,
  memoryGiB: Math.round(totalmem() / BYTES_PER_GIB),
  loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  node: process.versions.node,
  postgres,
});

/** Everything but what earlier runs have written. */
const MEASURED = [':/', ':(top,exclude)bench/results', ':(top,exclude)docs/performance.md'];

/** The commit of the tree; `unknown` outside of a repository. */
export function describeTree(folder: string): { readonly commit: string; readonly isChanged: boolean } {
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
