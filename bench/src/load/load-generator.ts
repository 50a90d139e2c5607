import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadReport } from '../measure/run-record.ts';
import type { LoadJob } from './load-process.ts';

/** The generator's process. */
export interface LoadGenerator {
  run(job: LoadJob): Promise<LoadReport>;
  stop(): void;
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL('./load-process.ts', import.meta.url)), { stdio: ['ignore', 2, 2, 'ipc'] });
  return { run: (job) => ask(child, job), stop: () => child.disconnect() };
}

function ask(child: ChildProcess, job: LoadJob): Promise<LoadReport> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('The load generator ended'));
    child.once('exit', ended);
    child.once('message', (message: { report?: LoadReport; error?: string }) => {
      child.off('exit', ended);
      if (message.report === undefined) reject(new Error(`${job.operation} against ${job.url}: ${message.error}`));
      else resolve(message.report);
    });
    child.send(job);
  });
}
