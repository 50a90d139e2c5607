import { readFile } from 'node:fs/promises';
import { fetchLimited } from '../../providers/fetch-limited.ts';
import { createKeptValue, type KeptValue, type KeptValueOptions } from '../../providers/kept-value.ts';
import { ProviderFailure } from '../../providers/provider-failure.ts';
import type { SamlSettings } from '../saml-settings.ts';
import { type IdentityProvider, readMetadata } from './read-metadata.ts';

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

/** @throws ProviderFailure `unavailable` naming the reason */
export async function readProvider(settings: SamlSettings & { readonly issuer: string }): Promise<IdentityProvider> {
  const { 'metadata-url': url, 'metadata-file': file = '' } = settings;
  try {
    const read = url === undefined ? readFile(file, 'utf8') : fetchLimited(url, MAX_METADATA_BYTES, TIMEOUT_MS);
    return readMetadata(await read, settings.issuer);
  } catch (error) {
    if (error instanceof ProviderFailure) throw error;
    throw new ProviderFailure('unavailable', 'the metadata of the provider cannot be read', { cause: error });
  }
}
