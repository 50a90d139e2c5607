import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';

/** Ends the output of a step, with its exit code. */
const END = /<the step has ended with \d+>$/;

/** The two terminals of a newcomer: one for commands, one in which the application runs. */
export interface NewcomerShell {
  /** Runs commands in the shell, where folders and variables stay; returns what they print on standard output. */
  run(commands: string): Promise<string>;
  /** Starts something that goes on, in the folder where the shell is, and waits for a line of its output. */
  start(commands: string, line: RegExp): Promise<void>;
  /** Ends what `start` has started. */
  stop(): Promise<void>;
  /** Ends both terminals. */
  close(): Promise<void>;
}

/** @param env variables; what an outer npm has set is left out, it would steer the inner one to other folders */
export function openShell(folder: string, env: Readonly<Record<string, string>>): NewcomerShell {
  const variables = { ...outerVariables(), ...env };
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env: variables });
  let collected = '';
  let complaints = '';
  let wake = (): void => {};
  shell.stdout.on('data', (chunk) => {
    collected += String(chunk);
    wake();
  });
  shell.stderr.on('data', (chunk) => {
    complaints += String(chunk);
  });
  const shellEnded = ended(shell);
  let running: { readonly process: ChildProcess; readonly gone: Promise<void> } | undefined;

  /** Ctrl-C reaches everything in the terminal. */
  async function interrupt(): Promise<void> {
    if (running?.process.pid !== undefined && running.process.exitCode === null)
      process.kill(-running.process.pid, 'SIGINT');
    await running?.gone;
    running = undefined;
  }

  async function run(commands: string): Promise<string> {
    collected = '';
    complaints = '';
    shell.stdin.write(`{ set -e\n${commands}\n} < /dev/null; printf '<the step has ended with %s>' $?\n`);
    while (!END.test(collected)) {
      const more = new Promise<'more'>((resolve) => {
        wake = () => resolve('more');
      });
      if ((await Promise.race([more, shellEnded.then(() => 'ended')])) === 'ended')
        throw new Error(`The shell has ended at\n${commands}\n${collected}${complaints}`);
    }
    return collected.replace(END, '');
  }

  return {
    run,
    async start(commands, line) {
      await interrupt();
      const cwd = (await run('pwd')).trim();
      const child = spawn('bash', ['-c', commands], { cwd, env: variables, detached: true });
      running = { process: child, gone: ended(child) };
      let output = '';
      const seen = new Promise<'seen'>((resolve) => {
        const look = (chunk: unknown): void => {
          output += String(chunk);
          if (line.test(output)) resolve('seen');
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
      });
      if ((await Promise.race([seen, running.gone.then(() => 'gone')])) === 'gone')
        throw new Error(`It has ended before it was ready:\n${commands}\n${output}`);
    },
    stop: interrupt,
    async close() {
      await interrupt();
      shell.stdin.end();
      await shellEnded;
    },
  };
}

const ended = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.once('close', () => resolve()));

function outerVariables(): Record<string, string | undefined> {
  const entries = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(?!config_(cache|userconfig|registry|https?_proxy|proxy|noproxy)$)|INIT_CWD$|NODE_OPTIONS$|NODE_ENV$|LINTEL_|SVC_|PORT$)/i.test(
        name,
      ),
  );
  // The Node of the tests, for a machine that has an older one.
  return { ...Object.fromEntries(entries), PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
}
