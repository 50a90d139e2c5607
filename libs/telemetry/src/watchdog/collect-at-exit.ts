import { openCollector } from './open-collector.ts';

/**
 * Collects garbage when the process exits. Node then waits for its compiler threads, and a compiler thread whose
 * allocation exceeds the limit of the heap waits for a collection by the main thread, which would never come
 * (nodejs/node#54918): the process would hang. A collection raises the limit far above what compilers allocate.
 */
export const collectAtExit = (): void => void process.once('exit', () => void openCollector()());
