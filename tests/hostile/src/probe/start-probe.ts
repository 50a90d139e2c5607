import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startWorker } from '../start-worker.ts';
import type { ProbeCommand, ProbeReport, ProbeResponse, ProbeTarget } from './probe-messages.ts';

const AFTER_MS = 100;

/** Measures the system and another user while work is done. */
export interface Probe {
  /** @throws Error when the other user cannot log in, or the probe has ended */
  during<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly report: ProbeReport }>;
  close(): Promise<void>;
}

/** Starts the probe as a process of its own. */
export async function startProbe(target: ProbeTarget): Promise<Probe> {
  const file = fileURLToPath(new URL('./probe-main.ts', import.meta.url));
  const worker = await startWorker<ProbeCommand, ProbeResponse>(file);
  await worker.ask({ kind: 'start', target });
  return {
    async during(work) {
      await worker.ask({ kind: 'begin' });
      const result = await work();
      // What goes on after the last response is seen as well.
      await sleep(AFTER_MS);
      const ended = await worker.ask({ kind: 'end' });
      if (ended.kind !== 'ended') throw new Error(`The probe responded with ${ended.kind}`);
      return { result, report: ended.report };
    },
    close: () => worker.close(),
  };
}
