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
  const tried = async (times: number, username = 'anna', address = '1.1.1.1') => {
    for (let at = 0; at < times; at += 1) {
      expect(await guard.admit(username, address)).toBe(true);
      await guard.failed(username, address);
    }
  };
  return { guard, clock, tried };
}

test('the last failure that is allowed begins a block, which ends by itself', async () => {
  const { guard, clock, tried } = start();
  await tried(3);
  expect(await guard.admit('anna', '1.1.1.1')).toBe(false);
  clock.nowMs = 59_999;
  expect(await guard.admit('anna', '1.1.1.1')).toBe(false);
  clock.nowMs = 60_001;
  expect(await guard.admit('anna', '1.1.1.1')).toBe(true);
});

test('attempts at the same time are no way around it', async () => {
  const { guard } = start();
  const admitted = await Promise.all(Array.from({ length: 50 }, () => guard.admit('anna', '1.1.1.1')));
  expect(admitted.filter((isAdmitted) => isAdmitted)).toHaveLength(3);
});

test('a block is about one login from one address', async () => {
  const { guard, tried } = start();
  await tried(3);
  expect(await guard.admit('anna', '2.2.2.2')).toBe(true);
  expect(await guard.admit('bert', '1.1.1.1')).toBe(true);
});

test('a success forgets the failures before it, and so does time', async () => {
  const { guard, clock, tried } = start();
  await tried(2);
  await guard.succeeded('anna', '1.1.1.1');
  await tried(2);
  clock.nowMs = 60_001;
  await tried(2);
  expect(await guard.admit('anna', '1.1.1.1')).toBe(true);
});

test('without protection nobody is blocked', async () => {
  const { guard, tried } = start(false);
  await tried(100);
  expect(await guard.admit('anna', '1.1.1.1')).toBe(true);
});
