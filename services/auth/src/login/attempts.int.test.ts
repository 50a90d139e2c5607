import { createMemoryStore, type KeyValueStore } from '@lintel/cache';
import { DECISION_FIELD } from '@lintel/login';
import { eventually, type Settled, type TestDatabase } from '@lintel/testkit';
import { authorization, Browser, loginPages } from '../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

const WEB = 'svc.authserver.client.web';
const LIMITS = 'svc.security.bruteforceprotection';
const WEB_CLIENT = {
  'svc.authserver.issuer': 'http://lintel.example',
  [`${WEB}.client-id`]: 'web',
  [`${WEB}.client-secret`]: 'secret',
  [`${WEB}.grant-types`]: 'authorization_code',
  [`${WEB}.redirect-uris`]: 'https://app.example/callback',
};

let testDatabase: TestDatabase;
const running: RunningAuth[] = [];

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
});
afterEach(async () => {
  for (const auth of running.splice(0)) await auth.close();
});
afterAll(() => testDatabase?.drop());

async function start(properties: Settled = {}, keyValues?: KeyValueStore): Promise<RunningAuth> {
  const auth = await startAuth(testDatabase, {
    properties: { ...WEB_CLIENT, ...properties },
    ...(keyValues === undefined ? {} : { keyValues }),
  });
  running.push(auth);
  await testDatabase.query('DELETE FROM sec."user"');
  await auth.addUser('anna');
  await auth.addUser('bert');
  return auth;
}

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const login = async (auth: RunningAuth, username: string, password: string, address = '203.0.113.1') => {
  const { status, json, headers } = await auth.post(
    '/oauth/token',
    { grant_type: 'password', username, password },
    from(address),
  );
  return [status, json.error_description ?? json.token_type, headers.get('retry-after')];
};
const securityLines = (auth: RunningAuth) =>
  auth.log.map((line) => JSON.parse(line)).filter(({ event }) => event === 'security');

// Asserts contract/tokens.md#guessing.
test('without any setting five wrong passwords block a login from an address', async () => {
  const auth = await start();
  for (let at = 0; at < 5; at += 1) expect(await login(auth, 'anna', 'wrong')).toEqual([400, 'Bad credentials', null]);
  expect(await login(auth, 'anna', 'anna')).toEqual([400, 'User account is locked', null]);
  expect(await login(auth, 'anna', 'anna', '203.0.113.2')).toEqual([200, 'bearer', null]);
});

test('addresses that a client of the port of auth invents are not counted', async () => {
  const auth = await start();
  const attempt = async (password: string, address: string): Promise<unknown> => {
    const response = await fetch(`${auth.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('client:secret')}`, 'x-forwarded-for': address },
      body: new URLSearchParams({ grant_type: 'password', username: 'anna', password }),
    });
    return ((await response.json()) as { readonly error_description: unknown }).error_description;
  };
  for (let at = 0; at < 5; at += 1) expect(await attempt('wrong', `203.0.113.${at}`)).toBe('Bad credentials');
  expect(await attempt('anna', '203.0.113.9')).toBe('User account is locked');
});

// Asserts contract/tokens.md#guessing.
test('an address that tries many names is 429 with Retry-After, but not for users that logged in there', async () => {
  const auth = await start({ 'bruteForce.maxPerAddress': 10 });
  expect((await login(auth, 'anna', 'anna'))[0]).toBe(200);
  for (let at = 0; at < 10; at += 1) await login(auth, `unknown ${at}`, 'wrong');
  expect(await login(auth, 'bert', 'bert')).toEqual([429, 'Too many failed attempts', '60']);
  expect((await login(auth, 'anna', 'anna'))[0]).toBe(200);
  expect((await login(auth, 'bert', 'bert', '203.0.113.2'))[0]).toBe(200);
});

// Asserts contract/tokens.md#guessing.
test('a name that is tried from many addresses is slowed there, and not locked', async () => {
  const auth = await start({ 'bruteForce.maxPerUser': 10 });
  expect((await login(auth, 'anna', 'anna', '198.51.100.1'))[0]).toBe(200);
  for (let at = 0; at < 10; at += 1) await login(auth, 'anna', 'wrong', `203.0.113.${at}`);
  expect((await login(auth, 'anna', 'wrong', '203.0.113.99'))[0]).toBe(400);
  expect((await login(auth, 'anna', 'wrong', '203.0.113.99'))[0]).toBe(429);
  expect((await login(auth, 'anna', 'anna', '198.51.100.1'))[0]).toBe(200);
  expect((await login(auth, 'anna', 'anna', '203.0.113.98'))[0]).toBe(200);
});

