import { setTimeout as sleep } from 'node:timers/promises';
import { DECISION_FIELD } from '@lintel/login';
import { eventually, type TestDatabase } from '@lintel/testkit';
import { decodeJwt } from 'jose';
import { Browser, fieldsOf } from '../../test/login-pages.ts';
import { App, secretOf, sendFactor } from '../../test/second-factor-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

const CLIENT = 'svc.authserver.client';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const ISSUER = 'http://lintel.example';

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': ISSUER,
      [`${CLIENT}.cli.client-id`]: 'cli',
      [`${CLIENT}.cli.client-authentication-methods`]: 'none',
      [`${CLIENT}.cli.grant-types`]: `${GRANT},refresh_token`,
      [`${CLIENT}.box.client-id`]: 'box',
      [`${CLIENT}.box.client-secret`]: 'secret',
      [`${CLIENT}.box.grant-types`]: GRANT,
      [`${CLIENT}.box.require-authorization-consent`]: 'true',
      'svc.auth.second-factor.roles': 'careful',
      'svc.security.bruteforceprotection.max-login-attempts-number': '3',
    },
  });
  await auth.addUser('anna');
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

interface Device {
  readonly device_code: string;
  readonly user_code: string;
}

const start = async (form: Record<string, string> = { client_id: 'cli' }, client: string | null = null) =>
  auth.post('/oauth2/device_authorization', form, { client });
const startDevice = async (): Promise<Device> => (await start()).json;
const poll = ({ device_code }: Pick<Device, 'device_code'>, clientId = 'cli') =>
  auth.post('/oauth2/token', { grant_type: GRANT, device_code, client_id: clientId }, { client: null });
const isOpen = async (token: string) => (await auth.internal('/exchange', { token })).status === 200;

const xsrfOf = (page = '') => /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
const browserAt = (address: string): Browser => {
  const browser = new Browser(auth);
  browser.headers = { 'x-forwarded-for': address };
  return browser;
};

/** Opens the page of the code, and sends the code. */
async function enter(userCode: string, browser = new Browser(auth)) {
  const { page } = await browser.follow(await browser.ask('/oauth2/device'));
  return browser.follow(await browser.ask('/oauth2/device', { xsrf: xsrfOf(page), user_code: userCode }));
}

/** Enters the code, compares it, and presses a button. */
async function decide(userCode: string, decision: 'confirm' | 'abort', browser = new Browser(auth)) {
  const { page } = await enter(userCode, browser);
  return browser.follow(
    await browser.ask('/oauth2/device', { xsrf: xsrfOf(page), user_code: userCode, [decision]: 'yes' }),
  );
}

/** Connects the device as a user who logs in. */
async function connect(userCode: string, username = 'anna', browser = new Browser(auth)) {
  const { page = '' } = await decide(userCode, 'confirm', browser);
  const { action, proof } = fieldsOf(page);
  return browser.follow(await browser.ask(action, { proof, [DECISION_FIELD]: 'login', username, password: username }));
}

