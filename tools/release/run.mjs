import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../bootstrap/failure.mjs';
import { ROOT } from '../bootstrap/paths.mjs';
import { runProgram } from '../bootstrap/run-program.mjs';

/**
 * Runs a program of a release in the repository.
 *
 * @param {string} program on the path
 * @param {readonly string[]} parameters
 * @returns {Promise<string>} its output
 * @throws {Failure} with the output of the program
 */
export async function run(program, parameters) {
  const { code, output } = await runProgram(program, parameters, { cwd: ROOT });
  if (code === 0) return output.trim();
  if (code === 127 && /ENOENT/.test(output))
    throw new Failure(`${program} was not found.`, 'A release needs it on the path.');
  throw new Failure(`${program} ${parameters[0]} ended with code ${code}.`, 'Its messages are above.', output.trim());
}

/**
 * Does something with a temporary folder.
 *
 * @template T
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), 'lintel-release-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Whether a registry is on this machine: TLS is not needed, and every state of the clone may be published.
 *
 * @param {string} target `host/path`
 */
export const isLocal = (target) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/.test(target);
