import { createHash, randomUUID } from 'node:crypto';
import type { TestDatabase } from '@lintel/testkit';
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { CALLBACK, loginPages, verifier } from '../../../test/login-pages.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

const ISSUER = 'http://lintel.example';
const CLIENT = 'svc.authserver.client';
const TOKEN_URL = `${ISSUER}/oauth2/token`;

let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      'svc.authserver.issuer': ISSUER,
      [`${CLIENT}.page.client-id`]: 'page',
      [`${CLIENT}.page.client-authentication-methods`]: 'none',
      [`${CLIENT}.page.grant-types`]: 'authorization_code,refresh_token',
      [`${CLIENT}.page.redirect-uris`]: CALLBACK,
    },
  });
  await auth.addUser('anna');
});
afterAll(async () => {
  await auth?.close();
  await testDatabase?.drop();
});

const { codeFor } = loginPages(() => auth);

async function createKey() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const proof = ({ iat, ...claims }: Record<string, unknown> & { readonly iat?: number } = {}): Promise<string> =>
    new SignJWT({ jti: randomUUID(), htm: 'POST', htu: TOKEN_URL, ...claims })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk })
      .setIssuedAt(iat)
      .sign(privateKey);
  /** For a request to a resource with a token. */
  const proofFor = (token: string, path: string, htm = 'GET') =>
    proof({ htm, htu: `${ISSUER}${path}`, ath: createHash('sha256').update(token).digest('base64url') });
  return { thumbprint: await calculateJwkThumbprint(jwk, 'sha256'), proof, proofFor };
}
const key = await createKey();
const other = await createKey();

const headersOf = (proof?: string) => (proof === undefined ? {} : { headers: { dpop: proof } });
const clientToken = (proof?: string, client = 'integration:secret', path = '/oauth2/token') =>
  auth.post(path, { grant_type: 'client_credentials' }, { client, ...headersOf(proof) });
const redeem = (code: string, proof?: string) =>
  auth.post(
    '/oauth2/token',
    { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier, client_id: 'page' },
    { client: null, ...headersOf(proof) },
  );
const refresh = (token: string, proof?: string) =>
  auth.post(
    '/oauth2/token',
    { grant_type: 'refresh_token', refresh_token: token, client_id: 'page' },
    { client: null, ...headersOf(proof) },
  );
const exchange = async (token: string) => (await auth.internal('/exchange', { token })).json;
const ask = (path: string, token: string, scheme: string, proof?: string, method = 'GET') =>
  fetch(`${auth.url}${path}`, {
    method,
    headers: { authorization: `${scheme} ${token}`, ...headersOf(proof).headers },
  });

// Asserts contract/tokens.md#dpop.
test('a token of a client that sends a proof is bound to its key, and says so', async () => {
  const { json } = await clientToken(await key.proof());
  expect(json).toEqual({ access_token: expect.any(String), token_type: 'DPoP', expires_in: expect.any(Number) });
  expect(await exchange(json.access_token)).toMatchObject({ thumbprint: key.thumbprint });
  const described = await auth.post(
    '/oauth2/introspect',
    { token: json.access_token },
    { client: 'integration:secret' },
  );
  expect(described.json).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.thumbprint } });
  const signed = (await clientToken(await key.proof(), 'signed-service:secret')).json;
  expect(decodeJwt(signed.access_token)).toMatchObject({ cnf: { jkt: key.thumbprint } });
});

// Asserts contract/tokens.md#dpop.
test('without a proof tokens are as before; /oauth/token ignores proofs', async () => {
  const { json } = await clientToken();
  expect([json.token_type, (await exchange(json.access_token)).thumbprint]).toEqual(['Bearer', undefined]);
  const form = { grant_type: 'password', username: 'anna', password: 'anna' };
  const old = await auth.post('/oauth/token', form, headersOf('no proof'));
  expect([old.status, old.json.token_type]).toEqual([200, 'bearer']);
});

// Asserts contract/tokens.md#dpop.
test('a proof works once', async () => {
  const proof = await key.proof();
  expect((await clientToken(proof)).status).toBe(200);
  const second = await clientToken(proof);
  expect([second.status, second.json]).toEqual([
    400,
    { error: 'invalid_dpop_proof', error_description: 'Invalid DPoP proof' },
  ]);
});

// Asserts contract/tokens.md#dpop.
test.each<[string, () => Promise<string>]>([
  ['no JWT', async () => 'proof'],
  ['an empty one', async () => ''],
  ['one for another path', () => key.proof({ htu: `${ISSUER}/oauth2/revoke` })],
  ['one for another method', () => key.proof({ htm: 'GET' })],
  ['one for another server', () => key.proof({ htu: 'https://evil.example/oauth2/token' })],
  ['one of yesterday', () => key.proof({ iat: Math.floor(Date.now() / 1000) - 86_400 })],
])('a wrong proof is refused, and issues nothing: %s', async (_case, make) => {
  const response = await clientToken(await make());
  expect([response.status, response.json.error]).toEqual([400, 'invalid_dpop_proof']);
});

// Asserts contract/tokens.md#dpop.
test('the refresh token of a public client is bound, too: another key, or none, does not get tokens, and ends nothing', async () => {
  const { json } = await redeem(await codeFor('anna', { client_id: 'page' }), await key.proof());
  expect(json.token_type).toBe('DPoP');
  for (const proof of [undefined, await other.proof()])
    expect((await refresh(json.refresh_token, proof)).json.error).toBe('invalid_grant');
  const next = await refresh(json.refresh_token, await key.proof());
  expect([next.status, next.json.token_type]).toEqual([200, 'DPoP']);
  // For some seconds, the key gets the same successor; another one ends nothing.
  expect((await refresh(json.refresh_token, await other.proof())).status).toBe(400);
  const again = await refresh(json.refresh_token, await key.proof());
  expect([again.json.refresh_token, again.json.access_token]).toEqual([
    next.json.refresh_token,
    next.json.access_token,
  ]);
  // The new one is bound as well.
  expect((await refresh(next.json.refresh_token, await other.proof())).status).toBe(400);
  expect((await refresh(next.json.refresh_token, await key.proof())).status).toBe(200);
});

