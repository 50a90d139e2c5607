import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigurationError } from '@lintel/config';
import type { SamlSettings } from './saml-settings.ts';

/** The key that signs requests, with the certificate by which providers verify them. */
export interface SigningKey {
  readonly privateKey: string;
  readonly publicCert: string;
}

/**
 * Undefined without a key.
 *
 * @throws ConfigurationError if the two cannot be read, or do not belong together
 */
export function signingKeyOf(name: string, settings: SamlSettings): SigningKey | undefined {
  const { 'signing-key': key, 'signing-certificate-file': file } = settings;
  if (key === undefined || file === undefined) return undefined;
  const privateKey = `${key.trim()}\n`;
  try {
    const parsed = createPrivateKey(privateKey);
    if (parsed.asymmetricKeyType !== 'rsa') throw new Error('expected an RSA key');
    const publicCert = readFileSync(file, 'utf8');
    if (!new X509Certificate(publicCert).checkPrivateKey(parsed))
      throw new Error('the certificate is that of another key');
    return { privateKey, publicCert };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError([
      `svc.auth.provider.${name}: signing-key and signing-certificate-file (${file}): ${reason}`,
    ]);
  }
}
