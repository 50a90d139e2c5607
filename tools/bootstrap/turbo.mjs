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
export const runTurbo = (parameters, env = process.env) =>
  turbo(
    [
      ...parameters,
      '--cache=local:rw',
      '--no-update-notifier',
      '--output-logs=errors-only',
      '--log-order=grouped',
      '--ui=stream',
    ],
    env,
  );

/**
 * The packages that have a task of `turbo.json`, with a hash of everything that the task depends on.
 *
 * @param {string} task
 * @param {Record<string, string | undefined>} [env]
 * @returns {Promise<readonly { folder: string, hash: string }[]>} `folder` is relative to the repository
 * @throws Error with the output of turbo
 */
export async function turboHashes(task, env = process.env) {
  const { code, output } = await turbo([task, '--dry=json', '--no-update-notifier'], env);
  if (code !== 0) throw new Error(`turbo cannot compute the hashes of ${task}:\n${output}`);
  const { tasks } = JSON.parse(output.slice(output.indexOf('\n{') + 1));
  return tasks
    .filter((each) => each.task === task && each.command !== '<NONEXISTENT>')
    .map(({ directory, hash }) => ({ folder: directory, hash }));
}

const turbo = (parameters, env) =>
  runProgram(process.execPath, [join(ROOT, 'node_modules', 'turbo', 'bin', 'turbo'), 'run', ...parameters], {
    cwd: ROOT,
    env: {
      ...env,
      PATH: `${dirname(process.execPath)}${delimiter}${env.PATH || ''}`,
      TURBO_TELEMETRY_DISABLED: '1',
      DO_NOT_TRACK: '1',
      TURBO_PRINT_VERSION_DISABLED: '1',
    },
  });
