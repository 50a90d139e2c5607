import { createMemoryStore } from '@lintel/cache';
import { createAttemptGuard } from './attempt-guard.ts';
import { createNameDigest } from './name-digest.ts';

function start(isEnabled = true) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const keyValues = createMemoryStore({ clock });
  const nameDigest = createNameDigest('fb0f4d8c2b6e4b4f9d7a1c0e5a3b2d19');
  const limits = { maxAttempts: 3, blockMs: 60_000, maxPerName: 20, maxPerAddress: 10 };
  const options = { ...limits, keyValues, isEnabled, clock, nameDigest };
  const guard = createAttemptGuard({ ...options, kind: 'user', intervalMs: 600_000 });
  const clients = createAttemptGuard({ ...options, kind: 'client', intervalMs: 600_000 });
  const run = (kind: 'wrong' | 'right' | 'refused', name = 'anna', address = '1.1.1.1', by = guard) =>
    by
      .run({ name, address }, async () => ({ kind, value: undefined }))
      .then((result) => (result.kind === 'made' ? 'made' : result.refusal));
  const succeed = async (name: string, address: string) => expect(await run('right', name, address)).toBe('made');
  const tried = async (times: number, name = 'anna', address = '1.1.1.1') => {
    for (let at = 0; at < times; at += 1) expect(await run('wrong', name, address)).toBe('made');
  };
  /** Whether an attempt would be made; does not change anything. */
  const admit = async (name = 'anna', address = '1.1.1.1', by = guard) => {
    const given = by.run({ name, address }, () => Promise.reject(new Error('not counted')));
    return given.then(
      (result) => (result.kind === 'made' ? 'made' : result.refusal),
      () => 'admitted',
    );
  };
  return { guard, clients, clock, admit, run, succeed, tried };
}

// Asserts contract/tokens.md#guessing.
test('the last failure that is allowed begins a block, which ends by itself', async () => {
  const { guard, clock, tried, admit } = start();
  await tried(2);
  const last = await guard.run({ name: 'anna', address: '1.1.1.1' }, async () => ({ kind: 'wrong', value: 1 }));
  expect(last).toEqual({ kind: 'made', value: 1, beginsBlock: true });
  expect(await admit()).toBe('locked');
  clock.nowMs = 59_999;
  expect(await admit()).toBe('locked');
  clock.nowMs = 60_001;
  expect(await admit()).toBe('admitted');
});

test('attempts at the same time do not pass the limit', async () => {
  const { run } = start();
  const results = await Promise.all(Array.from({ length: 50 }, () => run('wrong')));
  expect(results.filter((result) => result === 'made')).toHaveLength(3);
  expect(results.filter((result) => result === 'locked')).toHaveLength(47);
});

test('right passwords at the same time are never refused', async () => {
  const { run } = start();
  const results = await Promise.all(Array.from({ length: 50 }, () => run('right')));
  expect(new Set(results)).toEqual(new Set(['made']));
});

test('an attempt that could not be made counts for nothing', async () => {
  const { admit } = start();
  for (let at = 0; at < 10; at += 1) expect(await admit()).toBe('admitted');
});

test('a client with the right secret is accepted at an address that is known to it, also after wrong guesses of others there', async () => {
  const { clients, run, admit } = start();
  const guess = () => run('wrong', 'shop', '1.1.1.1', clients);
  expect(await run('right', 'shop', '1.1.1.1', clients)).toBe('made');
  for (let at = 0; at < 30; at += 1) await guess();
  expect(await run('right', 'shop', '1.1.1.1', clients)).toBe('made');
  for (let at = 0; at < 3; at += 1) await run('wrong', 'shop', '2.2.2.2', clients);
  expect(await admit('shop', '2.2.2.2', clients)).not.toBe('admitted');
});

// Asserts contract/tokens.md#guessing.
test('a block is about one name from one address', async () => {
  const { tried, admit } = start();
  await tried(3);
  expect(await admit('anna', '2.2.2.2')).toBe('admitted');
  expect(await admit('bert', '1.1.1.1')).toBe('admitted');
});

// Asserts contract/tokens.md#guessing.
test('a success forgets the failures before it, and so does time', async () => {
  const { clock, tried, admit, succeed } = start();
  await tried(2);
  await succeed('anna', '1.1.1.1');
  await tried(2);
  clock.nowMs = 60_001;
  await tried(2);
  expect(await admit()).toBe('admitted');
});

// Asserts contract/tokens.md#guessing.
test('without protection nothing is blocked', async () => {
  const { tried, admit } = start(false);
  await tried(100);
  expect(await admit()).toBe('admitted');
});

test('an address that tries many names is refused, for new names and new clients', async () => {
  const { clients, clock, tried, admit } = start();
  for (let at = 0; at < 10; at += 1) await tried(1, `user ${at}`);
  expect(await admit('user 11')).toBe('too-many');
  expect(await admit('shop', '1.1.1.1', clients)).toBe('too-many');
  expect(await admit('user 11', '2.2.2.2')).toBe('admitted');
  clock.nowMs = 600_001;
  expect(await admit('user 11')).toBe('admitted');
});

test('an IPv6 network counts as one address', async () => {
  const { tried, admit } = start();
  for (let at = 0; at < 10; at += 1) await tried(1, `user ${at}`, `2001:db8:0:1::${at}`);
  expect(await admit('anna', '2001:db8:0:1:ffff::1')).toBe('too-many');
  expect(await admit('anna', '2001:db8:0:2::1')).toBe('admitted');
});

test('users that logged in from an address are accepted there, also after failed attempts of others', async () => {
  const { succeed, tried, admit } = start();
  await succeed('anna', '1.1.1.1');
  for (let at = 0; at < 10; at += 1) await tried(1, `user ${at}`);
  expect(await admit('anna')).toBe('admitted');
  expect(await admit('bert')).toBe('too-many');
});

test('a name that many addresses try is slowed for unknown addresses and never locked', async () => {
  const { clock, run, succeed, tried, admit } = start();
  await succeed('anna', '9.9.9.9');
  for (let at = 0; at < 20; at += 1) await tried(1, 'anna', `1.1.1.${at}`);
  expect([await run('wrong', 'anna', '2.2.2.2'), await admit('anna', '2.2.2.2')]).toEqual(['made', 'too-many']);
  clock.nowMs = 60_001;
  expect(await admit('anna', '2.2.2.2')).toBe('admitted');
  expect([await admit('anna', '9.9.9.9'), await admit('anna', '9.9.9.9')]).toEqual(['admitted', 'admitted']);
});

test('a right password of a disabled user makes no address known', async () => {
  const { run, tried, admit } = start();
  await run('refused');
  for (let at = 0; at < 10; at += 1) await tried(1, `user ${at}`);
  expect(await admit()).toBe('too-many');
});
