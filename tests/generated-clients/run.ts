import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program in a folder, which must succeed, and returns its output. */
export type Run = (cwd: string, program: string, ...parameters: readonly string[]) => Promise<string>;

const execute = promisify(execFile);
/** One compiler at a time, which does not optimize: clients of 20 MB took 5 GB and minutes. */
const GO = { GOFLAGS: "-mod=mod -p=1 '-gcflags=-N -l -c=1'", GOGC: '50' };

export const run: Run = (cwd, program, ...parameters) =>
  execute(program, parameters, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...GO },
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout?: string; stderr?: string }) => {
      const output = `${error.stdout ?? ''}${error.stderr ?? ''}`;
      throw new Error(`${program} ${parameters.join(' ')}: ${output === '' ? error.message : output}`);
    },
  );
