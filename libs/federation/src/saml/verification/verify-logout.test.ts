import { sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { type SamlIdentityProvider, SP_BASE, startSamlIdentityProvider } from '../../../test/saml-identity-provider.ts';
import { loadSamlLibrary } from '../saml-library.ts';
import { type LogoutMessage, verifyLogout } from './verify-logout.ts';

let acme: SamlIdentityProvider;
beforeAll(async () => {
  acme = await startSamlIdentityProvider('acme');
});
afterAll(() => acme.close());

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const RSA_SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';

/** A query of the binding HTTP-Redirect, as a provider signs it. */
function signedQuery(xml: string, { algorithm = RSA_SHA256, digest = 'sha256' } = {}): string {
  const message = deflateRawSync(Buffer.from(xml)).toString('base64');
  const text = `SAMLRequest=${encodeURIComponent(message)}&RelayState=a%20b&SigAlg=${encodeURIComponent(algorithm)}`;
  const signature = sign(digest, Buffer.from(text), readFileSync(acme.keyFile, 'utf8')).toString('base64');
  return `${text}&Signature=${encodeURIComponent(signature)}`;
}

async function verified(message: string | LogoutMessage) {
  const { SAML } = await loadSamlLibrary();
  const certificates = [readFileSync(acme.certificateFile, 'utf8')];
  const saml = new SAML({ issuer: 'lintel', callbackUrl: 'https://lintel.example', idpCert: [...certificates] });
  const destination = `${SP_BASE}/acme/single-logout`;
  const expected = { saml, certificates, issuer: acme.issuer, destination, nowMs: Date.now() };
  return verifyLogout(typeof message === 'string' ? { binding: 'redirect', query: message } : message, expected);
}

const request = (nameId = 'grace') => acme.logoutRequest({ nameId, sessionIndex: 'session-1' }, { sign: false });

// Asserts contract/tokens.md#saml.
test('a signed redirect is a logout of the sessions that it names', async () => {
  expect(await verified(signedQuery(request()))).toMatchObject({ nameId: 'grace', sids: ['session-1'] });
});

// Asserts contract/tokens.md#saml.
test.each<[string, () => string, string]>([
  ['without a signature', () => signedQuery(request()).replace(/&Signature=.*/, ''), 'signature'],
  ['without an algorithm', () => signedQuery(request()).replace(/&SigAlg=[^&]+/, ''), 'signature'],
  ['with SHA-1', () => signedQuery(request(), { algorithm: RSA_SHA1, digest: 'sha1' }), 'algorithm'],
  ['with another state', () => signedQuery(request()).replace('a%20b', 'c'), 'signature'],
  ['with a second message', () => `${signedQuery(request())}&SAMLRequest=abc`, 'repeated parameter'],
  [
    'with an encoding that is none',
    () => signedQuery(request()).replace(/Signature=.*/, 'Signature=%'),
    'logout request',
  ],
  ['with a message that unpacks without end', () => signedQuery(' '.repeat(1_000_000)), 'logout request'],
  ['that is no request', () => signedQuery('<a/>'), 'no logout request'],
  ['without a message', () => '', 'no logout request'],
])('a redirect %s is refused', async (_case, query, reason) => {
  await expect(verified(query())).rejects.toMatchObject({ kind: 'refused', message: reason });
});

test('a form with more elements than a logout needs is refused before its signature is verified', async () => {
  const xml = acme.logoutRequest({ nameId: 'grace', sessionIndex: 'session-1' });
  const formOf = (text: string) => ({ binding: 'post', request: Buffer.from(text).toString('base64') }) as const;
  expect(await verified(formOf(xml))).toMatchObject({ nameId: 'grace' });
  const large = xml.replace(/<\/[^<]*$/, (end) => '<a/>'.repeat(200) + end);
  await expect(verified(formOf(large))).rejects.toMatchObject({
    message: expect.stringMatching(/^xml: .*200 elements/),
  });
});
