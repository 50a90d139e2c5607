import { randomUUID } from 'node:crypto';
import { createMemoryStore, createSessionStore, type SessionStore } from '@lintel/cache';
import {
  AUDIENCE_API,
  AUDIENCE_FILE,
  AUDIENCE_INTERNAL,
  AUDIENCE_REST,
  AUDIENCE_WAITING_RUN,
  type Session,
} from '@lintel/contracts';
import { createDatabase, type Database } from '@lintel/persistence';
import type { TestDatabase } from '@lintel/testkit';
import { addUser, createAuthDatabase } from '../../test/start-auth.ts';
import { createAccountDirectory } from '../accounts/create-account-directory.ts';
import { loadKeyRing } from '../keys/key-ring.ts';
import { createTokenSigner } from '../keys/sign-token.ts';
import { anonymousSession } from '../sessions/build-session.ts';
import { issueServiceToken, type ServiceTokenDeps } from './issue-service-token.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const OF_RUN = { act: { sub: 'reports' }, run: 'run-1' };
const OF_OTHER = { act: { sub: 'reports' }, run: 'run-2' };
const clock = { passedSeconds: 0, now: () => Date.now() + clock.passedSeconds * 1_000 };
const ids = { next: () => randomUUID() };

let testDatabase: TestDatabase;
let database: Database;
let deps: ServiceTokenDeps;
let sessions: SessionStore;
let sid: string;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  database = createDatabase({
    url: testDatabase.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'service-token-test',
  });
  const keys = await loadKeyRing({ database, secret: 'a secret of the test', ids, clock });
  sessions = createSessionStore(createMemoryStore({ clock: { now: () => Date.now() } }));
  const session = anonymousSession(undefined, { resourceRoles: [], rowLevelRoles: [] }, Date.now());
  sid = session.id;
  await sessions.save(session, 60 * HOUR * 1_000);
  deps = {
    signer: createTokenSigner({ keys, issuer: 'https://auth.example', clock, ids }),
    sessions,
    accounts: createAccountDirectory(database),
    clients: { find: () => undefined },
    clock,
  };
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

test.each([
  ['an hour later, the token of a caller is exchanged', AUDIENCE_REST, {}, 60, HOUR, true],
  ['an hour later, the token of a run is exchanged', AUDIENCE_INTERNAL, OF_RUN, 300, HOUR, true],
  ['a day later, the token of a caller is refused', AUDIENCE_REST, {}, 60, 25 * HOUR, false],
  ['a day later, the token of a run is refused', AUDIENCE_INTERNAL, OF_RUN, 300, 25 * HOUR, false],
  ['an hour later, the token of a waiting run is refused', AUDIENCE_WAITING_RUN, OF_RUN, DAY, 25 * HOUR, false],
  ['an hour later, the token of another run is refused', AUDIENCE_INTERNAL, OF_OTHER, 300, HOUR, false],
])('after the end of its life, %s', async (_title, aud, more, life, passed, isExchanged) => {
  const now = Math.floor(clock.now() / 1_000);
  const claims = { sub: 'anonymous', client_id: 'anonymous', sid, aud, ...more };
  const { jwt } = await deps.signer.sign(claims, now + life);
  clock.passedSeconds += passed;
  const issued = await issueServiceToken({ subjectToken: jwt, actor: 'reports', run: 'run-1' }, deps);
  expect('jwt' in issued).toBe(isExchanged);
});

test('a token is refused if the session or its login at an identity provider ended, or if it sees as another user', async () => {
  await addUser(testDatabase, 'grace');
  const account = await deps.accounts.find('grace');
  const anonymous = anonymousSession(account, { resourceRoles: [], rowLevelRoles: [] }, Date.now());
  const session: Session = { ...anonymous, id: 'grace-1', username: 'grace', kind: 'user' };
  await sessions.save(session, HOUR * 1_000);
  const claims = { sub: 'grace', client_id: 'client', sid: 'grace-1', aud: AUDIENCE_REST };
  const { jwt } = await deps.signer.sign(claims, Math.floor(clock.now() / 1_000) - 1);
  const issue = (isAlive: ServiceTokenDeps['isAlive']) =>
    issueServiceToken({ subjectToken: jwt, actor: 'reports', run: 'run-1' }, { ...deps, isAlive });
  expect(await issue(async () => true)).toHaveProperty('jwt');
  expect(await issue(async (id) => id !== 'grace-1')).toEqual({ reason: 'invalid' });
  await sessions.save({ ...session, seenBy: 'admin' }, HOUR * 1_000);
  expect(await issue(async () => true)).toEqual({ reason: 'invalid' });
  await sessions.delete('grace-1');
  expect(await issue(async () => true)).toEqual({ reason: 'invalid' });
});

test.each([AUDIENCE_FILE, AUDIENCE_API])('a token for %s is not exchanged', async (aud) => {
  const claims = { sub: 'anonymous', client_id: 'anonymous', sid, aud };
  const { jwt } = await deps.signer.sign(claims, Math.floor(clock.now() / 1_000) + 60);
  expect(await issueServiceToken({ subjectToken: jwt, actor: 'reports', run: 'run-1' }, deps)).toEqual({
    reason: 'invalid',
  });
});
