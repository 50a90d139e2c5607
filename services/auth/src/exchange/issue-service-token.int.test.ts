import { randomUUID } from 'node:crypto';
import { createMemoryStore, createSessionStore } from '@lintel/cache';
import { AUDIENCE_INTERNAL, AUDIENCE_REST, AUDIENCE_WAITING_RUN } from '@lintel/contracts';
import { createDatabase, type Database } from '@lintel/persistence';
import type { TestDatabase } from '@lintel/testkit';
import { createAuthDatabase } from '../../test/start-auth.ts';
import { createAccountDirectory } from '../accounts/create-account-directory.ts';
import { loadKeyRing } from '../keys/key-ring.ts';
import { createTokenSigner } from '../keys/sign-token.ts';
import { anonymousSession } from '../sessions/build-session.ts';
import { issueServiceToken, type ServiceTokenDeps } from './issue-service-token.ts';

const HOUR = 3_600;
const clock = { passedSeconds: 0, now: () => Date.now() + clock.passedSeconds * 1_000 };
const ids = { next: () => randomUUID() };

let testDatabase: TestDatabase;
let database: Database;
let deps: ServiceTokenDeps;
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
  const sessions = createSessionStore(createMemoryStore({ clock: { now: () => Date.now() } }));
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
  ['of a caller', AUDIENCE_REST, {}, 60, HOUR, true],
  ['of a run', AUDIENCE_INTERNAL, { act: { sub: 'reports' }, run: 'run-1' }, 300, HOUR, true],
  ['of a caller, a day later', AUDIENCE_REST, {}, 60, 25 * HOUR, false],
  ['of a waiting run', AUDIENCE_WAITING_RUN, { act: { sub: 'reports' }, run: 'run-1' }, 24 * HOUR, 25 * HOUR, false],
])(
  'a token %s that has expired is exchanged for a day, unless its run waited',
  async (_of, aud, more, life, passed, isExchanged) => {
    const now = Math.floor(clock.now() / 1_000);
    const claims = { sub: 'anonymous', client_id: 'anonymous', sid, aud, ...more };
    const { jwt } = await deps.signer.sign(claims, now + life);
    clock.passedSeconds += passed;
    const issued = await issueServiceToken({ subjectToken: jwt, actor: 'reports', run: 'run-1' }, deps);
    expect('jwt' in issued).toBe(isExchanged);
  },
);
