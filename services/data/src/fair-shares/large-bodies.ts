import { FairQueue } from '@lintel/http';
import type { Metrics } from '@lintel/telemetry';
import type { DataConfig } from '../config.ts';

/** Maximum of waiting large bodies; each is kept in memory unparsed, 1 MB by default. */
const MAX_WAITING = 64;
const MAX_WAITING_PER_CALLER = 32;

/**
 * Limits the large bodies that a process handles at the same time, because the values of a body take many times its
 * size in memory. The others wait in a queue for each caller; the queues are served round-robin.
 */
export type LargeBodies = FairQueue;

export const createLargeBodies = ({ shares }: Pick<DataConfig, 'shares'>, metrics?: Metrics): LargeBodies =>
  new FairQueue({
    name: 'large-bodies',
    capacity: shares.largeBodies,
    heavyCapacity: shares.largeBodies,
    maxWaiting: MAX_WAITING,
    maxWaitingPerCaller: MAX_WAITING_PER_CALLER,
    makesRoom: true,
    maxWaitMs: shares.maxWaitMs,
    metrics,
  });
