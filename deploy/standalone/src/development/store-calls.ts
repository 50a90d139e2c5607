import type { KeyValueStore } from '@lintel/cache';
import type { FromWorker, ToWorker } from './messages.ts';

type Call = Extract<FromWorker, { kind: 'call' }>;
type Result = Extract<ToWorker, { kind: 'result' }>;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The keys of the development server: sessions and tokens outlive the worker. */
export interface RemoteStore {
  readonly store: KeyValueStore;
  receive(result: Result): void;
}

/** A store whose calls are sent to the process that has the keys. */
export function createRemoteStore(send: (call: Call) => void): RemoteStore {
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  const calling =
    (method: string) =>
    (...parameters: readonly unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        calls += 1;
        waiting.set(calls, { resolve, reject });
        send({ kind: 'call', call: calls, method, parameters });
      });
  const METHODS = [
    'get',
    'getMany',
    'set',
    'delete',
    'increment',
    'addToSet',
    'removeFromSet',
    'membersOf',
    'addToBoundedList',
    'removeFromBoundedList',
  ] as const;
  const remote = Object.fromEntries(METHODS.map((method) => [method, calling(method)]));
  return {
    store: {
      ...(remote as Pick<KeyValueStore, (typeof METHODS)[number]>),
      assertReady: async () => {},
      // The keys stay for the next worker.
      close: async () => {},
    },
    receive({ call, value, error }) {
      const found = waiting.get(call);
      waiting.delete(call);
      if (error === undefined) found?.resolve(nullsToUndefined(value));
      else found?.reject(new Error(error));
    },
  };
}

/** JSON has no `undefined`; no value of a store is null. */
const nullsToUndefined = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((one) => one ?? undefined) : (value ?? undefined);

/** Runs a call of a worker on the keys of this process. */
export async function runCall(store: KeyValueStore, { call, method, parameters }: Call): Promise<Result> {
  try {
    const run = store[method as keyof KeyValueStore] as unknown as (...parameters: unknown[]) => Promise<unknown>;
    return { kind: 'result', call, value: await run.apply(store, [...parameters]) };
  } catch (error) {
    return { kind: 'result', call, error: String(error) };
  }
}
