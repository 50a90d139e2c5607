import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createRestartDelays } from './restart-delays.mjs';

/**
 * Runs a program and starts it again where it dies after it was ready (it says so with `process.send('ready')`). Before
 * that its end is ours, with its code: what keeps it from starting is for people. SIGINT, SIGTERM and SIGHUP are passed on, and
 * after one of them its end is ours as well. Its channel closes when we die.
 *
 * @param {string} file
 * @param {readonly string[]} parameters
 * @param {{ environment: NodeJS.ProcessEnv, say?: (line: string) => void, name: string, options?: readonly string[] }} settings
 *   `options` are those of Node
 * @returns {Promise<never>}
 */
export function supervise(
  file,
  parameters,
  { environment, name, options = [], say = (line) => process.stderr.write(`${line}\n`) },
) {
  const delays = createRestartDelays();
  let child;
  let isStopping = false;
  let hasBeenReady = false;
  let restart;

  const start = (env) => {
    const startedAt = Date.now();
    let wasReady = false;
    child = spawn(process.execPath, [...options, ...process.execArgv, file, ...parameters], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env,
    });
    child.on('message', (message) => {
      if (message === 'ready') hasBeenReady = wasReady = true;
    });
    child.once('error', (error) => {
      say(`${process.execPath} cannot be started: ${error.message}`);
      process.exit(1);
    });
    const ended = (code, signal) => {
      child = undefined;
      if (isStopping || !hasBeenReady || code === 0) end(code, signal);
      const how = signal === null ? `code ${code}` : `signal ${signal}`;
      const delayMs = delays.after({ ranMs: Date.now() - startedAt, wasReady });
      if (delayMs === undefined) {
        say(`${name} ended again (${how}) before it was ready; it is not started any more. Its last lines say why.`);
        end(code, signal);
      }
      say(`${name} ended by itself (${how}); it is started again in ${delayMs / 1000} s. Its last lines say why.`);
      restart = setTimeout(() => start({ ...env, LINTEL_STARTED_AT: String(Date.now()) }), delayMs);
    };
    // Its end may be seen before its last message is read: the closed channel comes after both.
    child.once('exit', function (code, signal) {
      if (this.connected) this.once('disconnect', () => ended(code, signal));
      else ended(code, signal);
    });
  };

  const stop = (signal) => {
    isStopping = true;
    clearTimeout(restart);
    if (child === undefined) process.exit(0);
    // Ctrl-C reaches the child by itself, too: it takes both for one.
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
  start(environment);
  return new Promise(() => undefined);
}

/** Ends as the child has: a shell shows the same code. */
function end(code, signal) {
  process.exit(signal === null ? (code ?? 1) : 128 + (constants.signals[signal] ?? 0));
}
