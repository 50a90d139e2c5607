import { delimiter, dirname, join } from 'node:path';
import { ROOT } from './paths.mjs';
import { runProgram } from './run-program.mjs';

/**
 * Runs a task of `turbo.json` in all packages that have it, with what is known of it on this machine.
 *
 * @param {readonly string[]} parameters the task, and options
 * @param {Record<string, string | undefined>} [env]
 * @returns {Promise<{ code: number, output: string }>} the output of tasks that failed
 */
export function runTurbo(parameters, env = process.env) {
  const turbo = join(ROOT, 'node_modules', 'turbo', 'bin', 'turbo');
  return runProgram(
    process.execPath,
    [
      turbo,
      'run',
      ...parameters,
      '--cache=local:rw',
      '--no-update-notifier',
      '--output-logs=errors-only',
      '--log-order=grouped',
      '--ui=stream',
    ],
    {
      cwd: ROOT,
      env: {
        ...env,
        PATH: `${dirname(process.execPath)}${delimiter}${env.PATH || ''}`,
        TURBO_TELEMETRY_DISABLED: '1',
        DO_NOT_TRACK: '1',
        TURBO_PRINT_VERSION_DISABLED: '1',
      },
    },
  );
}
