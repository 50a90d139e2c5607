import type { Session } from '@lintel/contracts';
import { createMemoryStore } from '../stores/create-memory-store.ts';
import { createSessionStore } from './create-session-store.ts';

const session = (id: string, username = 'clerk'): Session => ({
  id,
  username,
  userId: '5f0c0f4e-1d5c-4b1e-9f0e-6a1f7a9b0c11',
  clientId: 'client',
  kind: 'user',
  resourceRoles: ['order-clerk'],
  rowLevelRoles: [],
  locale: null,
  attributes: { firstName: 'Ada', nested: { list: [1, null] } },
  createdAt: '2026-11-21T10:00:00Z',
});

function setUp() {
  let nowMs = 0;
  const store = createMemoryStore({ clock: { now: () => nowMs } });
  const sessions = createSessionStore(store);
  const advance = (ms: number): void => {
    nowMs += ms;
  };
  return { store, sessions, advance };
}

test('a session is loaded as it was saved, until it is deleted', async () => {
  const { sessions } = setUp();
  await sessions.save(session('s1'), 1_000);
  expect(await sessions.load('s1')).toEqual(session('s1'));
  await sessions.delete('s1');
  expect(await sessions.load('s1')).toBeUndefined();
  expect(await sessions.idsOf('clerk')).toEqual([]);
  await sessions.delete('s1');
});

test('when a session was last seen is kept beside it, and goes with it', async () => {
  const { sessions } = setUp();
  await sessions.save(session('s1'), 1_000);
  expect(await sessions.lastSeenMs('s1')).toBeUndefined();
  await sessions.recordSeen('s1', 5_000);
  await sessions.recordSeen('s1', 7_000);
  expect(await sessions.lastSeenMs('s1')).toBe(7_000);
  expect(await sessions.load('s1')).toEqual(session('s1'));
  await sessions.delete('s1');
  expect(await sessions.lastSeenMs('s1')).toBeUndefined();
});

test('the sessions of a user are listed while they live, and none of other users', async () => {
  const { sessions, advance } = setUp();
  await sessions.save(session('long'), 10_000);
  await sessions.save(session('short'), 1_000);
  await sessions.save(session('other', 'admin'), 10_000);
  expect((await sessions.idsOf('clerk')).toSorted()).toEqual(['long', 'short']);
  advance(1_000);
  expect(await sessions.idsOf('clerk')).toEqual(['long']);
  expect(await sessions.load('short')).toBeUndefined();
});

test('what is no session counts as lost', async () => {
  const { store, sessions } = setUp();
  await store.set('session:broken', '{', 1_000);
  await store.set('session:old', JSON.stringify({ id: 'old', username: 'clerk' }), 1_000);
  expect(await sessions.load('broken')).toBeUndefined();
  expect(await sessions.load('old')).toBeUndefined();
});

test('sessions of a client are not among those of a user of the same name', async () => {
  const { store, sessions } = setUp();
  await sessions.save({ ...session('s1'), kind: 'client' }, 1_000);
  expect(await sessions.load('s1')).toMatchObject({ kind: 'client' });
  expect(await sessions.idsOf('clerk')).toEqual([]);
  expect(await store.membersOf('user-sessions:clerk')).toEqual([]);
  await sessions.delete('s1');
  expect(await sessions.load('s1')).toBeUndefined();
});