// Asserts contract/tokens.md#guessing.
test('guesses of a client secret are counted by address and by client', async () => {
  const auth = await start({
    'bruteForce.maxPerAddress': 10,
    'bruteForce.maxPerClient': 15,
  });
  const grant = { grant_type: 'client_credentials' };
  const ask = async (secret: string, address: string) =>
    (await auth.post('/oauth2/token', grant, { client: `integration:${secret}`, ...from(address) })).status;
  expect(await ask('secret', '198.51.100.1')).toBe(200);
  for (let at = 0; at < 10; at += 1) expect(await ask(`guess ${at}`, '203.0.113.1')).toBe(401);
  expect(await ask('secret', '203.0.113.1')).toBe(429);
  expect((await login(auth, 'anna', 'anna', '203.0.113.1'))[0]).toBe(429);
  for (let at = 0; at < 5; at += 1) await ask('wrong', `203.0.113.1${at}`);
  expect([await ask('wrong', '203.0.113.50'), await ask('wrong', '203.0.113.50')]).toEqual([401, 429]);
  expect(await ask('secret', '198.51.100.1')).toBe(200);
});

test('an empty password never logs in, even where one was stored', async () => {
  const auth = await start();
  const { hashPassword } = await import('@lintel/passwords');
  await auth.addUser('empty', { passwordHash: await hashPassword('') });
  expect(await login(auth, 'empty', '')).toEqual([400, 'Bad credentials', null]);
});

test('logins of other addresses go on while one address keeps the hashing busy', async () => {
  const auth = await start();
  const flood = Array.from({ length: 60 }, (_, at) => login(auth, `unknown ${at}`, 'wrong'));
  let answered = 0;
  for (const each of flood) void each.then(() => (answered += 1));
  await Promise.race(flood);
  expect((await login(auth, 'bert', 'bert', '203.0.113.2'))[0]).toBe(200);
  expect(answered).toBeLessThan(flood.length);
  await Promise.all(flood);
});

test('requests for authorization leave nothing on the server before a user submits the page', async () => {
  const written: string[] = [];
  const store = createMemoryStore({ clock: { now: () => Date.now() } });
  const note = <F extends (key: string, ...more: never[]) => unknown>(method: F): F =>
    ((key: string, ...more: never[]) => {
      // The process registers its caches at intervals (ADR 23).
      if (!/^caches(:|$)/.test(key)) written.push(key);
      return method.call(store, key, ...more);
    }) as F;
  const keyValues = new Proxy(store, {
    get: (target, name: keyof KeyValueStore) => {
      const method = target[name].bind(target) as (key: string) => unknown;
      return ['set', 'increment', 'addToSet'].includes(name) ? note(method) : method;
    },
  });
  const auth = await start({}, keyValues);
  const { open } = loginPages(() => auth);
  for (let at = 0; at < 5; at += 1) {
    const { page } = await open({ state: `${at}` });
    expect(page).toContain('name="password"');
  }
  expect(written).toEqual([]);
  const { submit } = await open();
  const { left } = await submit({ username: 'anna', password: 'anna' });
  expect(left?.searchParams.get('code')).toEqual(expect.any(String));
});

test('an interaction in an address is good for its browser alone, and only as it was written', async () => {
  const auth = await start();
  const { open } = loginPages(() => auth);
  const { fields, submit } = await open();
  const form = { proof: fields.proof, [DECISION_FIELD]: 'login', username: 'anna', password: 'anna' };
  expect((await new Browser(auth).ask(fields.action, form)).status).toBe(400);
  const { browser } = await open();
  expect((await browser.ask(fields.action, form)).status).toBe(400);
  const url = new URL(fields.action, auth.url);
  const state = url.searchParams.get('state') ?? '';
  url.searchParams.set('state', `${state.slice(0, -4)}AAAA`);
  const changed = await submit(
    { username: 'anna', password: 'anna' },
    { ...fields, action: url.pathname + url.search },
  );
  expect(changed.response.status).toBe(400);
});

test('a request for authorization that is too long is refused', async () => {
  const auth = await start();
  const response = await fetch(`${auth.url}${authorization({ state: 'x'.repeat(5_000) })}`, { redirect: 'manual' });
  expect(response.status).toBe(414);
});

