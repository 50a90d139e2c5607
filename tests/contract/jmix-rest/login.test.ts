import { getBasicAuthHeaders, type JmixRestConnection, type JmixRestError } from '@haulmont/jmix-rest';
import { tokenRequest } from '../api.ts';
import { connectAs, newConnection } from './connect.ts';

/** What `login` hands over; the client's own type names the access token alone. */
interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

const logIn = async (connection: JmixRestConnection, username: string, tokenEndpoint?: string): Promise<Tokens> =>
  (await connection.login(username, username, tokenEndpoint === undefined ? {} : { tokenEndpoint })) as Tokens;

/** As applications refresh: the client has the headers for it, and keeps the token that it is given. */
async function refresh(connection: JmixRestConnection, refreshToken: string): Promise<Tokens> {
  const response = await fetch('/oauth/token', {
    method: 'POST',
    headers: getBasicAuthHeaders(connection.restClientId, connection.restClientSecret, connection.locale),
    body: `grant_type=refresh_token&refresh_token=${encodeURIComponent(refreshToken)}`,
  });
  const tokens = (await response.json()) as Tokens;
  connection.restApiToken = tokens.access_token;
  return tokens;
}

const userOf = async (connection: JmixRestConnection): Promise<unknown> =>
  ((await connection.getUserInfo()) as unknown as { readonly username: string }).username;

describe.each([
  ['/oauth/token', 'client'],
  ['/oauth2/token', 'client'],
  ['/oauth/token', 'client-jwt'],
])('the published client at %s as %s', (tokenEndpoint, clientId) => {
  test('logs in and calls the API as the user', async () => {
    const connection = newConnection('en', clientId);
    const tokens = await logIn(connection, 'clerk', tokenEndpoint);
    expect(connection.restApiToken).toBe(tokens.access_token);
    expect(await userOf(connection)).toBe('clerk');
  });

  // Asserts contract/tokens.md#oauth-errors.
  test('distinguishes a wrong password from a login', async () => {
    const connection = newConnection('en', clientId);
    const failure = await connection.login('clerk', 'wrong', { tokenEndpoint }).catch((error: JmixRestError) => error);
    const { response } = failure as JmixRestError;
    expect([response?.status, await response?.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_grant', error_description: 'Bad credentials' }),
    ]);
    expect(connection.restApiToken).toBeUndefined();
  });

  // Asserts contract/tokens.md#oauth2-errors, contract/tokens.md#refresh.
  test('goes on after a refresh, and learns that the token of before has ended', async () => {
    const connection = newConnection('en', clientId);
    const before = await logIn(connection, 'clerk', tokenEndpoint);
    const after = await refresh(connection, before.refresh_token);
    expect(after.refresh_token).toBe(before.refresh_token);
    expect(await userOf(connection)).toBe('clerk');
    connection.restApiToken = before.access_token;
    await expect(connection.getUserInfo()).rejects.toMatchObject({ response: { status: 401 } });
  });
});

// Asserts contract/tokens.md#revoke.
test.each(['/oauth/revoke', '/oauth2/revoke'])('the published client logs out at %s', async (revokeEndpoint) => {
  const connection = newConnection();
  const { access_token: token, refresh_token: refreshToken } = await logIn(connection, 'clerk');
  await connection.logout({ revokeEndpoint });
  expect(connection.restApiToken).toBeUndefined();
  connection.restApiToken = token;
  await expect(connection.getUserInfo()).rejects.toMatchObject({ response: { status: 401 } });
  const refreshed = await tokenRequest('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken });
  expect(refreshed.status).toBe(revokeEndpoint === '/oauth/revoke' ? 400 : 200);
});

test('the published client logs out, and its next call is refused as that of no user', async () => {
  const connection = await connectAs('manager');
  const { restApiToken: token } = connection;
  await connection.logout();
  let expiries = 0;
  connection.onTokenExpiry(() => {
    expiries += 1;
  });
  connection.restApiToken = token;
  await expect(connection.loadEntities('sales_Order')).rejects.toMatchObject({ response: { status: 401 } });
  expect([expiries, connection.restApiToken]).toEqual([1, undefined]);
});

// Asserts contract/tokens.md#request.
test('the published client logs in with a language, which the session keeps, and changes it', async () => {
  const connection = await connectAs('clerk', 'de');
  const localeOf = async (): Promise<string> => {
    const response = await fetch('/rest/userInfo', { headers: { authorization: `Bearer ${connection.restApiToken}` } });
    return ((await response.json()) as { readonly locale: string }).locale;
  };
  expect(await localeOf()).toBe('de');
  connection.locale = 'en';
  await connection.setSessionLocale();
  expect(await localeOf()).toBe('en');
});
