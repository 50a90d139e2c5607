import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import * as openid from 'openid-client';

/** A name that the browser of these tests finds on this machine: clients at loopback addresses ask at each login. */
export const APPLICATION_HOST = 'shop.example';
export const CLIENT_ID = 'shop';
const PROTECTED = '/rest/entities/sales_Customer?limit=1';

/** An application of others: a public client with pages, which uses the API for its user. */
export interface WebApplication {
  readonly url: string;
  /** The properties of its client. */
  readonly properties: Readonly<Record<string, string>>;
  /** Claims of the logout tokens that it has received and verified. */
  readonly logouts: readonly JWTPayload[];
  /** Reads the metadata of Lintel. */
  connect(issuer: string): Promise<void>;
  close(): Promise<void>;
}

interface Login {
  readonly idToken: string;
  readonly accessToken: string;
  readonly claims: openid.IDToken;
}

interface Started {
  readonly verifier: string;
  readonly nonce: string;
  /** Path of the application to go on at. */
  readonly next: string;
}

/** What the application does with a request: a page, or the address to go to. */
type Outcome = { readonly html: string } | { readonly address: URL | string; readonly cookie?: string };

export async function startWebApplication(): Promise<WebApplication> {
  const started = new Map<string, Started>();
  const logins = new Map<string, Login>();
  const logouts: JWTPayload[] = [];
  let lintel: openid.Configuration | undefined;
  const server = createServer((request, response) => {
    handle(request)
      .catch((error: unknown): Outcome => ({ html: `<h1>Error</h1><p id="error">${codeOf(error)}</p>` }))
      .then((outcome) => send(response, outcome));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://${APPLICATION_HOST}:${port}`;
  const configuration = (): openid.Configuration => {
    if (lintel === undefined) throw new Error('the application is not connected');
    return lintel;
  };

  async function begin(parameters: URLSearchParams): Promise<Outcome> {
    const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()];
    const { next = '/', ...more } = Object.fromEntries(parameters);
    started.set(state, { verifier, nonce, next });
    const address = openid.buildAuthorizationUrl(configuration(), {
      redirect_uri: `${url}/callback`,
      scope: 'openid profile email rest-api',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...more,
    });
    return { address };
  }

  async function finish(callback: URL): Promise<Outcome> {
    const state = callback.searchParams.get('state') ?? '';
    const before = started.get(state);
    if (before === undefined) throw new Error('a login that the application has not begun');
    started.delete(state);
    const { verifier, nonce, next } = before;
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
    const tokens = await openid.authorizationCodeGrant(configuration(), callback, checks);
    const claims = tokens.claims();
    if (claims === undefined || tokens.id_token === undefined) throw new Error('no ID token');
    const id = randomUUID();
    logins.set(id, { idToken: tokens.id_token, accessToken: tokens.access_token, claims });
    return { address: next, cookie: `shop=${id}; Path=/; HttpOnly` };
  }

  /** Reads what a step-up rule protects; logs the user in again if the response asks for it (RFC 9470). */
  async function readCustomers({ accessToken }: Login): Promise<Outcome> {
    const response = await fetch(`${configuration().serverMetadata().issuer}${PROTECTED}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    await response.body?.cancel();
    const challenge = response.headers.get('www-authenticate') ?? '';
    if (!challenge.includes('error="insufficient_user_authentication"'))
      return { html: `<h1>Customers</h1><p id="status">${response.status}</p>` };
    const parameters = new URLSearchParams({ next: '/customers' });
    for (const [, name = '', value = ''] of challenge.matchAll(/(acr_values|max_age)="([^"]+)"/g))
      parameters.set(name, value);
    return begin(parameters);
  }

  async function receiveLogout(request: IncomingMessage): Promise<Outcome> {
    const { issuer, jwks_uri: keys = '' } = configuration().serverMetadata();
    const token = new URLSearchParams(await text(request)).get('logout_token') ?? '';
    const verified = await jwtVerify(token, createRemoteJWKSet(new URL(keys)), { issuer, audience: CLIENT_ID });
    logouts.push(verified.payload);
    return { html: '' };
  }

  async function handle(request: IncomingMessage): Promise<Outcome> {
    const target = new URL(request.url ?? '/', url);
    const login = logins.get(/shop=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '');
    if (target.pathname === '/login') return begin(target.searchParams);
    if (target.pathname === '/callback') return finish(target);
    if (target.pathname === '/backchannel-logout') return receiveLogout(request);
    if (login === undefined) return { html: '<h1>Shop</h1><p id="guest">You are not logged in.</p>' };
    if (target.pathname === '/customers') return readCustomers(login);
    if (target.pathname !== '/logout') return { html: `<h1>Shop</h1><pre id="claims">${JSON.stringify(login.claims)}` };
    const returning = { id_token_hint: login.idToken, post_logout_redirect_uri: `${url}/bye` };
    return { address: openid.buildEndSessionUrl(configuration(), returning), cookie: 'shop=; Path=/; Max-Age=0' };
  }

  return {
    url,
    properties: {
      'client-id': CLIENT_ID,
      'client-name': 'Acme & Sons’ shop',
      'client-authentication-methods': 'none',
      'grant-types': 'authorization_code,refresh_token',
      'redirect-uris': `${url}/callback`,
      'post-logout-redirect-uris': `${url}/bye`,
      'backchannel-logout-uri': `http://127.0.0.1:${port}/backchannel-logout`,
      'require-authorization-consent': 'true',
    },
    logouts,
    async connect(issuer) {
      const options = { execute: [openid.allowInsecureRequests] };
      lintel = await openid.discovery(new URL(issuer), CLIENT_ID, undefined, openid.None(), options);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function codeOf(error: unknown): string {
  if (error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError)
    return error.error;
  return String(error);
}

function send(response: ServerResponse, outcome: Outcome): void {
  if ('html' in outcome) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Shop</title>${outcome.html}`);
    return;
  }
  const cookie = outcome.cookie === undefined ? {} : { 'set-cookie': outcome.cookie };
  response.writeHead(303, { location: String(outcome.address), ...cookie }).end();
}
