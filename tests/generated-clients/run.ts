import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program in a folder, which must succeed, and returns its output. */
export type Run = (cwd: string, program: string, ...parameters: readonly string[]) => Promise<string>;

const execute = promisify(execFile);

export const run: Run = (cwd, program, ...parameters) =>
  execute(program, parameters, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', GOFLAGS: '-mod=mod' },
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout?: string; stderr?: string }) => {
      const output = `${error.stdout ?? ''}${error.stderr ?? ''}`;
      throw new Error(`${program} ${parameters.join(' ')}: ${output === '' ? error.message : output}`);
    },
  );
