import { createHash, createPrivateKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { MAX_PROOF_AGE_SECONDS, type ProvenRequest, verifyProof } from './verify-proof.ts';

const NOW_MS = 1_764_100_000_000;
const NOW = NOW_MS / 1000;
const URL_OF = 'https://api.example/rest/userInfo';
const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

const pair = await generateKeyPair('ES256', { extractable: true });
const jwk = await exportJWK(pair.publicKey);

interface Changes {
  readonly header?: Record<string, unknown>;
  readonly claims?: Record<string, unknown>;
  readonly key?: Parameters<SignJWT['sign']>[0];
}
const proofOf = ({ header = {}, claims = {}, key = pair.privateKey }: Changes = {}): Promise<string> =>
  new SignJWT({ jti: 'one', htm: 'GET', htu: URL_OF, iat: NOW, ath: digest('token'), ...claims })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })
    .sign(key);
const verify = (proof: string | string[] | undefined, request: Partial<ProvenRequest> = {}) =>
  verifyProof(proof, { method: 'GET', url: URL_OF, accessToken: 'token', nowMs: NOW_MS, ...request });

test('a proof has the thumbprint of its key, and the same id whenever it is sent', async () => {
  const proof = await proofOf();
  const thumbprint = await calculateJwkThumbprint(jwk, 'sha256');
  expect(await verify(proof)).toEqual({ thumbprint, replayKey: expect.any(String) });
  expect(await verify(proof)).toEqual(await verify(proof, { url: `${URL_OF}?limit=1#x` }));
  expect((await verify(await proofOf({ claims: { jti: 'two' } })))?.replayKey).not.toBe(
    (await verify(proof))?.replayKey,
  );
});

test('the address is compared as a URL: case of the host, default port, query', async () => {
  for (const htu of ['HTTPS://API.example:443/rest/userInfo', `${URL_OF}?a=1`])
    expect(await verify(await proofOf({ claims: { htu } }))).toBeDefined();
});

test('EdDSA and RSA keys prove as well', async () => {
  for (const alg of ['EdDSA', 'PS256', 'RS256']) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const header = { alg, jwk: await exportJWK(publicKey) };
    expect([alg, await verify(await proofOf({ header, key: privateKey }))]).toEqual([alg, expect.any(Object)]);
  }
});

const other = await generateKeyPair('ES256', { extractable: true });
const secret = new TextEncoder().encode('a shared secret that both sides know');

// Asserts contract/tokens.md#dpop.
test.each<[string, () => Promise<string | string[] | undefined>]>([
  ['none', async () => undefined],
  ['an empty one', async () => ''],
  ['two headers', async () => [await proofOf(), await proofOf()]],
  ['two in one header', async () => `${await proofOf()}, ${await proofOf()}`],
  ['text', async () => 'proof'],
  ['4,097 characters', async () => proofOf({ claims: { x: 'x'.repeat(4_000) } })],
  ['another method', () => proofOf({ claims: { htm: 'POST' } })],
  ['another path', () => proofOf({ claims: { htu: 'https://api.example/rest/users' } })],
  ['another host', () => proofOf({ claims: { htu: 'https://evil.example/rest/userInfo' } })],
  ['another scheme', () => proofOf({ claims: { htu: 'http://api.example/rest/userInfo' } })],
  ['no URL', () => proofOf({ claims: { htu: '/rest/userInfo' } })],
  ['another token', () => proofOf({ claims: { ath: digest('other') } })],
  ['no token', () => proofOf({ claims: { ath: undefined } })],
  ['no id', () => proofOf({ claims: { jti: undefined } })],
  ['an empty id', () => proofOf({ claims: { jti: '' } })],
  ['no time', () => proofOf({ claims: { iat: undefined } })],
  ['an old time', () => proofOf({ claims: { iat: NOW - MAX_PROOF_AGE_SECONDS - 11 } })],
  ['a time to come', () => proofOf({ claims: { iat: NOW + 11 } })],
  ['another type', () => proofOf({ header: { typ: 'JWT' } })],
  ['no key', () => proofOf({ header: { jwk: undefined } })],
  ['the key of another signature', async () => proofOf({ header: { jwk: await exportJWK(other.publicKey) } })],
  ['a private key', async () => proofOf({ header: { jwk: await exportJWK(pair.privateKey) } })],
  ['a shared secret', () => proofOf({ header: { alg: 'HS256', jwk: { kty: 'oct', k: 'YQ' } }, key: secret })],
  ['a key of another kind', () => proofOf({ header: { jwk: { kty: 'RSA', n: 'x', e: 'AQAB' } } })],
  ['a key that is no object', () => proofOf({ header: { jwk: 'key' } })],
  ['no signature', async () => `${(await proofOf()).split('.').slice(0, 2).join('.')}.`],
  [
    'the algorithm none',
    async () => {
      const [, payload] = (await proofOf()).split('.');
      const header = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk })).toString('base64url');
      return `${header}.${payload}.`;
    },
  ],
])('a proof with %s is none', async (_case, make) => {
  expect(await verify(await make())).toBeUndefined();
});

test('a valid proof of an RSA key with a large public exponent, which is a lot of work to verify, is none', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const { e, d, ...key } = privateKey.export({ format: 'jwk' });
  const proofWith = (exponents: object): Promise<string> => {
    const jwk: JsonWebKey = { ...key, ...exponents };
    const header = { alg: 'RS256', jwk: { kty: jwk.kty, n: jwk.n, e: jwk.e } };
    return proofOf({ header, key: createPrivateKey({ key: jwk, format: 'jwk' }) });
  };
  expect(await verify(await proofWith({ e, d }))).toBeDefined();
  // The exponents of a pair of keys are interchangeable.
  expect(await verify(await proofWith({ e: d, d: e, dp: e, dq: e }))).toBeUndefined();
});
