import type { FetchLike } from '../connection/platform.ts';
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