// Asserts contract/tokens.md#device-flow.
test('a device shows a code, its user enters it and logs in, and the device gets tokens', async () => {
  const response = await start();
  expect([response.status, response.json]).toEqual([
    200,
    {
      device_code: expect.stringMatching(/^[\w-]{43,}$/),
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verification_uri: `${ISSUER}/oauth2/device`,
      verification_uri_complete: `${ISSUER}/oauth2/device?user_code=${response.json.user_code}`,
      expires_in: 600,
    },
  ]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const device: Device = response.json;
  expect((await poll(device)).json).toEqual({ error: 'authorization_pending' });
  const { page } = await connect(device.user_code);
  expect(page).toContain('cli is connected.');
  const tokens = await poll(device);
  expect([tokens.status, tokens.json.scope]).toEqual([200, 'rest-api']);
  expect(await isOpen(tokens.json.access_token)).toBe(true);
  const form = { grant_type: 'refresh_token', refresh_token: tokens.json.refresh_token, client_id: 'cli' };
  expect((await auth.post('/oauth2/token', form, { client: null })).status).toBe(200);
});

test('the page that connects a device names the client and what it will be able to do', async () => {
  const { page = '' } = await enter((await startDevice()).user_code);
  expect(page).toContain('Connect cli?');
  expect(page).toContain('<li>read and change data with your rights (rest-api)</li>');
});

// Asserts contract/user.md#user-sessions.
test('the history of the user has the device', async () => {
  const device = await startDevice();
  await connect(device.user_code);
  expect((await poll(device)).status).toBe(200);
  const asked = { username: 'anna', limit: 10, offset: 0 };
  await eventually(async () =>
    expect((await auth.internal('/user-sessions/history', asked)).json.attempts).toContainEqual(
      expect.objectContaining({ outcome: 'succeeded', method: 'device', clientId: 'cli' }),
    ),
  );
});

// Asserts contract/tokens.md#device-flow.
test('the address with the code shows the code, and connects nothing by itself', async () => {
  const device = await startDevice();
  const browser = new Browser(auth);
  const { page = '' } = await browser.follow(await browser.ask(`/oauth2/device?user_code=${device.user_code}`));
  expect(page).toContain(`value="${device.user_code}"`);
  expect(page).not.toContain('<script');
  expect((await poll(device)).json).toEqual({ error: 'authorization_pending' });
  const hostile = await browser.follow(await browser.ask(`/oauth2/device?user_code=${encodeURIComponent('"><b>x')}`));
  expect(hostile.page).toContain('value="&quot;&gt;&lt;b&gt;x"');
});

// Asserts contract/tokens.md#device-flow.
test('a code works once; brought again it ends what came of it', async () => {
  const device = await startDevice();
  await connect(device.user_code);
  const first = await poll(device);
  expect(first.status).toBe(200);
  expect((await enter(device.user_code)).page).toContain('This code has been used.');
  expect((await poll(device)).json).toEqual({ error: 'invalid_grant' });
  expect(await isOpen(first.json.access_token)).toBe(false);
});

// Asserts contract/tokens.md#device-flow.
test('a device that asks too often is slowed down', async () => {
  const device = await startDevice();
  expect((await poll(device)).json).toEqual({ error: 'authorization_pending' });
  expect((await poll(device)).json).toEqual({ error: 'slow_down' });
});

// Asserts contract/tokens.md#device-flow.
test('a user who refuses ends the request', async () => {
  const device = await startDevice();
  const { page } = await decide(device.user_code, 'abort');
  expect(page).toContain('The device was not connected.');
  expect((await poll(device)).json).toEqual({ error: 'access_denied' });
  const other = await startDevice();
  const browser = new Browser(auth);
  const { page: login = '' } = await decide(other.user_code, 'confirm', browser);
  const { action, proof } = fieldsOf(login);
  await browser.follow(await browser.ask(action, { proof, [DECISION_FIELD]: 'deny' }));
  expect((await poll(other)).json).toEqual({ error: 'access_denied' });
});

// Asserts contract/tokens.md#device-flow.
test('a client that asks for consent shows its page, too', async () => {
  const device: Device = (await start({}, 'box:secret')).json;
  const browser = new Browser(auth);
  const { page = '' } = await connect(device.user_code, 'anna', browser);
  expect(page).toContain('<h1>Allow access?</h1>');
  const { action, proof } = fieldsOf(page);
  const done = await browser.follow(await browser.ask(action, { proof, [DECISION_FIELD]: 'consent' }));
  expect(done.page).toContain('box is connected.');
});

// Asserts contract/tokens.md#device-flow.
test.each([
  ['another client', 'box'],
  ['a client without the grant', 'client'],
])('%s gets nothing for the code of a device', async (_case, clientId) => {
  const device = await startDevice();
  await connect(device.user_code);
  const form = { grant_type: GRANT, device_code: device.device_code };
  const response = await auth.post('/oauth2/token', form, { client: `${clientId}:secret` });
  expect(response.status).toBe(400);
  expect(['invalid_grant', 'unauthorized_client']).toContain(response.json.error);
  expect((await poll(device)).status).toBe(200);
});

// Asserts contract/tokens.md#device-flow.
test('neither the code of the user nor one that is unknown is a code of the device', async () => {
  const device = await startDevice();
  await connect(device.user_code);
  for (const device_code of [device.user_code, device.user_code.replace('-', ''), 'unknown'])
    expect((await poll({ device_code })).json).toEqual({ error: 'invalid_grant' });
  expect((await poll({ device_code: '' })).json).toMatchObject({ error: 'invalid_request' });
});

// Asserts contract/tokens.md#device-flow.
test.each([
  ['a client without the grant', {}, 'client:secret', 'unauthorized_client'],
  ['no client', {}, null, 'invalid_client'],
  ['a public client with a secret', { client_id: 'cli', client_secret: 'x' }, null, 'invalid_client'],
  ['a scope that the client has not', { client_id: 'cli', scope: 'rest-api admin' }, null, 'invalid_scope'],
])('%s gets no code', async (_case, form, client, error) => {
  expect((await start(form, client)).json).toMatchObject({ error });
});

// Asserts contract/tokens.md#device-flow.
test('a form without the proof of its page, or of another browser, connects nothing', async () => {
  const device = await startDevice();
  const browser = new Browser(auth);
  const { page } = await enter(device.user_code, browser);
  const confirm = { user_code: device.user_code, confirm: 'yes' };
  for (const xsrf of ['', 'forged']) {
    const forged = await browser.ask('/oauth2/device', { ...confirm, xsrf });
    expect(forged.status).toBe(400);
  }
  const stranger = await new Browser(auth).ask('/oauth2/device', { ...confirm, xsrf: xsrfOf(page) });
  expect(stranger.status).toBe(400);
  expect((await poll(device)).json).toEqual({ error: 'authorization_pending' });
});

// Asserts contract/tokens.md#device-flow.
test('guessed codes are limited by address; others go on', async () => {
  for (let at = 0; at < 3; at += 1) {
    const { page, response } = await enter('BBBB-BBBB', browserAt('9.9.9.9'));
    expect([response.status, page?.includes('There is no such code.')]).toEqual([400, true]);
  }
  const device = await startDevice();
  const { page, response } = await enter(device.user_code, browserAt('9.9.9.9'));
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '60']);
  expect(page).toContain('Too many attempts.');
  expect((await enter(device.user_code, browserAt('8.8.8.8'))).page).toContain('Connect cli?');
});

