import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FromWorker, ToWorker } from './messages.ts';

/** How long a worker may take to end the requests that it serves. */
const STOP_MS = 3_000;

/** A process of the services, seen from the development server. */
export interface WorkerProcess {
  /** Has the worker load and start the application, as soon as the platform is loaded. */
  start(): void;
  send(message: ToWorker): void;
  /** Ends the worker; resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * @param onMessage receives what the worker reports, but not after `stop`
 * @param onEnd called when the worker has ended without `stop`
 */
export function startWorker(onMessage: (message: FromWorker) => void, onEnd: (how: string) => void): WorkerProcess {
  const child: ChildProcess = fork(fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url)));
  let isStopped = false;
  const prepared = Promise.withResolvers<void>();
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      if (!isStopped) onEnd(signal ?? `code ${code}`);
      resolve();
    });
  });
  const send = (message: ToWorker): void => {
    // A worker that has ended is reported by its end.
    if (child.connected) child.send(message, () => {});
  };
  child.on('message', (message: FromWorker) => {
    if (message.kind === 'prepared') prepared.resolve();
    // Calls of a worker that ends its requests are still served.
    else if (!isStopped || message.kind === 'call') onMessage(message);
  });
  return {
    start: () => void prepared.promise.then(() => isStopped || send({ kind: 'start' })),
    send,
    stop() {
      isStopped = true;
      send({ kind: 'stop' });
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      return ended.finally(() => clearTimeout(timer));
    },
  };
}