test('the hardened profile refuses tokens and credentials in URLs', async () => {
  const auth = await start({ 'svc.security.profile': 'hardened' });
  const statuses = async (query: string, paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await auth.post(`${path}?${query}`, '')).status));
  const paths = ['/oauth/token', '/oauth2/token', '/oauth/revoke', '/oauth2/revoke', '/oauth2/introspect'];
  expect(await statuses('token=x', paths)).toEqual([400, 400, 400, 400, 400]);
  expect(await statuses('grant_type=refresh_token&refresh_token=x', paths)).toEqual([400, 400, 400, 400, 400]);
  const logout = await fetch(`${auth.url}/logout?access_token=x`, { headers: { authorization: 'Bearer x' } });
  expect(logout.status).toBe(400);
});

test('no answer of a token, a logout or a login page may be stored', async () => {
  const auth = await start();
  const responses = [
    await auth.post('/oauth/token', { grant_type: 'password', username: 'anna', password: 'anna' }),
    await auth.post('/oauth/token', 'x', { headers: { 'content-type': 'text/plain' } }),
    await auth.post('/oauth/token', '', { method: 'GET' }),
    await auth.post('/oauth2/token', 'x'.repeat(100_000)),
    await auth.post('/oauth2/introspect', { token: 'x' }),
    await auth.post('/oauth2/revoke', { token: 'x' }, { client: 'client:wrong' }),
    await auth.post('/logout', ''),
    await auth.post('/oauth2/authorize?client_id=unknown', '', { method: 'GET' }),
    await auth.post('/as-login', '', { method: 'GET' }),
    await auth.post('/oauth2/unknown', ''),
  ];
  expect(responses.map(({ headers }) => [headers.get('cache-control'), headers.get('pragma')])).toEqual(
    responses.map(() => ['no-store', 'no-cache']),
  );
  const redirect = await fetch(`${auth.url}${authorization()}`, { redirect: 'manual' });
  expect(redirect.headers.get('cache-control')).toBe('no-store');
});

test('security events are lines of the log and events, without passwords and unknown names', async () => {
  const auth = await start({ [`${LIMITS}.max-login-attempts-number`]: '2' });
  await login(auth, 'anna', 'anna');
  await login(auth, 'anna', 'my wrong password');
  await login(auth, 'my password in the wrong field', 'x');
  await login(auth, 'my password in the wrong field', 'x');
  await auth.post('/oauth/token', {}, { client: 'client:my wrong secret', ...from('203.0.113.1') });
  const lines = securityLines(auth);
  expect(lines.map(({ name, username, clientId, reason }) => [name, username, clientId, reason])).toEqual([
    ['security.login.succeeded', 'anna', 'client', undefined],
    ['security.login.failed', 'anna', 'client', 'bad-credentials'],
    ['security.login.failed', undefined, 'client', 'bad-credentials'],
    ['security.login.failed', undefined, 'client', 'bad-credentials'],
    ['security.login.blocked', undefined, 'client', undefined],
    ['security.client.failed', undefined, 'client', 'bad-credentials'],
  ]);
  expect(lines.every(({ address }) => address === '203.0.113.1')).toBe(true);
  expect(auth.log.join('')).not.toMatch(/wrong password|wrong field|wrong secret/);
});

test('reuse of a refresh token, revocations, logouts and changes by administrators are recorded', async () => {
  const auth = await start({
    'svc.authserver.reuse-refresh-tokens': 'false',
    'svc.authserver.refresh-token-reuse-interval': '0',
  });
  const tokens = (await auth.post('/oauth/token', { grant_type: 'password', username: 'anna', password: 'anna' })).json;
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  expect((await auth.post('/oauth/token', refresh)).status).toBe(200);
  expect((await auth.post('/oauth/token', refresh)).status).toBe(400);
  const again = (await auth.post('/oauth/token', { grant_type: 'password', username: 'anna', password: 'anna' })).json;
  await auth.post('/oauth/revoke', { token: again.refresh_token });
  await auth.post('/oauth/token', { grant_type: 'password', username: 'anna', password: 'anna' });
  await testDatabase.query(`UPDATE sec."user" SET active = false WHERE username = 'anna'`);
  await auth.userChanged('anna');
  await eventually(async () =>
    expect(
      securityLines(auth)
        .map(({ name, username, reason }) => [name, username, reason])
        .filter(([name]) => name !== 'security.login.succeeded'),
    ).toEqual([
      ['security.refresh-token.reused', 'anna', undefined],
      ['security.token.revoked', 'anna', 'revoked by its client'],
      ['security.session.ended', 'anna', 'user disabled or removed'],
      ['security.user.changed', 'anna', 'updated'],
    ]),
  );
  expect(auth.log.join('')).not.toContain(tokens.refresh_token);
});
