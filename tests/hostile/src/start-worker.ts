import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the test that does work apart from it. */
export interface Worker<Command, Response> {
  /** @throws Error when the work failed, or the process has ended */
  ask(command: Command): Promise<Response>;
  close(): Promise<void>;
}

/** Response to a command that failed. */
export interface Failed {
  readonly kind: 'failed';
  readonly reason: string;
}

/** Starts a file of this package, which responds to each command with one message (`serveWorker`). */
export async function startWorker<Command extends object, Response extends { readonly kind: string }>(
  file: string,
): Promise<Worker<Command, Response>> {
  const child = fork(file, { execArgv: ['--no-warnings'], env: { PATH: process.env['PATH'] } });
  const exited = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`)));
  exited.catch(() => undefined);
  return {
    async ask(command) {
      const response = once(child, 'message') as Promise<[Response | Failed]>;
      child.send(command);
      const [received] = await Promise.race([response, exited]);
      if (received.kind === 'failed') throw new Error((received as Failed).reason);
      return received as Response;
    },
    async close() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