// Asserts contract/tokens.md#device-flow.
test('the pages load nothing, are in no frame and not kept, and speak the language of the browser', async () => {
  const browser = new Browser(auth);
  for (const [language, title] of [
    ['en', 'Connect a device'],
    ['de', 'Gerät verbinden'],
    ['zh-CN', '连接设备'],
  ] as const) {
    browser.headers = { 'accept-language': language };
    const { page = '', response } = await browser.follow(await browser.ask('/oauth2/device'));
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).not.toMatch(/<script|src=|@import|url\(/);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect([response.headers.get('x-frame-options'), response.headers.get('cache-control')]).toEqual([
      'DENY',
      'no-store',
    ]);
  }
});

test('discovery names the endpoint and the grant', async () => {
  const metadata = await (await fetch(`${auth.url}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).toMatchObject({
    device_authorization_endpoint: `${ISSUER}/oauth2/device_authorization`,
    grant_types_supported: expect.arrayContaining([GRANT]),
  });
});

test('codes are in no log', async () => {
  const device = await startDevice();
  await connect(device.user_code);
  await poll(device);
  await sleep(20);
  const log = auth.log.join('');
  for (const secret of [device.device_code, device.user_code]) expect(log).not.toContain(secret);
});

// Asserts contract/tokens.md#second-factor.
test('a user who needs a second factor passes it before the device is connected', async () => {
  await auth.addUser('berta', { roles: ['careful'] });
  const device = await startDevice();
  const browser = new Browser(auth);
  const { page = '' } = await connect(device.user_code, 'berta', browser);
  expect(page).toContain('<h1>Set up a second factor</h1>');
  expect((await enter(device.user_code, browser)).page).not.toContain('<h1>Connected</h1>');
  const shown = await sendFactor(browser, page, 'enrol', { code: new App(secretOf(page)).next() });
  const done = await sendFactor(browser, shown.page ?? '', 'continue');
  expect(done.page).toContain('<h1>Connected</h1>');
  const { json } = await poll(device);
  const { jwt } = (await auth.internal('/exchange', { token: json.access_token })).json;
  expect(decodeJwt(jwt)).toMatchObject({ sub: 'berta', acr: 'urn:lintel:acr:2fa' });
});
