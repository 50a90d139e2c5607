import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/**
 * Runs a program to its end; its output goes to a file.
 *
 * @throws Error with the end of the output if the program fails
 */
export function runTool(
  file: string,
  parameters: readonly string[],
  options: { readonly folder: string; readonly log: string; readonly environment?: Readonly<Record<string, string>> },
): void {
  const { folder, log, environment = {} } = options;
  const output = openSync(log, 'a');
  const env = { ...process.env, ...environment };
  const { status, error } = spawnSync(file, parameters, { cwd: folder, env, stdio: ['ignore', output, output] });
  closeSync(output);
  if (error !== undefined) throw error;
  if (status !== 0)
    throw new Error(
      `${file} ${parameters.join(' ')} ended with ${status}:\n${readFileSync(log, 'utf8').slice(-2_000)}`,
    );
}
