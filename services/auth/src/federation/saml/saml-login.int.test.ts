import { readFileSync } from 'node:fs';
import {
  requestXml,
  type SamlHostility,
  type SamlIdentityProvider,
  SP_BASE,
  startSamlIdentityProvider,
} from '@lintel/federation/testing';
import type { TestDatabase } from '@lintel/testkit';
import { authorization, Browser, CALLBACK, loginPages } from '../../../test/login-pages.ts';
import { WEB } from '../../../test/provider-properties.ts';
import { createAuthDatabase, type RunningAuth, startAuth } from '../../../test/start-auth.ts';

let acme: SamlIdentityProvider;
let other: SamlIdentityProvider;
let testDatabase: TestDatabase;
let auth: RunningAuth;
beforeAll(async () => {
  [acme, other] = await Promise.all([startSamlIdentityProvider('acme'), startSamlIdentityProvider('other')]);
  testDatabase = await createAuthDatabase();
  auth = await startAuth(testDatabase, {
    properties: {
      ...WEB,
      'svc.auth.provider.acme.kind': 'saml',
      'svc.auth.provider.acme.issuer': acme.issuer,
      'svc.auth.provider.acme.metadata-url': acme.metadataUrl,
      'svc.auth.provider.acme.title': 'Acme <SAML>',
      'svc.auth.provider.acme.groups-claim': 'Role',
      'svc.auth.provider.acme.resource-roles': 'sales=sales-manager, *=rest-minimal',
      'svc.auth.provider.other.kind': 'saml',
      'svc.auth.provider.other.issuer': other.issuer,
      'svc.auth.provider.other.metadata-url': other.metadataUrl,
      'svc.auth.provider.other.signing-key': readFileSync(other.keyFile, 'utf8'),
      'svc.auth.provider.other.signing-certificate-file': other.certificateFile,
      'svc.auth.provider.other.client-id': 'urn:lintel',
    },
  });
  await auth.addUser('clerk');
});
afterAll(async () => {
  await auth.close();
  await testDatabase.drop();
  await Promise.all([acme.close(), other.close()]);
});

const { redeem } = loginPages(() => auth);

/** Presses the button of a provider; returns the address of the login request. */
async function press(provider: string, browser = new Browser(auth)) {
  const { page = '' } = await browser.follow(await browser.ask(authorization({ scope: 'rest-api' })));
  const href = new RegExp(`href="([^"]*/provider/${provider}[^"]*)"`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const response = await browser.ask(href);
  expect(response.status).toBe(303);
  return { browser, request: new URL(response.headers.get('location') ?? '') };
}

/** The form that a provider sends: a request of another site, with which a browser sends no cookies (SameSite=Lax). */
const send = (provider: string, form: Record<string, string>) =>
  auth.post(`/as-login/provider/${provider}/acs`, form, { client: null });

/** A login at `acme`: where the browser left to, or the page. */
async function logIn(hostility: SamlHostility = {}) {
  const { browser, request } = await press('acme');
  const form = acme.respond(request, hostility);
  const received = await sendForm(form);
  const result = await browser.follow(await browser.ask(received));
  const code = result.left?.searchParams.get('code') ?? undefined;
  return { ...result, browser, request, form, tokens: code === undefined ? undefined : (await redeem(code)).json };
}

/** The address to which the response leads the browser. */
async function sendForm(form: Record<string, string>): Promise<string> {
  const response = await fetch(`${auth.url}/as-login/provider/acme/acs`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
  });
  expect(response.status).toBe(303);
  const location = response.headers.get('location') ?? '';
  expect(location).toMatch(/^\/as-login\/provider\/acme\/callback\?state=/);
  return location;
}

const exchange = async (token: string) => (await auth.internal('/exchange', { token })).json;
const INVALID = { reason: 'invalid' };
const sales = { attributes: { Role: ['sales'], givenName: ['Grace'], mail: ['grace@acme.example'] } };

// Asserts contract/tokens.md#saml.
test('the page has a button for each provider', async () => {
  const browser = new Browser(auth);
  const { page = '' } = await browser.follow(await browser.ask(authorization()));
  expect(page).toContain('Log in with Acme &lt;SAML&gt;');
  expect(page).toContain('Log in with other');
});

