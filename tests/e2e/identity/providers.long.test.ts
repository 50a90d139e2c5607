import { type Slapd, startSlapd } from '@lintel/testkit/backends';
import {
  type SamlIdentityProvider,
  startSamlIdentityProvider,
} from '../../../libs/federation/test/saml-identity-provider.ts';
import { browserOfTests } from '../browser-of-tests.ts';
import { DIRECTORY, fillDirectory, propertiesOfDirectory } from './directory.ts';
import { ORGANISATION_CLIENT, type Organisation, startOrganisation } from './organisation.ts';
import { below, type IdentitySystem, passwordOf, startIdentitySystem } from './start-identity-system.ts';
import { openVisitor } from './visitor.ts';
import { APPLICATION_HOST } from './web-application.ts';

const TEST_PATIENCE_MS = 180_000;
const ROLES = { 'resource-roles': 'sales=sales-manager,*=rest-minimal' };

const browser = browserOfTests([`--host-resolver-rules=MAP ${APPLICATION_HOST} 127.0.0.1`]);
let directory: Slapd;
let organisation: Organisation;
let corporation: SamlIdentityProvider;
let system: IdentitySystem;
beforeAll(async () => {
  directory = await startSlapd(DIRECTORY);
  await fillDirectory(directory.url, 'joan', passwordOf('joan'));
  organisation = await startOrganisation();
  corporation = await startSamlIdentityProvider('corp');
  system = await startIdentitySystem((issuer) => {
    organisation.register(`${issuer}/as-login/provider/acme/callback`);
    corporation.serveLogin((address) => loginPageOf(corporation, `${issuer}/as-login/provider/corp`, address));
    return {
      ...below('svc.auth.directory.people', { ...propertiesOfDirectory(directory.url), ...ROLES }),
      ...below('svc.auth.provider.acme', {
        issuer: organisation.issuer,
        'client-id': ORGANISATION_CLIENT.id,
        'client-secret': ORGANISATION_CLIENT.secret,
        title: 'Acme Corporation',
        ...ROLES,
      }),
      ...below('svc.auth.provider.corp', {
        kind: 'saml',
        issuer: corporation.issuer,
        'metadata-url': corporation.metadataUrl,
        ...ROLES,
      }),
    };
  });
}, 300_000);
afterAll(async () => {
  await system?.stop();
  await corporation?.close();
  await organisation?.close();
  await directory?.dispose();
});

/** The page of the SAML provider, whose only user is `hedy`. */
function loginPageOf(provider: SamlIdentityProvider, base: string, address: URL): string {
  const { SAMLResponse, RelayState } = provider.respond(address, {
    recipient: `${base}/acs`,
    destination: `${base}/acs`,
    audience: `${base}/metadata`,
    nameId: 'hedy',
    attributes: { groups: ['sales'] },
  });
  return `<!doctype html><title>Corp</title><form method="post" action="${base}/acs">
<input type="hidden" name="SAMLResponse" value="${SAMLResponse}"><input type="hidden" name="RelayState" value="${RelayState}">
<button>I am hedy</button></form>`;
}

test(
  'a user logs in at the OpenID provider of the organisation, in its pages, and has the roles of the groups',
  async () => {
    const { context, page, problems, claims, press, sees } = await openVisitor(browser());
    await page.goto(`${system.application.url}/login`);
    await sees('login-with-providers');
    await page.locator('a.provider', { hasText: 'Acme Corporation' }).click();
    await page.locator('input[name=login]').fill('grace');
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    // The provider asks for consent, and then Lintel.
    await page.locator('button[type=submit]').click();
    await press('consent');
    expect(await claims()).toMatchObject({ sub: 'grace', amr: ['fed'] });
    await page.goto(`${system.application.url}/customers`);
    expect(await page.locator('#status').textContent()).toBe('200');
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'a user who cancels at the OpenID provider is at the login page again, with the reason',
  async () => {
    const { context, page, sees } = await openVisitor(browser());
    await page.goto(`${system.application.url}/login`);
    await page.locator('a.provider', { hasText: 'Acme Corporation' }).click();
    await page.locator('input[name=login]').waitFor();
    await page.locator('a', { hasText: /Cancel/ }).click();
    await page.locator('#error').waitFor();
    await sees('provider-refused');
    expect(await page.locator('form[data-passkey=get]').isVisible()).toBe(true);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'a user logs in with the password of the directory',
  async () => {
    const { context, page, problems, claims, logIn, press } = await openVisitor(browser());
    await page.goto(`${system.application.url}/login`);
    await logIn('joan');
    await press('consent');
    expect(await claims()).toMatchObject({ sub: 'joan', amr: ['pwd'] });
    await page.goto(`${system.application.url}/customers`);
    expect(await page.locator('#status').textContent()).toBe('200');
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);

test(
  'a user logs in at the SAML provider',
  async () => {
    const { context, page, problems, claims, press } = await openVisitor(browser());
    await page.goto(`${system.application.url}/login`);
    await page.locator('a.provider[href*="/provider/corp"]').click();
    await page.getByRole('button', { name: 'I am hedy' }).click();
    await press('consent');
    expect(await claims()).toMatchObject({ sub: 'hedy', amr: ['fed'] });
    await page.goto(`${system.application.url}/customers`);
    expect(await page.locator('#status').textContent()).toBe('200');
    expect(problems).toEqual([]);
    await context.close();
  },
  TEST_PATIENCE_MS,
);
