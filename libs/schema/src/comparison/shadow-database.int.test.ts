import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase, uniqueName } from '@lintel/testkit';
import { Client } from 'pg';
import { withShadowDatabase } from './shadow-database.ts';

let server: TestDatabase;
beforeAll(async () => {
  server = await createTestDatabase('shadow');
});
afterAll(() => server?.drop());

test('a user without the rights of a superuser removes it although another user was connected to it', async () => {
  const user = uniqueName('shadow');
  await server.query(`CREATE ROLE ${user} LOGIN CREATEDB PASSWORD 'secret'`);
  const url = new URL(server.url);
  url.username = user;
  url.password = 'secret';
  let end: Promise<void> | undefined;
  const name = await withShadowDatabase(url.href, async (shadowUrl) => {
    const { pathname } = new URL(shadowUrl);
    const asSuperuser = new URL(server.url);
    asSuperuser.pathname = pathname;
    const other = new Client({ connectionString: asSuperuser.href });
    await other.connect();
    end = sleep(500).then(() => other.end());
    return pathname.slice(1);
  });
  await end;
  expect(await server.query('SELECT datname FROM pg_database WHERE datname = $1', [name])).toEqual([]);
  await server.query(`DROP ROLE ${user}`);
});