// Asserts contract/tokens.md#saml.
test('a first login creates the user, with the roles of its attributes', async () => {
  const { request, tokens } = await logIn({ nameId: 'grace', ...sales });
  expect(request.origin + request.pathname).toBe(acme.signOnUrl);
  expect(request.searchParams.get('SigAlg')).toBeNull();
  expect(requestXml(request)).toContain(`AssertionConsumerServiceURL="${SP_BASE}/acme/acs"`);
  expect(request.searchParams.get('RelayState')?.length).toBeLessThanOrEqual(80);
  const session = await auth.sessions.load((await exchange(tokens.access_token)).sessionId);
  expect(session).toMatchObject({ username: 'grace', attributes: { firstName: 'Grace', email: 'grace@acme.example' } });
  expect(session?.resourceRoles).toEqual(['rest-minimal', 'sales-manager']);
  // Not a subject of OpenID with the same text.
  const linked = await testDatabase.query(`SELECT issuer FROM auth.federated_user WHERE subject = 'grace'`);
  expect(linked).toEqual([{ issuer: `saml:${acme.issuer}` }]);
});

// Asserts contract/tokens.md#saml.
test('roles follow at each login and end with the group', async () => {
  const before = await logIn({ nameId: 'joan', ...sales });
  const { sessionId } = await exchange(before.tokens.access_token);
  await logIn({ nameId: 'joan' });
  expect((await auth.sessions.load(sessionId))?.resourceRoles).toEqual(['rest-minimal']);
});

// Asserts contract/tokens.md#saml.
test('an existing user is not taken over by the name', async () => {
  const { page, response, left } = await logIn({ nameId: 'clerk' });
  expect([response.status, left]).toEqual([401, undefined]);
  expect(page).toContain('The login at the identity provider was refused.');
  expect(auth.log.join()).toContain('known-user');
});

// Asserts contract/tokens.md#saml.
test('our tokens are not refreshed, since nothing confirms the login', async () => {
  const { tokens } = await logIn({ nameId: 'lise' });
  expect((await exchange(tokens.access_token)).jwt).toEqual(expect.any(String));
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  expect((await auth.post('/oauth2/token', refresh, { client: 'web:secret' })).status).toBe(400);
});

test('what began with a login ends with the session at the provider', async () => {
  const hour = await logIn({ nameId: 'ada', sessionNotOnOrAfter: 3_600 });
  const { sessionId, jwt } = await exchange(hour.tokens.access_token);
  expect(jwt).toEqual(expect.any(String));
  expect((await hour.browser.follow(await hour.browser.ask(authorization()))).left?.searchParams.has('code')).toBe(
    true,
  );
  await testDatabase.query(`UPDATE auth.federated_login SET expires_at = expires_at - interval '1 hour'
    WHERE subject = 'ada'`);
  expect((await hour.browser.follow(await hour.browser.ask(authorization()))).page).toContain('name="password"');
  expect(await exchange(hour.tokens.access_token)).toEqual(INVALID);
  expect(await auth.sessions.load(sessionId)).toBeUndefined();
});

test('a session at the provider that ends later than ours changes nothing', async () => {
  const { tokens } = await logIn({ nameId: 'ada', sessionNotOnOrAfter: 1_000 * 24 * 3_600 });
  expect((await exchange(tokens.access_token)).jwt).toEqual(expect.any(String));
  const [row] = await testDatabase.query<{ readonly days: number }>(
    `SELECT extract(epoch FROM max(expires_at) - now())::float8 / 86400 AS days FROM auth.federated_login`,
  );
  expect(row?.days).toBeLessThan(400);
});

const evil = (xml: string) => xml.replace('>hedy<', '>admin<').replace(/ ID="_assertion[^"]+"/, ' ID="_evil"');
const assertionOf = (xml: string): string => /<saml:Assertion[\s\S]+<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
const withoutSignature = (xml: string) => xml.replace(/<Signature[\s\S]+<\/Signature>/, '');

