import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SOURCE = join(ROOT, 'libs', 'client');

/** The compilers that applications use: the one of the repository, and the last that is written in TypeScript. */
export const COMPILERS = {
  'TypeScript 7': compilerOf(join(ROOT, 'package.json')),
  'TypeScript 5.9': compilerOf(join(ROOT, 'tests', 'contract', 'package.json')),
} as const;

function compilerOf(packageFile: string): string {
  return join(dirname(createRequire(packageFile).resolve('typescript/package.json')), 'bin', 'tsc');
}

/** Runs a compiler; returns what it complains of. */
export async function compile(compiler: string, ...parameters: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, ...parameters], {
    env: { ...process.env, NODE_OPTIONS: '' },
  }).catch((error: { stdout: string }) => error);
  return stdout;
}

/** Builds `@lintel/client` from its sources into the packages of a folder, as npm would install it. */
export async function installClient(folder: string): Promise<void> {
  const target = join(folder, 'node_modules', '@lintel', 'client');
  const dist = join(target, 'dist');
  await mkdir(dist, { recursive: true });
  const builds = [
    ['tsconfig.json', dist, '--composite', 'false', '--incremental', 'false', '--tsBuildInfoFile', 'null'],
    ['tsconfig.cjs.json', join(dist, 'cjs'), '--tsBuildInfoFile', 'null'],
  ] as const;
  for (const [project, outDir, ...options] of builds) {
    const problems = await compile(
      COMPILERS['TypeScript 7'],
      '-p',
      join(SOURCE, project),
      '--outDir',
      outDir,
      ...options,
    );
    if (problems !== '') throw new Error(problems);
  }
  await cp(join(SOURCE, 'package.json'), join(target, 'package.json'));
  await writeFile(join(dist, 'cjs', 'package.json'), '{ "type": "commonjs" }');
}
