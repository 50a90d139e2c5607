import { type Hostility, PROVIDER_CLIENT } from '@lintel/federation/testing';
import { authorization, Browser, CALLBACK, fieldsOf } from '../../../test/login-pages.ts';
import { ago, providerLoginsOfTests } from '../../../test/provider-logins-of-tests.ts';
import { addAssignment } from '../../../test/start-auth.ts';

const logins = providerLoginsOfTests();
const { press, attack } = logins;

test('the hostile provider is accepted while it behaves', async () => {
  const { left } = await attack({});
  expect(left?.origin + (left?.pathname ?? '')).toBe(CALLBACK);
  expect(logins.hostile.tokenRequests.at(-1)?.get('code_verifier')).toEqual(expect.any(String));
});

// Asserts contract/tokens.md#providers.
test.each<[string, Hostility, number]>([
  ['a wrong nonce', { claims: { nonce: 'other' } }, 1],
  ['no nonce', { claims: { nonce: undefined } }, 1],
  ['an ID token of another issuer', { claims: { iss: 'https://other.example' } }, 1],
  ['an ID token for another client', { claims: { aud: 'other' } }, 1],
  ['two audiences without azp', { claims: { aud: [PROVIDER_CLIENT, 'other'] } }, 1],
  ['an ID token that was issued to another client', { claims: { azp: 'other' } }, 1],
  ['an ID token of the future', { claims: { iat: ago(-600), exp: ago(-900) } }, 1],
  ['an expired ID token', { claims: { exp: ago(60), iat: ago(400) } }, 1],
  ['alg none', { algorithm: 'none' }, 1],
  ['HS256 with the secret of the client', { algorithm: 'HS256' }, 1],
  ['a key that is not published', { algorithm: 'foreign key' }, 1],
  ['a tampered at_hash', { claims: { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } }, 1],
  ['an at_hash that is no text', { claims: { at_hash: 7 } }, 1],
  ['no ID token', { idToken: null }, 1],
  ['an ID token that is none', { idToken: 'abc' }, 1],
  ['no subject', { claims: { sub: undefined } }, 1],
  ['a subject with NUL', { claims: { sub: 'a\0b' } }, 1],
  ['a session with NUL', { claims: { sid: 'a\0b' } }, 1],
  ['another issuer in the redirect (RFC 9207)', { redirect: { iss: 'https://other.example' } }, 0],
  ['no issuer in the redirect', { redirect: { iss: null } }, 0],
  ['an error of the provider', { redirect: { error: 'access_denied', code: null } }, 0],
])('%s is refused on the page', async (_case, next, asked) => {
  const result = await attack(next);
  expect([result.response.status, result.asked, result.left]).toEqual([401, asked, undefined]);
  expect(result.page).toContain('The login at the identity provider was refused.');
});

// Asserts contract/tokens.md#providers.
test.each<[string, Record<string, string | null>]>([
  ['another state', { state: 'other' }],
  ['no state', { state: null }],
])('%s in the redirect ends the login', async (_case, redirect) => {
  const { response, asked, left } = await attack({ redirect });
  expect([response.status, asked, left]).toEqual([400, 0, undefined]);
});

test('parameters of the redirect lead nowhere else', async () => {
  const { left } = await attack({ redirect: { redirect_uri: 'https://evil.example', target: 'https://evil.example' } });
  expect(left?.origin).toBe('https://app.example');
  expect((await new Browser(logins.auth).ask('/as-login/provider/acme?next=https://evil.example')).status).toBe(400);
});

test('a user of a new name does not get roles that were assigned to the name before', async () => {
  await addAssignment(logins.testDatabase, 'left-over', 'system-full-access');
  const lines = logins.auth.log.length;
  const { response, left } = await attack({ claims: { sub: 'subject-2', preferred_username: 'left-over' } });
  expect([response.status, left]).toEqual([401, undefined]);
  expect(logins.auth.log.slice(lines).join()).toContain('"reason":"roles-left"');
  expect(await logins.testDatabase.query(`SELECT 1 FROM sec."user" WHERE username = 'left-over'`)).toEqual([]);
});

test('the button works only with the proof of the page, in the browser of the page', async () => {
  const browser = new Browser(logins.auth);
  const { page = '' } = await browser.follow(await browser.ask(authorization()));
  const href = /href="([^"]*\/provider\/hostile[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await browser.ask(href.replace(/proof=[^&]+/, 'proof=AAAA'))).status).toBe(400);
  expect((await browser.ask(href.replace('provider/hostile', 'provider/unknown'))).status).toBe(400);
  expect((await new Browser(logins.auth).ask(href)).status).toBe(400);
  expect((await browser.ask(href)).status).toBe(303);
});

// Asserts contract/tokens.md#providers.
test('a provider that is away is 503 on the page', async () => {
  const { browser, request } = await press('hostile');
  logins.hostile.setAvailable(false);
  const { response, page } = await browser.follow(await browser.ask(logins.hostile.redirectFor(request).href));
  expect(response.status).toBe(503);
  expect(page).toContain('The identity provider cannot be reached now.');
  expect(fieldsOf(page ?? '').action).toContain('/as-login?interaction=');
});

test('no line of the log has a token, a code or a claim', () => {
  expect(logins.auth.log.join()).not.toMatch(/code-0\.|id_token|eyJ|given_name|Grace/);
});
