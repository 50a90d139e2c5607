import { createHash, randomBytes } from 'node:crypto';
import { eventually, freePort } from '@lintel/testkit';
import { type ProvidedBackends, provide } from '@lintel/testkit/backends';
import { chromium } from 'playwright-core';
import { type RunningService, type ServiceProcesses, startServiceProcesses } from '../service-processes.ts';
import { CLIENT } from './realm.ts';
import { type Keycloak, startKeycloak } from './start-keycloak.ts';
import { Visitor } from './visitor.ts';

// A real Keycloak over OpenID and SAML, with Lintel as processes. Keycloak is on `localhost`, Lintel on `127.0.0.1`: two sites.

const CALLBACK = 'https://app.example/callback';
const ORDERS = '/rest/entities/sales_Order?limit=1';
const ROLES = 'sales=sales-manager,*=rest-minimal';
/** A busy machine takes its time. */
const PATIENCE_MS = 60_000;
/** A check at the provider counts for ten seconds. */
const AFTER_CHECK = { timeoutMs: 60_000, intervalMs: 1_000 };

let keycloak: Keycloak;
let processes: ServiceProcesses<'auth' | 'data' | 'gateway'>;
let gateway: RunningService;
beforeAll(async () => {
  const port = await freePort();
  const issuer = `http://localhost:${port}/realms/acme`;
  processes = await startServiceProcesses(['auth', 'data', 'gateway'], (gatewayUrl) => ({
    SVC_AUTHSERVER_ISSUER: gatewayUrl,
    SVC_AUTHSERVER_CLIENT_WEB_CLIENT_ID: 'web',
    SVC_AUTHSERVER_CLIENT_WEB_CLIENT_SECRET: 'secret of the application',
    SVC_AUTHSERVER_CLIENT_WEB_GRANT_TYPES: 'authorization_code,refresh_token',
    SVC_AUTHSERVER_CLIENT_WEB_REDIRECT_URIS: CALLBACK,
    SVC_AUTH_PROVIDER_ACME_ISSUER: issuer,
    SVC_AUTH_PROVIDER_ACME_CLIENT_ID: CLIENT.id,
    SVC_AUTH_PROVIDER_ACME_CLIENT_SECRET: CLIENT.secret,
    SVC_AUTH_PROVIDER_ACME_RESOURCE_ROLES: ROLES,
    SVC_AUTH_PROVIDER_CORP_KIND: 'saml',
    SVC_AUTH_PROVIDER_CORP_ISSUER: issuer,
    SVC_AUTH_PROVIDER_CORP_METADATA_URL: `${issuer}/protocol/saml/descriptor`,
    SVC_AUTH_PROVIDER_CORP_RESOURCE_ROLES: ROLES,
    // A user of both protocols has two subjects.
    SVC_AUTH_PROVIDER_CORP_FIRST_LOGIN: 'link,create',
    SVC_RESOURCE_SERVER_ISSUER: issuer,
    SVC_RESOURCE_SERVER_AUDIENCE: CLIENT.id,
    SVC_RESOURCE_SERVER_FIRST_LOGIN: 'create',
    SVC_RESOURCE_SERVER_RESOURCE_ROLES: ROLES,
  }));
  gateway = processes.services.gateway;
  const base = `${gateway.url}/as-login/provider`;
  keycloak = await startKeycloak(port, { openId: `${base}/acme`, saml: `${base}/corp` });
}, 600_000);
afterAll(async () => {
  await keycloak?.stop();
  await processes?.dispose();
});

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const tokenRequest = async (form: Record<string, string>) => {
  const response = await fetch(`${gateway.url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('web:secret of the application').toString('base64')}` },
    body: new URLSearchParams(form),
  });
  return { status: response.status, tokens: (await response.json()) as Tokens };
};
const refresh = ({ refresh_token: token }: Tokens) =>
  tokenRequest({ grant_type: 'refresh_token', refresh_token: token });

/** The status of a request of the API. */
async function statusOf(token: string, path = ORDERS): Promise<number> {
  const response = await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  await response.body?.cancel();
  return response.status;
}

const authorization = (verifier: string): string =>
  `${gateway.url}/oauth2/authorize?${new URLSearchParams({
    client_id: 'web',
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'rest-api',
    state: 'state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })}`;

