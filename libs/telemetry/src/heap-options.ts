import { setFlagsFromString } from 'node:v8';

/** What each option is set to until the process has started: its default. */
const UNTIL_STARTED: Readonly<Record<string, string>> = {
  '--heap-growing-percent': '--heap-growing-percent=0',
  '--optimize-for-size': '--no-optimize-for-size',
  '--expose-gc': '--no-expose-gc',
};

/**
 * V8 creates the objects of a literal or a constructor in the old generation if those of earlier evaluations survived a
 * collection of the young one. In a server these are parts of the requests in progress: as old garbage they keep
 * everything that their requests refer to until the next full collection.
 */
const OF_SERVERS = '--no-allocation-site-pretenuring';

let setAside: readonly string[] = [];

/**
 * Gives options of V8 on the command line that matter for a heap in use their defaults, until `applyHeapOptions`. V8
 * accepts the compiled code that Node's program has of its own modules only with the options that Node was made with;
 * with any other one it compiles each of them at every start.
 */
export function setHeapOptionsAside(given: readonly string[] = process.execArgv, setFlag = setFlagsFromString): void {
  setAside = given.filter((option) => untilStarted(option) !== undefined);
  for (const option of setAside) setFlag(untilStarted(option) ?? option);
}

/**
 * Called when the process has started to serve. Objects of requests are created in the young generation from now on,
 * and what `setHeapOptionsAside` has set aside is set, once.
 */
export function applyHeapOptions(setFlag = setFlagsFromString): void {
  setFlag(OF_SERVERS);
  for (const option of setAside) setFlag(option);
  setAside = [];
}

const untilStarted = (option: string): string | undefined => UNTIL_STARTED[option.split('=')[0] ?? ''];
