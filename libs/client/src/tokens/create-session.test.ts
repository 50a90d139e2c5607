import type { FetchLike } from '../platform.ts';
import { createSession } from './create-session.ts';
import { memoryStorage } from './token-storage.ts';

/** A token endpoint that issues `t1`, `t2`, …, with rotated refresh tokens, and the forms that it got. */
function endpoint() {
  const forms: Record<string, string>[] = [];
  const fetch: FetchLike = async (_url, { body, headers }) => {
    forms.push({
      ...Object.fromEntries(new URLSearchParams(String(body))),
      ...(headers['authorization'] && { basic: 'yes' }),
    });
    const n = forms.length;
    return Response.json({ access_token: `t${n}`, refresh_token: `r${n}`, expires_in: 3600 });
  };
  return { forms, fetch };
}

test('a login by code has a state and a proof, and works once', async () => {
  const { forms, fetch } = endpoint();
  const session = createSession({ baseUrl: 'http://server', clientId: 'spa', fetch, storage: memoryStorage() });
  const url = new URL(await session.loginUrl({ redirectUri: 'http://app/callback' }));
  const { state, code_challenge: challenge, ...parameters } = Object.fromEntries(url.searchParams);
  expect([url.origin + url.pathname, parameters]).toEqual([
    'http://server/oauth2/authorize',
    { response_type: 'code', client_id: 'spa', redirect_uri: 'http://app/callback', code_challenge_method: 'S256' },
  ]);
  expect(challenge).toMatch(/^[\w-]{43}$/);

  expect(await session.finishLogin('http://app/callback')).toBe(false);
  await expect(session.finishLogin('http://app/callback?code=c&state=other')).rejects.toMatchObject({
    code: 'LOGIN_STATE',
  });
  expect(forms).toEqual([]);
  const callback = `http://app/callback?code=c&state=${state}`;
  expect(await Promise.all([session.finishLogin(callback), session.finishLogin(callback)])).toEqual([true, true]);
  expect(forms).toEqual([
    {
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: 'http://app/callback',
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      client_id: 'spa',
    },
  ]);
  expect(await session.token()).toBe('t1');
  await expect(session.finishLogin(`http://app/callback?code=c&state=${state}`)).rejects.toMatchObject({
    code: 'LOGIN_STATE',
  });
});

test('a login that the user or the server refuses is an error', async () => {
  const session = createSession({ baseUrl: 'http://server', clientId: 'spa', fetch: endpoint().fetch });
  const state = new URL(await session.loginUrl({ redirectUri: 'http://app/' })).searchParams.get('state');
  await expect(session.finishLogin(`http://app/?error=access_denied&state=${state}`)).rejects.toMatchObject({
    code: 'LOGIN_REFUSED',
    message: 'access_denied: not logged in',
  });
});

test('concurrent renewals are one, with the rotated refresh token', async () => {
  const { forms, fetch } = endpoint();
  const session = createSession({ baseUrl: 'http://server', clientId: 'c', clientSecret: 's', fetch });
  await session.logIn('ada', 'secret');
  expect(await Promise.all([session.renew('t1'), session.renew('t1')])).toEqual(['t2', 't2']);
  expect(await session.renew('t1')).toBe('t2');
  expect(await session.renew('t2')).toBe('t3');
  expect(forms.slice(1).map(({ refresh_token }) => refresh_token)).toEqual(['r1', 'r2']);
  expect(forms[0]).toEqual({ grant_type: 'password', username: 'ada', password: 'secret', basic: 'yes' });
});

test('a token that is still valid is used while it cannot be renewed', async () => {
  let isUp = true;
  const fetch: FetchLike = async () =>
    isUp ? Response.json({ access_token: 'a', refresh_token: 'r', expires_in: 20 }) : new Response('', { status: 503 });
  const session = createSession({ baseUrl: 'http://server', clientId: 'c', fetch });
  await session.logIn('ada', 'secret');
  isUp = false;
  expect(await session.token()).toBe('a');
});

test('an ended login is forgotten; one that cannot be renewed now is kept', async () => {
  let status = 200;
  const fetch: FetchLike = async () =>
    status === 200
      ? Response.json({ access_token: 'a', refresh_token: 'r', expires_in: 60 })
      : Response.json({ error: status === 400 ? 'invalid_grant' : 'temporarily_unavailable' }, { status });
  const session = createSession({ baseUrl: 'http://server', clientId: 'c', fetch });
  await session.logIn('ada', 'secret');
  status = 503;
  await expect(session.renew('a')).rejects.toMatchObject({ name: 'LoginError', status: 503 });
  expect(await session.isLoggedIn()).toBe(true);
  status = 400;
  expect(await session.renew('a')).toBeUndefined();
  expect(await session.isLoggedIn()).toBe(false);
});

