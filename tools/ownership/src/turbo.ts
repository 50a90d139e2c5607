import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** A package of the repository. */
export interface SelectedPackage {
  readonly name: string;
  /** From the root of the repository. */
  readonly path: string;
}

/**
 * The packages that a filter of turbo selects: `@lintel/data...` is data with all it depends on,
 * `...[origin/main]` what changed since then with all that depends on it.
 */
export function selectedPackages(root: string, filter: string): readonly SelectedPackage[] {
  const turbo = join(root, 'node_modules', 'turbo', 'bin', 'turbo');
  const output = execFileSync(
    process.execPath,
    [turbo, 'ls', `--filter=${filter}`, '--output=json', '--no-update-notifier'],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const { packages } = JSON.parse(output.slice(output.indexOf('{'))) as {
    readonly packages: { readonly items: readonly SelectedPackage[] };
  };
  return packages.items;
}
