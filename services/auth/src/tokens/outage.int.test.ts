import { eventually, startTcpProxy } from '@lintel/testkit';
import { createAuthDatabase, startAuth } from '../../test/start-auth.ts';

const CLERK = { grant_type: 'password', username: 'clerk', password: 'clerk' };

// Asserts contract/tokens.md#oauth-errors.
test('while the database is unavailable, token requests are 503 in the OAuth form with the reason; afterwards they succeed', async () => {
  const testDatabase = await createAuthDatabase();
  const url = new URL(testDatabase.url);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${proxy.port}`;
  const auth = await startAuth(testDatabase, { databaseUrl: url.href });
  try {
    await auth.addUser('clerk');
    proxy.block();
    for (const path of ['/oauth/token', '/oauth2/token']) {
      const response = await auth.post(path, CLERK);
      expect([response.status, response.json]).toEqual([
        503,
        { error: 'temporarily_unavailable', error_description: 'The database cannot be reached' },
      ]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect(auth.log.some((line) => line.includes('a token request needs a backend that is unavailable'))).toBe(true);
    expect((await fetch(`${auth.url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${auth.url}/health/live`)).status).toBe(200);
    proxy.restore();
    await eventually(async () => expect((await auth.post('/oauth/token', CLERK)).status).toBe(200));
  } finally {
    await auth.close();
    await proxy.close();
    await testDatabase.drop();
  }
});

// Asserts contract/tokens.md#oauth-errors.
test('a fault of ours is 500 server_error, and says no more', async () => {
  const testDatabase = await createAuthDatabase();
  const auth = await startAuth(testDatabase);
  try {
    await auth.addUser('clerk');
    await testDatabase.query('ALTER TABLE auth.oidc_model RENAME TO elsewhere');
    const token = { token: 'x' };
    for (const [path, form] of [
      ['/oauth/token', CLERK],
      ['/oauth2/token', CLERK],
      ['/oauth/revoke', token],
      ['/oauth2/introspect', token],
    ] as const) {
      const response = await auth.post(path, form);
      expect([response.status, response.json]).toEqual([
        500,
        { error: 'server_error', error_description: 'Internal Server Error' },
      ]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  } finally {
    await auth.close();
    await testDatabase.drop();
  }
});
