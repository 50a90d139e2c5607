import { randomUUID } from 'node:crypto';
import { createDatabase, type Database, readAccount, readAssignedRoles } from '@lintel/persistence';
import { runMigrations } from '@lintel/schema';
import { createLogger } from '@lintel/telemetry';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { z } from 'zod';
import type { AccountDirectory } from '../federation-ports.ts';
import { IDENTITY_MEMBERS } from '../identity/identity-settings.ts';
import { createFederatedUsers } from './federated-users.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await cloneTestDatabase(
    { key: 'platform', build: (url) => runMigrations({ url, migrations: [] }) },
    'federation',
  );
  database = createDatabase({
    url: testDatabase.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'federated-users-test',
  });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

test.each([
  ['after', 'create'],
  ['after', 'link,create'],
  ['before', 'create'],
] as const)(
  'a subject whose user another request creates meanwhile is accepted: %s the name is looked up, with first-login=%s',
  async (order, first) => {
    const accounts: AccountDirectory = {
      find: (name) => readAccount(database, name),
      async namesLike(name) {
        const text = 'SELECT username FROM sec."user" WHERE username = $1';
        return (await database.query<{ readonly username: string }>({ text, values: [name] })).map(
          (row) => row.username,
        );
      },
      rolesOf: (name) => readAssignedRoles(database, name),
    };
    const deps = {
      database,
      sessions: { follow: async () => undefined },
      security: { record: () => undefined, close: () => undefined },
      logger: createLogger({ service: 'auth', level: 'error', destination: { write: () => undefined } }),
      ids: { next: () => randomUUID() },
    };
    const username = `user-${order}-${first.replace(',', '-')}`;
    const subject = {
      provider: 'portal',
      issuer: 'https://issuer.example',
      subject: username,
      claims: { sub: username, preferred_username: username },
      rules: z.object(IDENTITY_MEMBERS).parse({ 'first-login': first, 'resource-roles': '*=rest-minimal' }),
    };
    const other = () => createFederatedUsers({ ...deps, accounts }).signIn(subject);
    const users = createFederatedUsers({
      ...deps,
      accounts: {
        ...accounts,
        async namesLike(name) {
          if (order === 'before') await other();
          const names = await accounts.namesLike(name);
          if (order === 'after') await other();
          return names;
        },
      },
    });
    expect(await users.signIn(subject)).toMatchObject({ kind: 'accepted', account: { username } });
  },
);