// Asserts contract/tokens.md#dpop.
test('a code that was requested for a key is redeemed with this key only', async () => {
  const request = { client_id: 'page', dpop_jkt: key.thumbprint };
  for (const proof of [undefined, await other.proof()])
    expect((await redeem(await codeFor('anna', request), proof)).json.error).toBe('invalid_grant');
  expect((await redeem(await codeFor('anna', request), await key.proof())).status).toBe(200);
});

describe('a bound token', () => {
  const bound = async () => {
    const code = await codeFor('anna', { client_id: 'page', scope: 'openid rest-api' });
    return String((await redeem(code, await key.proof())).json.access_token);
  };

  // Asserts contract/tokens.md#dpop.
  test('is accepted with a proof for this request, once', async () => {
    const token = await bound();
    const proof = await key.proofFor(token, '/oauth2/userinfo');
    expect((await ask('/oauth2/userinfo', token, 'DPoP', proof)).status).toBe(200);
    const again = await ask('/oauth2/userinfo', token, 'DPoP', proof);
    expect([again.status, again.headers.get('www-authenticate')]).toEqual([
      401,
      'DPoP realm="oauth2-resource", error="invalid_dpop_proof", error_description="Invalid DPoP proof", algs="ES256 EdDSA PS256 RS256"',
    ]);
  });

  // Asserts contract/tokens.md#dpop.
  test('is refused as a bearer token, without a proof, with that of another key, token, path or method', async () => {
    const [token, second] = [await bound(), await bound()];
    const path = '/oauth2/userinfo';
    const proof = await key.proofFor(token, path);
    expect((await ask(path, token, 'Bearer', proof)).status).toBe(401);
    for (const wrong of [
      undefined,
      await other.proofFor(token, path),
      await key.proofFor(second, path),
      await key.proofFor(token, '/oauth2/other'),
      await key.proofFor(token, path, 'POST'),
      await key.proof(),
    ])
      expect((await ask(path, token, 'DPoP', wrong)).status).toBe(401);
    expect((await ask(path, token, 'DPoP', proof)).status).toBe(200);
  });

  // Asserts contract/tokens.md#dpop.
  test('changes the password with a proof of the key only', async () => {
    const token = await bound();
    const change = async (scheme: string, proof?: string): Promise<number> => {
      const { status } = await fetch(`${auth.url}/oauth2/password`, {
        method: 'POST',
        headers: {
          authorization: `${scheme} ${token}`,
          'content-type': 'application/json',
          ...(proof === undefined ? {} : { dpop: proof }),
        },
        body: JSON.stringify({ currentPassword: 'anna', newPassword: 'anna', endOtherSessions: false }),
      });
      return status;
    };
    expect(await change('Bearer')).toBe(401);
    expect(await change('DPoP')).toBe(401);
    expect(await change('DPoP', await other.proofFor(token, '/oauth2/password', 'POST'))).toBe(401);
    // The new password is too weak: the request has passed the check of the token.
    expect(await change('DPoP', await key.proofFor(token, '/oauth2/password', 'POST'))).toBe(400);
  });

  // Asserts contract/tokens.md#dpop.
  test('is logged out by the owner of the key only', async () => {
    const token = await bound();
    expect((await ask('/logout', token, 'Bearer', undefined, 'POST')).status).toBe(401);
    expect((await exchange(token)).thumbprint).toBe(key.thumbprint);
    expect((await ask('/logout', token, 'DPoP', await key.proofFor(token, '/logout', 'POST'), 'POST')).status).toBe(
      200,
    );
    expect(await exchange(token)).toEqual({ reason: 'invalid' });
  });
});

// Asserts contract/tokens.md#own-password.
test('a password is changed with a bound token by the owner of the key only', async () => {
  await auth.addUser('dora');
  const code = await codeFor('dora', { client_id: 'page', scope: 'openid rest-api' });
  const token = String((await redeem(code, await key.proof())).json.access_token);
  const path = '/oauth2/password';
  const change = async (scheme: string, proof?: string) =>
    (
      await fetch(`${auth.url}${path}`, {
        method: 'POST',
        headers: { authorization: `${scheme} ${token}`, ...(proof === undefined ? {} : { dpop: proof }) },
        body: JSON.stringify({ currentPassword: 'dora', newPassword: 'several words of mine' }),
      })
    ).status;
  expect(await change('Bearer')).toBe(401);
  expect(await change('DPoP')).toBe(401);
  expect(await change('DPoP', await other.proofFor(token, path, 'POST'))).toBe(401);
  expect(await change('DPoP', await key.proofFor(token, path, 'POST'))).toBe(204);
});

// Asserts contract/tokens.md#dpop.
test('a bearer token is not accepted with the scheme DPoP', async () => {
  const code = await codeFor('anna', { client_id: 'page', scope: 'openid rest-api' });
  const { access_token: token } = (await redeem(code)).json;
  const path = '/oauth2/userinfo';
  expect((await ask(path, token, 'DPoP', await key.proofFor(token, path))).status).toBe(401);
  expect((await ask(path, token, 'Bearer')).status).toBe(200);
});

// Asserts contract/tokens.md#dpop.
test('discovery names the algorithms', async () => {
  const metadata = await (await fetch(`${auth.url}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).toMatchObject({ dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'PS256', 'RS256'] });
});
