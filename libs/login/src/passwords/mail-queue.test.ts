import { createLogger } from '@lintel/telemetry';
import { createNameDigest } from '../attempts/name-digest.ts';
import { createMailQueue } from './mail-queue.ts';

/** A queue with a store that counts. */
function setUp() {
  const log: string[] = [];
  const counters = new Map<string, number>();
  const queue = createMailQueue({
    keyValues: {
      async increment(key) {
        counters.set(key, (counters.get(key) ?? 0) + 1);
        return counters.get(key) ?? 0;
      },
    },
    nameDigest: createNameDigest('secret of the test'),
    logger: createLogger({ service: 'auth', level: 'debug', destination: { write: (line) => log.push(line) } }),
  });
  const counted = () => [...counters.values()].reduce((sum, each) => sum + each, 0);
  return { queue, counters, counted, log };
}
const forever = () => new Promise<void>(() => undefined);

// Asserts contract/tokens.md#forgotten-password, contract/tokens.md#sign-up.
test('a request does the same work before its response, for any task', async () => {
  const { queue, counted } = setUp();
  const work = [];
  for (const task of [forever, async () => undefined, () => Promise.reject(new Error('No such user'))]) {
    const before = counted();
    expect(await queue.offer('reset', `name${work.length}`, '192.0.2.1', task)).toBe(true);
    work.push(counted() - before);
  }
  expect(work).toEqual([2, 2, 2]);
});

// Asserts contract/tokens.md#forgotten-password.
test('above the limit of a name, in any spelling, the response is the same and nothing is begun', async () => {
  const { queue } = setUp();
  let begun = 0;
  const task = async () => {
    begun += 1;
  };
  for (const name of ['anna', 'ANNA', ' anna', 'anna', 'Ánna'])
    expect(await queue.offer('reset', name, '192.0.2.1', task)).toBe(true);
  expect(begun).toBe(3);
  await queue.offer('sign-up', 'anna', '192.0.2.1', task);
  expect(begun).toBe(4);
});

test('above the limit of an address nothing is begun, and others go on', async () => {
  const { queue } = setUp();
  for (let at = 0; at < 30; at += 1) expect(await queue.offer('reset', `a${at}`, '192.0.2.1', forever)).toBe(true);
  let begun = 0;
  const task = async () => {
    begun += 1;
  };
  expect(await queue.offer('reset', 'b', '192.0.2.1', task)).toBe(false);
  expect(begun).toBe(0);
  expect(await queue.offer('reset', 'b', '192.0.2.2', task)).toBe(true);
});

test('at most four are sent at a time, and 200 wait: further ones are left out', async () => {
  const { queue } = setUp();
  let begun = 0;
  const task = () => {
    begun += 1;
    return forever();
  };
  for (let at = 0; at < 300; at += 1)
    expect(await queue.offer('reset', `name${at}`, `10.0.${at % 250}.1`, task)).toBe(true);
  expect(begun).toBe(4);
});

test('keys and errors do not contain names', async () => {
  const { queue, counters, log } = setUp();
  const error = Object.assign(new Error('anna@example.com is full'), { code: 'EENVELOPE' });
  await queue.offer('reset', 'anna@example.com', '192.0.2.1', () => Promise.reject(error));
  await new Promise((resolve) => setImmediate(resolve));
  expect(log.join('')).toContain('EENVELOPE');
  expect([...counters.keys(), ...log].join('')).not.toContain('anna');
});