/** A session whose token endpoint responds when `succeed` or `fail` is called; other requests succeed at once. */
async function slowRenewal() {
  const sent: Record<string, string>[] = [];
  let respond: (response: Response) => void = () => {};
  const fetch: FetchLike = (url, { body }) => {
    const form = Object.fromEntries(new URLSearchParams(String(body)));
    sent.push(url.endsWith('/revoke') ? { revoked: form['token'] ?? '' } : form);
    if (form['grant_type'] === 'refresh_token') return new Promise((resolve) => (respond = resolve));
    const user = form['username'];
    return Promise.resolve(Response.json({ access_token: `${user}-1`, refresh_token: `${user}-r1`, expires_in: 3600 }));
  };
  const session = createSession({ baseUrl: 'http://server', clientId: 'c', fetch });
  await session.logIn('ada', 'secret');
  const renewal = session.renew('ada-1');
  await new Promise(setImmediate);
  const succeed = () => respond(Response.json({ access_token: 'ada-2', refresh_token: 'ada-r2', expires_in: 3600 }));
  const fail = () => respond(Response.json({ error: 'invalid_grant' }, { status: 400 }));
  const revoked = () => sent.flatMap(({ revoked }) => revoked ?? []);
  return { session, renewal, succeed, fail, revoked };
}

test('a renewal does not undo a logout that came meanwhile, and ends the new tokens', async () => {
  const { session, renewal, succeed, revoked } = await slowRenewal();
  await session.logOut();
  succeed();
  expect(await renewal).toBeUndefined();
  expect(await session.isLoggedIn()).toBe(false);
  expect(revoked()).toEqual(['ada-r1', 'ada-r2']);
});

test.each(['succeed', 'fail'] as const)('a renewal (%s) does not touch a login that came meanwhile', async (end) => {
  const { session, renewal, revoked, ...ends } = await slowRenewal();
  await session.logIn('bob', 'secret');
  ends[end]();
  expect(await renewal).toBe('bob-1');
  expect(await session.token()).toBe('bob-1');
  expect(revoked()).toEqual([]);
});

test('a token without a refresh token is used until it expires', async () => {
  let seconds = 20;
  const fetch: FetchLike = async () => Response.json({ access_token: 'a', expires_in: seconds });
  const session = createSession({ baseUrl: 'http://server', clientId: 'c', fetch });
  await session.logIn('ada', 'secret');
  expect(await session.token()).toBe('a');
  seconds = -1;
  await session.logIn('ada', 'secret');
  expect(await session.token()).toBeUndefined();
});

test.each([
  [401, 'invalid_client'],
  [404, 'not_found'],
  [400, 'invalid_request'],
])('a token endpoint that responds %s %s does not end the login', async (status, error) => {
  let isUp = true;
  const fetch: FetchLike = async () =>
    isUp ? Response.json({ access_token: 'a', refresh_token: 'r' }) : Response.json({ error }, { status });
  const session = createSession({ baseUrl: 'http://server', clientId: 'c', fetch });
  await session.logIn('ada', 'secret');
  isUp = false;
  await expect(session.renew('a')).rejects.toMatchObject({ name: 'LoginError', status });
  expect(await session.isLoggedIn()).toBe(true);
});

test('credentials do not follow a redirect', async () => {
  const redirects: unknown[] = [];
  const fetch: FetchLike = async (_url, { redirect }) => {
    redirects.push(redirect);
    return Response.json({ access_token: 'a' });
  };
  const session = createSession({ baseUrl: 'http://server', clientId: 'c', fetch });
  await session.logIn('ada', 'secret');
  await session.logOut();
  expect(redirects).toEqual(['error', 'error']);
});

test('logins that were started in two tabs at once both finish; abandoned ones do not pile up', async () => {
  const { fetch } = endpoint();
  const texts = new Map<string, string>();
  const storage = { ...memoryStorage(), getItem: (key: string) => texts.get(key) ?? null };
  storage.setItem = (key, value) => void texts.set(key, value);
  storage.removeItem = (key) => void texts.delete(key);
  const tabs = [1, 2].map(() => createSession({ baseUrl: 'http://server', clientId: 'spa', fetch, storage }));
  const start = async (tab: (typeof tabs)[number]) =>
    new URL(await tab.loginUrl({ redirectUri: 'http://app/' })).searchParams.get('state');
  const states = [];
  for (const tab of tabs) states.push(await start(tab));
  for (const [i, tab] of tabs.entries()) {
    expect(await tab.finishLogin(`http://app/?code=c&state=${states[i]}`)).toBe(true);
  }
  for (let i = 0; i < 20; i += 1) await start(createSession({ baseUrl: 'http://server', clientId: 'spa', storage }));
  expect(texts.size).toBeLessThan(10);
});

test('the address of the page is cleaned after a refused login, too', async () => {
  const page = globalThis as { location?: unknown; history?: unknown };
  const cleaned: string[] = [];
  const session = createSession({ baseUrl: 'http://server', clientId: 'spa', fetch: endpoint().fetch });
  const state = new URL(await session.loginUrl({ redirectUri: 'http://app/' })).searchParams.get('state');
  page.location = { href: `http://app/?error=access_denied&state=${state}` };
  page.history = { replaceState: (_data: unknown, _unused: string, url: string) => cleaned.push(url) };
  try {
    await expect(session.finishLogin()).rejects.toMatchObject({ code: 'LOGIN_REFUSED' });
  } finally {
    delete page.location;
    delete page.history;
  }
  expect(cleaned).toEqual(['http://app/']);
});
