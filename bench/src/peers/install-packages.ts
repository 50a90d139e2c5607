import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runTool } from './run-tool.ts';

/** Packages with their exact versions. */
export type Packages = Readonly<Record<string, string>>;

export interface InstallOptions {
  /** More parameters of `npm install`. */
  readonly parameters?: readonly string[];
  /** Versions of packages that packages need. */
  readonly overrides?: Packages;
}

/** Installs packages of npm into a folder, unless it has just these. */
export async function installPackages(
  folder: string,
  packages: Packages,
  { parameters = [], overrides = {} }: InstallOptions = {},
): Promise<void> {
  const stamp = join(folder, 'installed.json');
  const wanted = JSON.stringify({ packages, overrides });
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'peer', private: true, version: '0.0.0', dependencies: packages, overrides }, undefined, 2),
  );
  runTool(process.execPath, [npmProgram(), 'install', '--no-audit', '--no-fund', '--loglevel=error', ...parameters], {
    folder,
    log: join(folder, 'install.log'),
    // Programs of the packages are compiled for the Node that runs them.
    environment: { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}` },
  });
  writeFileSync(stamp, wanted);
}

/** @throws Error if the benchmark was not started by npm */
function npmProgram(): string {
  const program = process.env['npm_execpath'];
  if (program === undefined) throw new Error('Peers are installed by npm: start the benchmark by npm run bench');
  return program;
}
