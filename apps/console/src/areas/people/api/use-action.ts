import { type ActionOptions, useAction as useAnyAction } from '../../../requests/use-action.ts';

const READS = [['people']];

/** A request that changes something of the area, whose pages then read again. */
export const useAction = <V = void, R = unknown>(run: (values: V) => Promise<R>, options: ActionOptions<R> = {}) =>
  useAnyAction(run, { reads: READS, ...options });
