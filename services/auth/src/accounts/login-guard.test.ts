import { createMemoryStore } from '@lintel/cache';
import { createLoginGuard } from './login-guard.ts';

function start(isEnabled = true) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const guard = createLoginGuard({
    keyValues: createMemoryStore({ clock }),
    isEnabled,
    maxAttempts: 3,
    blockMs: 60_000,
  });
  const fail = async (times: number, username = 'anna', address = '1.1.1.1') => {
    for (let at = 0; at < times; at += 1) await guard.failed(username, address);
  };
  return { guard, clock, fail };
}

test('the last failure that is allowed begins a block, which ends by itself', async () => {
  const { guard, clock, fail } = start();
  await fail(2);
  expect(await guard.isBlocked('anna', '1.1.1.1')).toBe(false);
  await fail(1);
  expect(await guard.isBlocked('anna', '1.1.1.1')).toBe(true);
  clock.nowMs = 59_999;
  expect(await guard.isBlocked('anna', '1.1.1.1')).toBe(true);
  clock.nowMs = 60_001;
  expect(await guard.isBlocked('anna', '1.1.1.1')).toBe(false);
});

test('a block is about one login from one address', async () => {
  const { guard, fail } = start();
  await fail(3);
  expect(await guard.isBlocked('anna', '2.2.2.2')).toBe(false);
  expect(await guard.isBlocked('bert', '1.1.1.1')).toBe(false);
});

test('a success forgets the failures before it, and so does time', async () => {
  const { guard, clock, fail } = start();
  await fail(2);
  await guard.succeeded('anna', '1.1.1.1');
  await fail(2);
  expect(await guard.isBlocked('anna', '1.1.1.1')).toBe(false);
  clock.nowMs = 60_001;
  await fail(2);
  expect(await guard.isBlocked('anna', '1.1.1.1')).toBe(false);
});

test('without protection nobody is blocked', async () => {
  const { guard, fail } = start(false);
  await fail(100);
  expect(await guard.isBlocked('anna', '1.1.1.1')).toBe(false);
});
