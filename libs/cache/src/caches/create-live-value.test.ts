import { setTimeout as sleep } from 'node:timers/promises';
import { isPlatformError, StartError } from '@lintel/errors';
import { userChanged } from '../../test/envelopes.ts';
import { declareCache } from './cache-declaration.ts';
import { createLiveValue } from './create-live-value.ts';

const settled = () => sleep(5);

const ROLES = declareCache({
  name: 'test-live-roles',
  holds: 'a text',
  where: ['data'],
  keyedBy: 'nothing',
  maxEntries: 1,
  invalidatedBy: ['data.user.changed.v1'],
  staleness: 'max-staleness',
  ownWrites: 'later',
  whileAway: '',
});

function start(loads: readonly (string | Error)[], startWithinMs = 0) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const warnings: object[] = [];
  let loadCount = 0;
  const value = createLiveValue<string>({
    declaration: ROLES,
    async load() {
      const next = loads[Math.min(loadCount, loads.length - 1)];
      loadCount += 1;
      if (next instanceof Error) throw next;
      return next ?? '';
    },
    maxStalenessMs: 60_000,
    startWithinMs,
    clock,
    logger: { warn: (fields: object) => warnings.push(fields) },
  });
  return { value, clock, warnings, loadCount: () => loadCount };
}

test('the value is loaded before the first read, and again after an event that concerns it', async () => {
  const { value, loadCount } = start(['one', 'two']);
  const live = await value;
  expect(live.current()).toBe('one');
  live.handleEvent({ ...userChanged('x'), type: 'data.other.changed.v1' });
  await settled();
  expect(loadCount()).toBe(1);
  live.handleEvent(userChanged('x'));
  await settled();
  expect(live.current()).toBe('two');
  live.close();
});

test('everything that was missed is made good when the connection is back', async () => {
  const { value } = start(['one', 'two']);
  const live = await value;
  live.dropAll();
  await settled();
  expect(live.current()).toBe('two');
  live.close();
});

test('events that come together cost one load for those that wait', async () => {
  const { value, loadCount } = start(['one', 'two']);
  const live = await value;
  for (let at = 0; at < 20; at += 1) live.handleEvent(userChanged('x'));
  await settled();
  expect(loadCount()).toBe(2);
  live.close();
});

test('the first load must succeed', async () => {
  await expect(start([new Error('no database')]).value).rejects.toThrow('no database');
});

test('processes that start together wait for one another, which is reported once', async () => {
  const { value, warnings } = start([new StartError('no table yet'), new Error('no table yet'), 'one'], 2_000);
  expect((await value).current()).toBe('one');
  expect(warnings).toEqual([{ name: 'test-live-roles', reason: 'no table yet' }]);
  (await value).close();
});

test('a load that fails keeps the value, is reported, and is tried again', async () => {
  const { value, warnings } = start(['one', new Error('gone'), 'three']);
  const live = await value;
  live.handleEvent(userChanged('x'));
  await settled();
  expect(live.current()).toBe('one');
  expect(warnings).toHaveLength(1);
  await sleep(130);
  expect(live.current()).toBe('three');
  live.close();
});

test('of loads that fail one after the other, the first one is reported', async () => {
  const { value, warnings, loadCount } = start(['one', new Error('gone'), new Error('gone'), 'four']);
  const live = await value;
  live.handleEvent(userChanged('x'));
  while (live.current() !== 'four') await sleep(20);
  expect([loadCount(), warnings.length]).toEqual([4, 1]);
  live.close();
});

test('a value that was true when the broker went away is answered on, and read again at once', async () => {
  const { value, clock, loadCount } = start(['one', 'two']);
  const live = await value;
  live.setConnected(true);
  clock.nowMs = 40_000;
  live.setConnected(false);
  expect(live.current()).toBe('one');
  await settled();
  expect([live.current(), loadCount()]).toEqual(['two', 2]);
  live.close();
});

test('while the broker is away a value that cannot be read any more is not answered for long', async () => {
  const { value, clock } = start(['one', new Error('gone')]);
  const live = await value;
  live.setConnected(true);
  clock.nowMs = 40_000;
  live.setConnected(false);
  await settled();
  clock.nowMs = 50_000;
  expect(live.current()).toBe('one');
  clock.nowMs = 50_001;
  expect(() => live.current()).toThrow(expect.objectContaining({ status: 503 }));
  live.close();
});

test('a value that could not be confirmed for too long is not answered', async () => {
  const { value, clock } = start(['one']);
  const live = await value;
  live.setConnected(true);
  clock.nowMs = 60_000;
  expect(live.current()).toBe('one');
  clock.nowMs = 60_001;
  expect(() => live.current()).toThrow(expect.objectContaining({ status: 503 }));
  try {
    live.current();
  } catch (error) {
    expect(isPlatformError(error)).toBe(true);
  }
  live.close();
});
