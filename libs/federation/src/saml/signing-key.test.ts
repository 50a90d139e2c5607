import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type SamlIdentityProvider, startSamlIdentityProvider } from '../../test/saml-identity-provider.ts';
import { SAML_SETTINGS, type SamlSettings } from './saml-settings.ts';
import { signingKeyOf } from './signing-key.ts';

let pair: SamlIdentityProvider;
beforeAll(async () => {
  pair = await startSamlIdentityProvider('acme');
});
afterAll(() => pair.close());

const none = Object.fromEntries(Object.keys(SAML_SETTINGS).map((member) => [member, undefined]));
const keyOf = (key: string, file: string) =>
  signingKeyOf('acme', { ...none, 'signing-key': key, 'signing-certificate-file': file } as SamlSettings);

test('a key and its certificate are returned', () => {
  const key = readFileSync(pair.keyFile, 'utf8');
  expect(keyOf(` ${key}`, pair.certificateFile)).toEqual({
    privateKey: key,
    publicCert: readFileSync(pair.certificateFile, 'utf8'),
  });
  expect(signingKeyOf('acme', none as unknown as SamlSettings)).toBeUndefined();
});

test('a key that cannot sign, or has another certificate, ends the start with the name of the properties', () => {
  const pem = (type: 'rsa' | 'ed25519') => {
    const { privateKey } =
      type === 'rsa' ? generateKeyPairSync(type, { modulusLength: 2048 }) : generateKeyPairSync(type);
    return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  };
  const refusal =
    (key: string, file = pair.certificateFile) =>
    () =>
      keyOf(key, file);
  expect(refusal('abc')).toThrow(/^.*svc\.auth\.provider\.acme: signing-key/s);
  expect(refusal(pem('ed25519'))).toThrow('expected an RSA key');
  expect(refusal(pem('rsa'))).toThrow('the certificate is that of another key');
  expect(refusal(readFileSync(pair.keyFile, 'utf8'), '/nowhere/saml.crt')).toThrow('/nowhere/saml.crt');
});
