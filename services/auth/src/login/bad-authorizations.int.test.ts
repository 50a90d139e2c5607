import type { TestDatabase } from '@lintel/testkit';
import { authorization, Browser, CALLBACK, loginPages, verifier } from '../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../test/start-auth.ts';

const WEB = 'svc.authserver.client.web';

let testDatabase: TestDatabase;
let auth: RunningAuth;

beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': 'http://lintel.example',
      [`${WEB}.client-id`]: 'web',
      [`${WEB}.client-secret`]: 'secret',
      [`${WEB}.grant-types`]: 'authorization_code',
      [`${WEB}.redirect-uris`]: CALLBACK,
    },
  });
  await auth.addUser('anna');
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { open, codeFor, redeem } = loginPages(() => auth);
const exchanged = (token: string) => auth.internal('/exchange', { token });

test.each(['grant_type', 'code', 'redirect_uri', 'code_verifier'])(
  'a repeated %s at the token endpoint is refused, and the code still works',
  async (name) => {
    const code = await codeFor('anna');
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    });
    form.append(name, form.get(name) ?? '');
    const response = await auth.post('/oauth2/token', form.toString(), { client: 'web:secret' });
    expect([response.status, response.json.error, response.json.error_description]).toEqual([
      400,
      'invalid_request',
      `OAuth 2.0 Parameter: ${name}`,
    ]);
    expect((await redeem(code)).status).toBe(200);
  },
);

// Asserts contract/tokens.md#clients, contract/tokens.md#oauth2-response.
test('a code without its redirect address is refused', async () => {
  const response = await redeem(await codeFor('anna'), { redirect_uri: '' });
  expect([response.status, response.json]).toEqual([400, { error: 'invalid_grant' }]);
});

