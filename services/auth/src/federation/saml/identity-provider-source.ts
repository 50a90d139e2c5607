import { readFile } from 'node:fs/promises';
import type { Clock } from '../../ports.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { type IdentityProvider, pemCertificates, readMetadata } from './read-metadata.ts';
import type { SamlSettings } from './saml-settings.ts';

/** Where a SAML provider is, and its certificates. */
export interface IdentityProviderSource {
  /** @throws ProviderFailure `unavailable` if they were never read and cannot be */
  current(): Promise<IdentityProvider>;
  /** Reads again, since a signature is unknown; undefined if that was done a short time ago, or failed. */
  renewed(): Promise<IdentityProvider | undefined>;
}

const METADATA_MS = 60 * 60_000;
const MIN_RENEWAL_MS = 30_000;
const TIMEOUT_MS = 10_000;
const MAX_METADATA_BYTES = 4 * 1024 * 1024;

export function createIdentityProviderSource(
  settings: SamlSettings & { readonly issuer: string },
  clock: Clock,
): IdentityProviderSource {
  let known: { readonly value: Promise<IdentityProvider>; readonly atMs: number } | undefined;

  /** If reading fails, what was known before stays in use. */
  async function load(): Promise<{ readonly value: IdentityProvider; readonly isNew: boolean }> {
    const before = known;
    const value = readProvider(settings);
    known = { value, atMs: clock.now() };
    try {
      return { value: await value, isNew: true };
    } catch (error) {
      known = before === undefined ? undefined : { ...before, atMs: clock.now() };
      if (before === undefined) throw error;
      return { value: await before.value, isNew: false };
    }
  }

  return {
    async current() {
      if (known !== undefined && clock.now() - known.atMs < METADATA_MS) return known.value;
      return (await load()).value;
    },
    async renewed() {
      if (known !== undefined && clock.now() - known.atMs < MIN_RENEWAL_MS) return undefined;
      const { value, isNew } = await load();
      return isNew ? value : undefined;
    },
  };
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
