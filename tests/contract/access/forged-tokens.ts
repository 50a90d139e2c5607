import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { baseUrl, send } from '../api.ts';

type Members = Readonly<Record<string, unknown>>;

const encode = (members: Members): string => Buffer.from(JSON.stringify(members)).toString('base64url');

/** What a token of the administrator would say. */
export const claims = (): Members => {
  const now = Math.floor(Date.now() / 1_000);
  return {
    iss: baseUrl,
    sub: 'admin',
    aud: 'lintel:rest',
    exp: now + 60,
    iat: now,
    jti: 'forged',
    client_id: 'client',
    sid: 'forged',
    scope: 'rest-api',
    resource_roles: ['system-full-access'],
    roles: ['system-full-access'],
  };
};

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ownKey = publicKey.export({ format: 'jwk' });

const signed = (header: Members, payload: Members, key: KeyObject = privateKey): string => {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
};

const signedBySecret = (header: Members, payload: Members, secret: string): string => {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};

/** Tokens that nobody but a forger makes, by what is wrong with them. */
export async function forgedTokens(): Promise<Readonly<Record<string, string>>> {
  const [key] = (await send('GET', '/oauth2/jwks')).json().keys;
  const typ = 'at+jwt';
  const rs256 = { alg: 'RS256', kid: key.kid, typ };
  return {
    'no algorithm': `${encode({ alg: 'none', typ })}.${encode(claims())}.`,
    'no algorithm in another case': `${encode({ alg: 'nOnE', typ })}.${encode(claims())}.AAAA`,
    'no signature': `${encode(rs256)}.${encode(claims())}.`,
    'a signature of nothing': `${encode(rs256)}.${encode(claims())}.AAAA`,
    'another key under the known id': signed(rs256, claims()),
    'another key under another id': signed({ ...rs256, kid: 'mine' }, claims()),
    'another key that it brings': signed({ alg: 'RS256', typ, jwk: ownKey }, claims()),
    'another key that it names': signed(
      { ...rs256, jku: `${baseUrl}/rest/files?fileRef=x`, x5u: 'http://127.0.0.1:1' },
      claims(),
    ),
    'the public key as a secret': signedBySecret({ alg: 'HS256', kid: key.kid, typ }, claims(), JSON.stringify(key)),
    'the modulus as a secret': signedBySecret({ alg: 'HS256', kid: key.kid, typ }, claims(), String(key.n)),
    'an empty secret': signedBySecret({ alg: 'HS256', typ }, claims(), ''),
    'a key id that is a path': signed({ ...rs256, kid: '../../dev/null' }, claims()),
    'a critical header': signed({ ...rs256, crit: ['exp'] }, claims()),
    'an expired one': signed(rs256, { ...claims(), exp: 1 }),
    'the audience of internal listeners': signed(rs256, {
      ...claims(),
      aud: 'lintel:internal',
      act: { sub: 'reports' },
    }),
    'an ID token': signed({ ...rs256, typ: 'JWT' }, claims()),
    'no claims': signed(rs256, {}),
    'prototype claims': signed(rs256, JSON.parse('{"__proto__":{"sub":"admin"},"constructor":{}}') as Members),
    'five parts': 'eyJhbGciOiJSUzI1NiJ9.a.b.c.d',
    'a very long one': `eyJ${'a'.repeat(6_000)}.b.c`,
  };
}
