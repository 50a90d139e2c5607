import { type Application, defineApplication, type OnLogin } from '@lintel/application';
import type { Session } from '@lintel/contracts';
import { withLoginAttributes } from './with-login-attributes.ts';

const SESSION: Session = {
  id: 'S1',
  username: 'anna',
  userId: 'u1',
  clientId: 'web',
  kind: 'user',
  resourceRoles: ['clerk'],
  rowLevelRoles: [],
  locale: null,
  attributes: { email: 'anna@example.com' },
  createdAt: '2026-11-25T10:00:00Z',
};

function setUp(
  onLogin: OnLogin | undefined,
  first: Partial<Session> = {},
  { staleLoads = 0, timeoutMs = 10_000 } = {},
) {
  let session: Session | undefined = { ...SESSION, ...first };
  let stale: Session | undefined;
  let left = staleLoads;
  const completed: unknown[] = [];
  const application: Application = defineApplication({
    id: 't',
    name: 'T',
    entities: [],
    sessionAttributes: { depot: 'string' },
    ...(onLogin && { onLogin }),
  });
  const all: Parameters<typeof withLoginAttributes>[0] = {
    application,
    async loadSession(id: string) {
      if (stale !== undefined && left-- > 0) return stale;
      return session?.id === id ? session : undefined;
    },
    sessionLocales: {
      change: async () => true,
      changeAttributes: async () => true,
      async completeLogin(id, sessionAttributes) {
        completed.push([id, sessionAttributes]);
        stale = session;
        if (session !== undefined) session = { ...session, sessionAttributes, hasLoginAttributes: true };
        return session !== undefined;
      },
    },
  };
  const ports = withLoginAttributes(all, timeoutMs);
  const end = (): void => {
    session = undefined;
  };
  return { load: () => ports.loadSession('S1'), completed, end };
}

test('the hook gets the user and the claims of the login, and its values are part of the session', async () => {
  const given: unknown[] = [];
  const { load, completed } = setUp(async (...parameters) => {
    given.push(...parameters);
    return { depot: 'north' };
  });
  expect(await load()).toMatchObject({ sessionAttributes: { depot: 'north' }, hasLoginAttributes: true });
  expect(given).toEqual([
    { username: 'anna', id: 'u1', attributes: SESSION.attributes, resourceRoles: ['clerk'], rowLevelRoles: [] },
    { sub: 'anna', client_id: 'web', sid: 'S1', auth_time: Date.parse(SESSION.createdAt) / 1000 },
  ]);
  expect(completed).toEqual([['S1', { depot: 'north' }]]);
});

test('the values are there while the session cache has the session as it was before', async () => {
  const first = { sessionAttributes: { depot: 'old', shift: 2 } };
  const { load, completed } = setUp(() => ({ depot: 'north' }), first, { staleLoads: 1 });
  expect(await load()).toEqual({
    ...SESSION,
    sessionAttributes: { depot: 'north', shift: 2 },
    hasLoginAttributes: true,
  });
  expect(completed).toHaveLength(1);
});

test('it is called once for each session, also for requests that arrive together', async () => {
  let calls = 0;
  const { load } = setUp(() => {
    calls += 1;
    return {};
  });
  await Promise.all([load(), load(), load()]);
  await load();
  expect(calls).toBe(1);
});

test.each<[string, Partial<Session>]>([
  ['a client', { kind: 'client' }],
  ['callers without a token', { kind: 'anonymous' }],
  ['a session that has its values', { hasLoginAttributes: true }],
])('not for %s', async (_case, first) => {
  const { load, completed } = setUp(() => ({ depot: 'north' }), first);
  expect(await load()).toEqual({ ...SESSION, ...first });
  expect(completed).toEqual([]);
});

test('without a hook sessions are as they are', async () => {
  expect(await setUp(undefined).load()).toEqual(SESSION);
});

test.each<[string, OnLogin]>([
  ['an error of the hook', () => Promise.reject(new Error('secret'))],
  ['a value of another datatype', () => ({ depot: 4 })],
  ['an attribute that is not declared', () => ({ branch: 'north' })],
])('%s is an internal error, stores nothing, and the next request calls the hook again', async (_case, fail) => {
  let isFailing = true;
  const { load, completed } = setUp((...given) => (isFailing ? fail(...given) : { depot: 'north' }));
  await expect(load()).rejects.toMatchObject({ code: 'INTERNAL_ERROR', details: '' });
  expect(completed).toEqual([]);
  isFailing = false;
  expect(await load()).toMatchObject({ sessionAttributes: { depot: 'north' } });
});

test('a hook that does not return in time is an internal error, and the next request calls it again', async () => {
  let isHanging = true;
  const hook: OnLogin = () => (isHanging ? new Promise(() => undefined) : { depot: 'north' });
  const { load, completed } = setUp(hook, {}, { timeoutMs: 1 });
  const results = await Promise.allSettled([load(), load()]);
  expect(results.map((result) => result.status === 'rejected' && result.reason.code)).toEqual([
    'INTERNAL_ERROR',
    'INTERNAL_ERROR',
  ]);
  expect(completed).toEqual([]);
  isHanging = false;
  expect(await load()).toMatchObject({ sessionAttributes: { depot: 'north' } });
});

test('a session that ends meanwhile is none', async () => {
  const { load, end } = setUp(() => {
    end();
    return {};
  });
  expect(await load()).toBeUndefined();
});
