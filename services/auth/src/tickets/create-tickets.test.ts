import { createMemoryStore } from '@lintel/cache';
import { createTickets } from './create-tickets.ts';

const CALLER = { sub: 'clerk', client_id: 'web', sid: 's-1', scope: 'rest-api' };
const TARGET = { method: 'GET', url: '/rest/files?fileRef=a' };

function start() {
  let nowMs = 0;
  const store = createMemoryStore({ clock: { now: () => nowMs } });
  const written: string[] = [];
  const keyValues = {
    get: (key: string) => store.get(key),
    delete: (...keys: readonly string[]) => store.delete(...keys),
    increment: (key: string, ttlMs: number) => store.increment(key, ttlMs),
    async set(key: string, value: string, ttlMs: number) {
      written.push(`${key} ${value}`);
      await store.set(key, value, ttlMs);
    },
  };
  return {
    tickets: createTickets(keyValues, 60_000),
    written,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

// Asserts contract/tokens.md#tickets.
test('a ticket stands for its caller once, also for requests at the same time', async () => {
  const { tickets } = start();
  const ticket = (await tickets.issue(CALLER, TARGET)) ?? '';
  const redeemed = await Promise.all(Array.from({ length: 20 }, () => tickets.redeem(ticket, TARGET)));
  expect(redeemed.filter((one) => one !== undefined)).toEqual([CALLER]);
  expect(await tickets.redeem(ticket, TARGET)).toBeUndefined();
});

// Asserts contract/tokens.md#tickets.
test.each([
  ['another path', { ...TARGET, url: '/rest/files/x?fileRef=a' }],
  ['another query', { ...TARGET, url: '/rest/files?fileRef=b' }],
  ['a further parameter', { ...TARGET, url: '/rest/files?fileRef=a&attachment=true' }],
  ['another method', { ...TARGET, method: 'HEAD' }],
])('%s is refused, and uses the ticket up', async (_case, target) => {
  const { tickets } = start();
  const ticket = (await tickets.issue(CALLER, TARGET)) ?? '';
  expect(await tickets.redeem(ticket, target)).toBeUndefined();
  expect(await tickets.redeem(ticket, TARGET)).toBeUndefined();
});

// Asserts contract/tokens.md#tickets.
test('a ticket expires', async () => {
  const { tickets, pass } = start();
  const [one, other] = [(await tickets.issue(CALLER, TARGET)) ?? '', (await tickets.issue(CALLER, TARGET)) ?? ''];
  pass(59_999);
  expect(await tickets.redeem(one, TARGET)).toEqual(CALLER);
  pass(1);
  expect(await tickets.redeem(other, TARGET)).toBeUndefined();
});

test('the store has neither the secret of a ticket nor its URL', async () => {
  const { tickets, written } = start();
  const ticket = (await tickets.issue(CALLER, TARGET)) ?? '';
  expect(ticket).toMatch(/^[\w-]{43}$/);
  expect(written.join()).not.toContain(ticket);
  expect(written.join()).not.toContain('fileRef');
});

// Asserts contract/tokens.md#tickets.
test('the tickets of one session within a minute are limited', async () => {
  const { tickets, pass } = start();
  for (let at = 0; at < 600; at += 1) expect(await tickets.issue(CALLER, TARGET)).toBeDefined();
  expect(await tickets.issue(CALLER, TARGET)).toBeUndefined();
  expect(await tickets.issue({ ...CALLER, sid: 's-2' }, TARGET)).toBeDefined();
  pass(60_000);
  expect(await tickets.issue(CALLER, TARGET)).toBeDefined();
});
