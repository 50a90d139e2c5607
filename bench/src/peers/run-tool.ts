import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';

/**
 * Runs a program to its end; its output goes to a file.
 *
 * @throws Error with the end of the output if the program fails
 */
export function runTool(
  file: string,
  parameters: readonly string[],
  options: { readonly folder: string; readonly log: string; readonly environment?: Readonly<Record<string, string>> },
): Promise<void> {
  const { folder, log, environment = {} } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(file, parameters, {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => appendFileSync(log, chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${file} ${parameters.join(' ')} ended with ${code}:\n${endOf(log)}`));
    });
  });
}

const endOf = (log: string): string => readFileSync(log, 'utf8').slice(-2_000);
