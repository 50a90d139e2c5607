import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Where the compiled programs are. */
export const COMPILED = fileOf('../../dist/servers');

/**
 * Compiles the servers to JavaScript, which the deployment runs, too: the compiler that Node loads for TypeScript files
 * would stay in the memory of each process, 20 MB.
 *
 * @throws Error with the output of the compiler when it fails
 */
export function compileServers(): void {
  const compiler = fileOf('../../../node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', fileOf('../../tsconfig.servers.json')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The servers of the benchmark cannot be compiled:\n${stdout}`);
}
