import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** How the next login of a hostile provider differs from a correct one. */
export interface Hostility {
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Parameters of the redirect; null removes one. */
  readonly redirect?: Readonly<Record<string, string | null>>;
  readonly algorithm?: 'none' | 'HS256' | 'foreign key';
  /** The ID token of the token endpoint; null for a response without one. */
  readonly idToken?: string | null;
  /** The refresh token of the token endpoint. */
  readonly refreshToken?: string;
  /** The response of userinfo; else it fails. */
  readonly userInfo?: Readonly<Record<string, unknown>>;
}

export interface HostileProvider {
  readonly issuer: string;
  next: Hostility;
  /** Requests at the token endpoint. */
  readonly tokenRequests: URLSearchParams[];
  /** Requests for the keys. */
  readonly keyRequests: () => number;
  signLogout(claims?: Readonly<Record<string, unknown>>, algorithm?: 'none'): Promise<string>;
  /** The address to which the provider sends the browser of an authorization request. */
  redirectFor(authorization: URL): URL;
  setAvailable(isAvailable: boolean): void;
  close(): Promise<void>;
}

export const PROVIDER_CLIENT = 'lintel';
const SECRET = 'secret of lintel at the provider';
export const PROVIDER_SECRET = SECRET;

/** A provider that is correct except for what `next` says: then it must be refused. */
export async function startHostileProvider(): Promise<HostileProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const foreign = await generateKeyPair('RS256');
  const tokenRequests: URLSearchParams[] = [];
  const nonces = new Map<string, string>();
  let isAvailable = true;
  let keyRequests = 0;
  const seconds = () => Math.floor(Date.now() / 1000);
  const hash = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

  async function idTokenFor(code: string): Promise<string> {
    const { claims = {}, algorithm } = provider.next;
    const payload = {
      iss: issuer,
      aud: PROVIDER_CLIENT,
      sub: 'subject-1',
      iat: seconds(),
      exp: seconds() + 300,
      nonce: nonces.get(code),
      at_hash: hash('access token'),
      preferred_username: 'hedy',
      groups: ['sales'],
      ...claims,
    };
    if (algorithm === 'none') return `${encoded({ alg: 'none' })}.${encoded(payload)}.`;
    if (algorithm === 'HS256')
      return new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET));
    const key = algorithm === 'foreign key' ? foreign.privateKey : privateKey;
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'a' }).sign(key);
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const send = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (!isAvailable) return void send({ error: 'temporarily_unavailable' }, 503);
    switch (request.url) {
      case '/keys':
        keyRequests += 1;
        return void send({ keys: [{ ...(await exportJWK(publicKey)), kid: 'a', alg: 'RS256', use: 'sig' }] });
      case '/token': {
        const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
        tokenRequests.push(form);
        const { idToken = await idTokenFor(form.get('code') ?? '') } = provider.next;
        const { refreshToken: refresh_token } = provider.next;
        const body = { access_token: 'access token', token_type: 'Bearer', expires_in: 60, refresh_token };
        return void send(idToken === null ? body : { ...body, id_token: idToken });
      }
      case '/userinfo':
        return void send(provider.next.userInfo ?? {}, provider.next.userInfo === undefined ? 500 : 200);
      case '/.well-known/openid-configuration':
        return void send({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          authorization_response_iss_parameter_supported: true,
        });
      default:
        return void send({}, 404);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: HostileProvider = {
    issuer,
    next: {},
    tokenRequests,
    keyRequests: () => keyRequests,
    async signLogout(claims = {}, algorithm) {
      const payload = {
        iss: issuer,
        aud: PROVIDER_CLIENT,
        iat: seconds(),
        exp: seconds() + 60,
        jti: `logout-${Math.random()}`,
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      };
      if (algorithm === 'none') return `${encoded({ alg: 'none' })}.${encoded(payload)}.`;
      return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'a', typ: 'logout+jwt' }).sign(privateKey);
    },
    redirectFor(authorization) {
      const code = `code-${Math.random()}`;
      const { searchParams: asked } = authorization;
      nonces.set(code, asked.get('nonce') ?? '');
      const target = new URL(asked.get('redirect_uri') ?? '');
      const given = { code, state: asked.get('state'), iss: issuer, ...provider.next.redirect };
      for (const [name, value] of Object.entries(given)) if (value !== null) target.searchParams.set(name, value);
      return target;
    },
    setAvailable(value) {
      isAvailable = value;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