// Asserts contract/tokens.md#discovery.
test.each([
  ['no response type', { response_type: '' }, 'invalid_request'],
  ['a scope of another client alone', { scope: 'rest-api reports' }, 'invalid_scope'],
  ['a challenge in the clear', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['a challenge that is none', { code_challenge: 'short' }, 'invalid_request'],
  ['a prompt that is none', { prompt: 'perhaps' }, 'invalid_request'],
  ['a resource that is not the API', { resource: 'https://evil.example' }, 'invalid_target'],
  ['an address of a request object', { request_uri: 'https://evil.example/' }, 'request_uri_not_supported'],
])('an authorization request with %s goes back to the client without a page', async (_case, parameters, error) => {
  const browser = new Browser(auth);
  const { left } = await browser.follow(await browser.ask(authorization(parameters)));
  expect([`${left?.origin}${left?.pathname}`, left?.searchParams.get('error')]).toEqual([CALLBACK, error]);
  expect([left?.searchParams.get('state'), left?.searchParams.get('code')]).toEqual(['some state', null]);
});

test.each(['web%00', '%00%ED%A0%80%F4%90%80%80', '%EF%BF%BF'])(
  'a client %s, which no store can hold, is unknown as any other',
  async (id) => {
    const page = await new Browser(auth).ask(authorization().replace('client_id=web', `client_id=${id}`));
    expect(page.status).toBe(400);
    const name = decodeURIComponent(id.replace('%ED%A0%80%F4%90%80%80', ''));
    const grant = { grant_type: 'password', username: name, password: name };
    const token = await auth.post('/oauth/token', grant, { client: `${name}:secret` });
    expect([token.status, token.json.error]).toEqual([401, 'invalid_client']);
    const login = await auth.post('/oauth2/token', { ...grant, client_id: name, refresh_token: name });
    expect([400, 401]).toContain(login.status);
  },
);

test.each(['response_type', 'scope', 'state', 'code_challenge'])(
  'an authorization request with a repeated %s gets no page',
  async (name) => {
    const browser = new Browser(auth);
    const { left } = await browser.follow(
      await browser.ask(`${authorization({ scope: 'rest-api' })}&${name}=${name === 'scope' ? 'rest-api' : 'code'}`),
    );
    expect([left?.searchParams.get('error'), left?.searchParams.get('code')]).toEqual(['invalid_request', null]);
  },
);

test('a token is no response type: the client receives the error in the fragment', async () => {
  const browser = new Browser(auth);
  const { left } = await browser.follow(await browser.ask(authorization({ response_type: 'token' })));
  expect([left?.search, new URLSearchParams(left?.hash.slice(1)).get('error')]).toEqual([
    '',
    'unsupported_response_type',
  ]);
});

test('an unknown scope is not given', async () => {
  const response = await redeem(await codeFor('anna', { scope: 'rest-api admin' }));
  expect([response.status, response.json.scope]).toEqual([200, 'rest-api']);
});

test('a repeated client is answered with a page; a second redirect address is gone to in no case', async () => {
  const client = await new Browser(auth).ask(`${authorization()}&client_id=web`);
  expect([client.status, client.headers.get('location')]).toEqual([400, null]);
  const evil = encodeURIComponent('https://evil.example/');
  for (const address of [
    `${authorization()}&redirect_uri=${evil}`,
    authorization().replace('redirect_uri=', `redirect_uri=${evil}&redirect_uri=`),
  ]) {
    const { left, page = '' } = await new Browser(auth).follow(await new Browser(auth).ask(address));
    expect([left?.host ?? 'app.example', left?.searchParams.get('code') ?? null]).toEqual(['app.example', null]);
    expect(page).not.toContain('<h1>Log in</h1>');
  }
});

// Asserts contract/conventions.md#endpoints, contract/tokens.md#endpoints.
test('methods that the pages and the logout do not have are 405, and end nothing', async () => {
  const { json } = await redeem(await codeFor('anna'));
  const headers = { authorization: `Bearer ${json.access_token}` };
  for (const [method, path, allowed] of [
    ['POST', '/oauth2/authorize', 'GET, HEAD, OPTIONS'],
    ['PUT', '/as-login', 'GET, HEAD, OPTIONS, POST'],
    ['PUT', '/logout', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', '/logout', 'GET, HEAD, OPTIONS, POST'],
    ['GET', '/oauth/token', 'OPTIONS, POST'],
    ['PUT', '/oauth2/token', 'OPTIONS, POST'],
    ['GET', '/oauth2/revoke', 'OPTIONS, POST'],
  ] as const) {
    const response = await fetch(`${auth.url}${path}`, { method, headers });
    expect([method, path, response.status, response.headers.get('allow')]).toEqual([method, path, 405, allowed]);
    const options = await fetch(`${auth.url}${path}`, { method: 'OPTIONS', headers });
    expect([path, options.status, options.headers.get('allow')]).toEqual([path, 200, allowed]);
  }
  const asClient = await fetch(`${auth.url}/logout`, { headers: { authorization: 'Basic d2ViOnNlY3JldA==' } });
  expect(asClient.status).toBe(401);
  expect((await exchanged(json.access_token)).status).toBe(200);
});

test('a form that is too large, or for two interactions, is refused', async () => {
  const { browser, fields, submit } = await open();
  const login = { username: 'anna', password: 'anna' };
  const large = await submit({ ...login, more: 'x'.repeat(16 * 1024) });
  expect([large.response.status, large.left]).toEqual([413, undefined]);
  const id = new URL(fields.action, auth.url).searchParams.get('interaction') ?? '';
  const twice = await browser.ask(`${fields.action}&interaction=${id}`, { proof: fields.proof, ...login });
  expect([twice.status, twice.headers.get('location')]).toEqual([400, null]);
  const nobody = await submit({ username: '', password: '' });
  expect([nobody.response.status, nobody.left]).toEqual([401, undefined]);
  expect((await submit(login)).left?.searchParams.get('code')).toEqual(expect.any(String));
});