test.each<[string, SamlHostility, string]>([
  ['an assertion without a signature', { sign: 'none' }, 'signature'],
  ['a response of which only the envelope is signed', { sign: 'response' }, 'signature'],
  ['a signature of another key', { foreignKey: true }, 'signature'],
  ['a signature with SHA-1', { signatureAlgorithm: 'sha1' }, 'algorithm'],
  ['a name that was changed afterwards', { after: (xml) => xml.replace('>hedy<', '>admin<') }, 'signature'],
  [
    'an attribute that was added',
    {
      ...sales,
      after: (xml) =>
        xml.replace(
          '</saml:AttributeStatement>',
          '<saml:Attribute Name="Role"><saml:AttributeValue>sales</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>',
        ),
    },
    'signature',
  ],
  [
    'a processing instruction in the name',
    { nameId: 'admin.evil', after: (xml) => xml.replace('.evil', '<?x?>.evil') },
    'xml',
  ],
  [
    'a forged assertion before the signed one',
    { after: (xml) => xml.replace(assertionOf(xml), `${evil(withoutSignature(assertionOf(xml)))}${assertionOf(xml)}`) },
    'not one assertion',
  ],
  [
    'a forged assertion after the signed one',
    { after: (xml) => xml.replace(assertionOf(xml), `${assertionOf(xml)}${evil(withoutSignature(assertionOf(xml)))}`) },
    'not one assertion',
  ],
  [
    'the signed assertion inside of a forged one',
    {
      after: (xml) =>
        xml.replace(
          assertionOf(xml),
          evil(withoutSignature(assertionOf(xml))).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`),
        ),
    },
    'not one assertion',
  ],
  ['the signed assertion inside of the signature of a forged one', { after: wrapInSignature }, 'not one assertion'],
  [
    'the signed assertion in an extension',
    {
      after: (xml) =>
        xml.replace(
          // Asserts contract/tokens.md#saml.
          assertionOf(xml),
          `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>${evil(withoutSignature(assertionOf(xml)))}`,
        ),
    },
    'not one assertion',
  ],
  ['an assertion for another audience', { audience: 'https://other.example' }, 'audience'],
  ['an assertion for another recipient', { recipient: `${SP_BASE}/other/acs` }, 'subject confirmation'],
  ['a response for another destination', { destination: `${SP_BASE}/other/acs` }, 'destination'],
  ['an assertion of another issuer', { issuer: 'https://other.example' }, 'issuer'],
  ['an expired assertion', { notOnOrAfter: -60 }, 'expired'],
  ['an assertion of the future', { notBefore: 60 }, 'not yet valid'],
  ['a session that has ended', { sessionNotOnOrAfter: -60 }, 'expired'],
  ['a response to another request', { inResponseTo: '_other' }, 'request'],
  ['a response that names no request', { inResponseTo: null }, 'request'],
  [
    'an assertion for another request in our envelope',
    { before: (xml) => xml.replace(/(<saml:SubjectConfirmationData[^>]+InResponseTo=")[^"]+/, '$1_other') },
    'subject confirmation',
  ],
  ['a transient name', { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }, 'transient name'],
  ['no name', { nameId: '' }, 'a subject or session'],
  ['a name that is too long', { nameId: 'a'.repeat(300) }, 'a subject or session'],
  [
    'an encrypted assertion',
    {
      after: (xml) =>
        xml.replace(assertionOf(xml), `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>`),
    },
    'encrypted assertion',
  ],
  ['a status of failure', { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, 'status Responder'],
  ['a document of another kind', { after: () => '<a/>' }, 'no response'],
  ['a text', { after: () => 'abc' }, 'xml'],
])('%s is refused on the page', async (_case, hostility, reason) => {
  const lines = auth.log.length;
  const { response, page, left } = await logIn(hostility);
  expect([response.status, left]).toEqual([401, undefined]);
  expect(page).toContain('The login at the identity provider was refused.');
  const log = auth.log.slice(lines).join();
  expect(log).toContain(`"reason":"${reason}`);
  expect(log).not.toMatch(/hedy|admin|saml:/);
});

const inside = (text: string) => (xml: string) => xml.replace('</saml:Subject>', `${text}</saml:Subject>`);

// Asserts contract/tokens.md#saml.
test.each<[string, (xml: string) => string, string]>([
  ['a comment in the name', (xml) => xml.replace('hedy', 'hedy<!---->.evil'), 'a comment or CDATA section'],
  ['a CDATA section in the name', (xml) => xml.replace('hedy', '<![CDATA[hedy]]>'), 'a comment or CDATA section'],
  ['a document type', (xml) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}`, 'a document type declaration'],
  ['a document type in an attribute', inside('<a b="<!doctype c>"/>'), 'a document type declaration'],
  ['too many elements in each other', inside('<a>'.repeat(30) + '</a>'.repeat(30)), 'more than 30 elements in each'],
  ['too many elements', inside('<a/>'.repeat(1_000)), 'more than 1000 elements'],
  ['too many attributes', inside(`<a ${'b="" '.repeat(51)}/>`), 'a tag of more than 50 attributes'],
  ['too many namespaces', inside(`<a ${'xmlns:b="" '.repeat(50)}/>`), 'more than 50 namespaces'],
  ['too many bytes', inside(`<a>${'\u00e9'.repeat(32 * 1024)}</a>`), 'more than 65536 bytes'],
])('a response with %s is refused before it is parsed, and another one is accepted', async (_case, after, reason) => {
  const { browser, request } = await press('acme');
  const lines = auth.log.length;
  expect((await send('acme', acme.respond(request, { after }))).status).toBe(400);
  expect(auth.log.slice(lines).join()).toContain(`"reason":"xml: ${reason}`);
  const { left } = await browser.follow(await browser.ask(await sendForm(acme.respond(request))));
  expect(left?.searchParams.has('code')).toBe(true);
});

/** The forged assertion has the ID of no signature; the signed one is an object inside of its signature. */
function wrapInSignature(xml: string): string {
  const original = assertionOf(xml);
  const signature = /<Signature[\s\S]+<\/Signature>/.exec(original)?.[0] ?? '';
  const moved = signature.replace('</Signature>', `<Object>${withoutSignature(original)}</Object></Signature>`);
  const forged = evil(withoutSignature(original)).replace('</saml:Issuer>', `</saml:Issuer>${moved}`);
  return xml.replace(original, forged);
}

// Asserts contract/tokens.md#saml.
test('a response works once', async () => {
  const { form } = await logIn({ nameId: 'ada' });
  expect((await send('acme', form)).status).toBe(400);
});

// Asserts contract/tokens.md#saml.
test('an assertion works once, also for another request', async () => {
  const first = await logIn({ nameId: 'ada', assertionId: '_the-same' });
  expect(first.tokens).toBeDefined();
  const again = await logIn({ nameId: 'ada', assertionId: '_the-same' });
  expect([again.response.status, again.left]).toEqual([401, undefined]);
  expect(auth.log.join()).toContain('replayed assertion');
});

// Asserts contract/tokens.md#saml.
test('a response that was not requested is refused', async () => {
  const { request } = await press('acme');
  const { SAMLResponse } = acme.respond(request, { nameId: 'ada' });
  for (const RelayState of ['', 'unknown', '/rest/docs'])
    expect((await send('acme', { SAMLResponse, RelayState })).status).toBe(400);
});

// Asserts contract/tokens.md#saml.
test('the browser that began is the only one that is logged in', async () => {
  const victim = new Browser(auth);
  const attacker = await press('acme');
  const back = await sendForm(acme.respond(attacker.request, { nameId: 'mallory' }));
  await press('acme', victim);
  expect((await victim.ask(back)).status).toBe(400);
  expect((await new Browser(auth).ask(back)).status).toBe(400);
});

// Asserts contract/tokens.md#saml.
test('the response of one provider is not accepted for another (mix-up)', async () => {
  const { request, browser } = await press('acme');
  const ofOther = other.respond(request, {
    nameId: 'ada',
    recipient: `${SP_BASE}/acme/acs`,
    destination: `${SP_BASE}/acme/acs`,
    audience: `${SP_BASE}/acme/metadata`,
  });
  // Sent to the address of the other one, and to ours.
  expect((await send('other', ofOther)).status).toBe(400);
  const { response, left } = await browser.follow(await browser.ask(await sendForm(ofOther)));
  expect([response.status, left]).toEqual([401, undefined]);
  const asAcme = await logIn({ foreignKey: true, issuer: acme.issuer });
  expect(asAcme.left).toBeUndefined();
});

test('a callback without a response is refused', async () => {
  const { browser, request } = await press('acme');
  const state = request.searchParams.get('RelayState') ?? '';
  const { response } = await browser.follow(await browser.ask(`/as-login/provider/acme/callback?state=${state}`));
  expect(response.status).toBe(401);
});

test('RelayState and parameters lead nowhere else', async () => {
  const { left } = await logIn({ nameId: 'ada' });
  expect((left?.origin ?? '') + (left?.pathname ?? '')).toBe(CALLBACK);
});

test('a name that differs by a space is another one, and no name of a user', async () => {
  expect((await logIn({ nameId: 'ada' })).tokens).toBeDefined();
  for (const nameId of ['ada\u00a0', '\u3000ada', 'ada\ufeff']) {
    const lines = auth.log.length;
    const { response, left } = await logIn({ nameId });
    expect([response.status, left]).toEqual([401, undefined]);
    expect(auth.log.slice(lines).join()).toContain('"reason":"no-user-claim"');
  }
  // A document that was formatted has spaces and line ends around its texts.
  expect((await logIn({ nameId: '\n\t ada \n' })).tokens).toBeDefined();
});

test('a name with an element inside is refused', async () => {
  const { response, left } = await logIn({ nameId: 'ada<saml:b xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>' });
  expect([response.status, left]).toEqual([401, undefined]);
});

// Asserts contract/tokens.md#saml.
test('requests are signed with a key, and the certificate is in the metadata', async () => {
  const { request } = await press('other');
  expect(request.searchParams.get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256');
  expect(request.searchParams.get('Signature')).toEqual(expect.any(String));
  expect(requestXml(request)).toContain('>urn:lintel<');
  const metadata = await fetch(`${auth.url}/as-login/provider/other/metadata`);
  expect(metadata.headers.get('content-type')).toBe('application/samlmetadata+xml');
  const text = await metadata.text();
  expect(text).toContain('entityID="urn:lintel"');
  expect(text).toContain(`Location="${SP_BASE}/other/acs"`);
  expect(text).toContain('<ds:X509Certificate>');
  expect(text).not.toContain('PRIVATE');
  expect((await fetch(`${auth.url}/as-login/provider/unknown/metadata`)).status).toBe(400);
});

describe('a logout of the provider', () => {
  const post = async (xml: string, relayState = '') => {
    const form = { SAMLRequest: Buffer.from(xml).toString('base64'), RelayState: relayState };
    return auth.post('/as-login/provider/acme/single-logout', form, { client: null });
  };

  // Asserts contract/tokens.md#saml.
  test('ends the session at once', async () => {
    const { tokens, browser } = await logIn({ nameId: 'radia', sessionIndex: 'session-7' });
    const others = await logIn({ nameId: 'radia', sessionIndex: 'session-8' });
    const xml = acme.logoutRequest({ nameId: 'radia', sessionIndex: 'session-7' });
    const response = await post(xml, 'state of the provider');
    expect(response.status).toBe(200);
    expect(response.headers.get('refresh')).toMatch(/^0; url=http:\/\/127\.0\.0\.1:\d+\/logout\?SAMLResponse=/);
    expect(response.headers.get('refresh')).toContain('RelayState=state+of+the+provider');
    expect(await exchange(tokens.access_token)).toEqual(INVALID);
    expect((await exchange(others.tokens.access_token)).jwt).toEqual(expect.any(String));
    const { page } = await browser.follow(await browser.ask(authorization()));
    expect(page).toContain('name="password"');
    expect((await post(xml)).status).toBe(400);
    expect((await post(acme.logoutRequest({ nameId: 'radia' }))).status).toBe(200);
    expect(await exchange(others.tokens.access_token)).toEqual(INVALID);
  });

  // Asserts contract/tokens.md#saml.
  test('is refused where it is not one', async () => {
    const { tokens } = await logIn({ nameId: 'barbara' });
    const fields = { nameId: 'barbara' };
    const genuine = acme.logoutRequest({ nameId: 'nobody' });
    for (const xml of [
      'abc',
      '<a/>',
      acme.logoutRequest(fields, { after: (text) => text.replace('>barbara<', `>${'<a/>'.repeat(2_000)}barbara<`) }),
      acme.logoutRequest(fields, { sign: false }),
      acme.logoutRequest(fields, { foreignKey: true }),
      acme.logoutRequest(fields, { issuer: 'https://other.example' }),
      acme.logoutRequest(fields, { destination: 'https://other.example' }),
      acme.logoutRequest(fields, { issued: -1_000 }),
      acme.logoutRequest({ nameId: 'nobody' }, { after: (text) => text.replace('>nobody<', '>barbara<') }),
      acme.logoutRequest({ nameId: 'barbara.evil' }, { after: (text) => text.replace('.evil', '<!---->.evil') }),
      acme.logoutRequest(fields, { sign: false }).replace('</samlp:LogoutRequest>', `${genuine}</samlp:LogoutRequest>`),
    ])
      expect([xml.slice(0, 20), (await post(xml)).status]).toEqual([xml.slice(0, 20), 400]);
    expect((await exchange(tokens.access_token)).jwt).toEqual(expect.any(String));
  });
});

test('contradictions of the settings name the member', async () => {
  const start = (properties: Record<string, string>) =>
    startAuth(testDatabase, { properties: { 'svc.auth.provider.bad.issuer': 'urn:bad', ...properties } });
  const saml = { 'svc.auth.provider.bad.kind': 'saml' };
  await expect(start({})).rejects.toThrow(/svc\.auth\.provider\.bad\.client-id: is required/);
  await expect(start(saml)).rejects.toThrow(/bad\.metadata-url/);
  const keyFile = { 'svc.auth.provider.bad.signing-certificate-file': other.certificateFile };
  await expect(start({ ...saml, ...keyFile })).rejects.toThrow(/signing-key and signing-certificate-file belong/);
});

test('no line of the log has a message or an attribute', () => {
  expect(auth.log.join()).not.toMatch(/SAMLResponse|givenName|grace@|PHNhbWx/);
});
