import { readFile } from 'node:fs/promises';
import { createKeptValue, type KeptValue, type KeptValueOptions } from '../providers/kept-value.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { type IdentityProvider, pemCertificates, readMetadata } from './read-metadata.ts';
import type { SamlSettings } from './saml-settings.ts';

const METADATA_MS = 60 * 60_000;
const MIN_RENEWAL_MS = 30_000;
const TIMEOUT_MS = 10_000;
const MAX_METADATA_BYTES = 4 * 1024 * 1024;

/** Where a SAML provider is, and its certificates. Its methods throw ProviderFailure `unavailable`. */
export function createIdentityProviderSource(
  settings: SamlSettings & { readonly issuer: string },
  options: Pick<KeptValueOptions, 'clock' | 'provider' | 'logger'>,
): KeptValue<IdentityProvider> {
  return createKeptValue(() => readProvider(settings), {
    ...options,
    maxAgeMs: METADATA_MS,
    minIntervalMs: MIN_RENEWAL_MS,
  });
}

async function readProvider(settings: SamlSettings & { readonly issuer: string }): Promise<IdentityProvider> {
  const { 'metadata-url': url, 'metadata-file': file, 'sign-on-url': signOnUrl } = settings;
  try {
    if (url !== undefined) return readMetadata(await fetchText(url), settings.issuer);
    if (file !== undefined) return readMetadata(await readFile(file, 'utf8'), settings.issuer);
    const certificates = pemCertificates(await readFile(settings['issuer-certificate-file'] ?? '', 'utf8'));
    if (certificates.length === 0)
      throw new ProviderFailure('unavailable', 'issuer-certificate-file has no certificate');
    return { signOnUrl: signOnUrl ?? '', logoutUrl: settings['logout-url'], certificates };
  } catch (error) {
    const reason = error instanceof ProviderFailure ? error.message : 'the metadata of the provider cannot be read';
    throw new ProviderFailure('unavailable', reason, { cause: error });
  }
}

/** Without redirects, which could lead to an address without TLS. */
async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok || response.body === null) throw new Error(`the status of ${url} is ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > MAX_METADATA_BYTES) throw new Error(`the response of ${url} is too large`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
