import { PlatformError } from '@lintel/errors';
import { createSecretEncryption } from '../definitions/create-secret-encryption.ts';
import { type DeliverDependencies, deliver } from './deliver.ts';
import type { ClaimedDelivery } from './delivery.ts';

const CLAIMED: ClaimedDelivery = {
  id: '7',
  leaseId: 'lease',
  eventId: 'event',
  changedAt: '2026-11-20T08:00:00.000Z',
  change: { entity: 't_Deal', id: '1', kind: 'created', attributes: [] },
  attempt: 2,
  waitedMs: 5_000,
  webhook: { url: 'https://example.com/', owner: 'reader', filter: undefined, became: [], secrets: [] },
};
const UNREADABLE = 'The change could not be read; see the log of the service';

/** Runs an attempt in which reading the change throws the error; returns its outcome, the stored result and the log. */
async function attempt(error: Error, waitedMs: number, signal = new AbortController().signal) {
  const kept: unknown[] = [];
  const logged: unknown[] = [];
  const deps: DeliverDependencies = {
    store: {
      finish: async (_claimed, state, { error: text }) => void kept.push([state, text]),
      retry: async (_claimed, { error: text }, delayMs) => void kept.push([delayMs, text]),
    },
    sender: { send: async () => ({ isTaken: true }), close: async () => {} },
    encryption: createSecretEncryption('key'),
    decide: () => Promise.reject(error),
    giveUpAfterMs: 10_000,
    delayMs: (number) => number * 1_000,
    now: () => 0,
    logger: { error: (fields) => void logged.push(fields) },
  };
  const outcome = await deliver({ ...CLAIMED, waitedMs }, deps, signal);
  return { outcome, kept, logged };
}

test.each([
  ['a bug', new TypeError('x is undefined')],
  ['a failure of the database', new PlatformError('INTERNAL_ERROR', '')],
])(
  'a change that cannot be read because of %s waits longer each time, and is abandoned at the end',
  async (_, error) => {
    const logged = [{ err: error, delivery: '7' }];
    expect(await attempt(error, 5_000)).toEqual({ outcome: 'retried', kept: [[2_000, UNREADABLE]], logged });
    expect(await attempt(error, 9_000)).toEqual({ outcome: 'failed', kept: [['failed', UNREADABLE]], logged });
  },
);

test('an attempt that is aborted because the process ends is not counted', async () => {
  const ending = new Error('ending');
  await expect(attempt(ending, 5_000, AbortSignal.abort())).rejects.toBe(ending);
});