/** A login with the button of a provider, through the form of Keycloak, up to the tokens of the application. */
async function logIn(provider: 'acme' | 'corp', username: string): Promise<Tokens> {
  const visitor = new Visitor();
  const verifier = randomBytes(32).toString('base64url');
  const login = await visitor.visit(authorization(verifier));
  const [, button = ''] = new RegExp(`href="([^"]*/provider/${provider}[^"]*)"`).exec(login.page) ?? [];
  const form = await visitor.visit(new URL(button.replaceAll('&amp;', '&'), login.url));
  expect(form.url.href).toContain(keycloak.issuer);
  const accepted = await visitor.submit(form, { username, password: username });
  // SAML returns by a form that a script submits, OpenID by a redirect.
  const back = provider === 'corp' ? await visitor.submit(accepted) : accepted;
  expect([back.status, back.url.origin + back.url.pathname]).toEqual([303, CALLBACK]);
  const code = back.url.searchParams.get('code') ?? '';
  const { status, tokens } = await tokenRequest({
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  });
  expect(status).toBe(200);
  return tokens;
}

describe('OpenID', () => {
  // Asserts contract/tokens.md#providers.
  test('a login through the form of Keycloak has the roles of the groups', async () => {
    const { access_token: token } = await logIn('acme', 'grace');
    expect(await statusOf(token)).toBe(200);
  });

  // Asserts contract/tokens.md#providers.
  test('roles end at the next login without the group', async () => {
    const before = await logIn('acme', 'joan');
    expect(await statusOf(before.access_token)).toBe(200);
    await keycloak.leaveGroup('joan', 'sales');
    const after = await logIn('acme', 'joan');
    expect(await statusOf(after.access_token)).toBe(403);
    await eventually(async () => expect(await statusOf(before.access_token)).toBe(403));
  });

  // Asserts contract/tokens.md#providers.
  test('a user who is disabled at Keycloak gets no new tokens, and the session ends', async () => {
    const login = await logIn('acme', 'barbara');
    await keycloak.disable('barbara');
    await eventually(async () => expect((await refresh(login)).status).toBe(400), AFTER_CHECK);
    await eventually(async () => expect(await statusOf(login.access_token)).toBe(401));
  }, 180_000);

  // Asserts contract/tokens.md#providers.
  test('a logout at Keycloak ends the session at once', async () => {
    const login = await logIn('acme', 'radia');
    expect(await statusOf(login.access_token)).toBe(200);
    await keycloak.logOut('radia');
    await eventually(async () => expect(await statusOf(login.access_token)).toBe(401));
    expect((await refresh(login)).status).toBe(400);
  });
});

describe('SAML', () => {
  test('a login through the form of Keycloak has the roles of the groups', async () => {
    const login = await logIn('corp', 'hedy');
    expect(await statusOf(login.access_token)).toBe(200);
    expect((await refresh(login)).status).toBe(400);
  });

  test('roles end at the next login without the group', async () => {
    await logIn('corp', 'emmy');
    await keycloak.leaveGroup('emmy', 'sales');
    expect(await statusOf((await logIn('corp', 'emmy')).access_token)).toBe(403);
  });

  test('a logout at Keycloak ends the session at once', async () => {
    const login = await logIn('corp', 'lise');
    expect(await statusOf(login.access_token)).toBe(200);
    await keycloak.logOut('lise');
    await eventually(async () => expect(await statusOf(login.access_token)).toBe(401));
  });
});

// Asserts contract/tokens.md#external-tokens.
test('an access token of Keycloak is accepted directly, with the roles of its groups', async () => {
  expect(await statusOf(await keycloak.accessToken('rosa'))).toBe(200);
  await keycloak.leaveGroup('rosa', 'sales');
  expect(await statusOf(await keycloak.accessToken('rosa'))).toBe(403);
  expect(await statusOf(`${await keycloak.accessToken('rosa')}x`)).toBe(401);
});

describe('in a browser, with its rules for cookies of other sites', () => {
  let programs: ProvidedBackends;
  beforeAll(async () => {
    programs = await provide({ chromium: true });
  });
  afterAll(() => programs?.stop());

  test.each(['acme', 'corp'])(
    'a user logs in at %s',
    async (provider) => {
      const browser = await chromium.launch({
        executablePath: programs.environment['LINTEL_TEST_CHROMIUM_PROGRAM'] ?? '',
        // Its sandbox is not for root, as whom tests run in containers.
        args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      });
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(PATIENCE_MS);
        await page.goto(authorization(randomBytes(32).toString('base64url')));
        await page.getByRole('link', { name: `Log in with ${provider}` }).click();
        await page.locator('#username').fill('ada');
        await page.locator('#password').fill('ada');
        // The application is on no machine: its address shows that the login was accepted.
        const [request] = await Promise.all([
          page.waitForRequest((each) => each.url().startsWith(`${CALLBACK}?`)),
          page.locator('#kc-login').click({ noWaitAfter: true }),
        ]);
        expect(new URL(request.url()).searchParams.get('code')).toEqual(expect.any(String));
      } finally {
        await browser.close();
      }
    },
    180_000,
  );
});
