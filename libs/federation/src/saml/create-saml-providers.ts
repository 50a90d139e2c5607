import type { ProviderSettings } from '../provider-settings.ts';
import { loadSamlLibrary } from './saml-library.ts';
import type { SamlProvider, SamlProviderDeps } from './saml-provider.ts';

/**
 * The SAML providers among all.
 *
 * @throws MissingPackageError if there are some, and the library is not installed
 */
export async function createSamlProviders(
  providers: Readonly<Record<string, ProviderSettings>>,
  deps: Omit<SamlProviderDeps, 'library'>,
): Promise<ReadonlyMap<string, SamlProvider>> {
  const settings = Object.entries(providers).filter(([, { kind }]) => kind === 'saml');
  if (settings.length === 0) return new Map();
  const [library, { createSamlProvider }] = await Promise.all([loadSamlLibrary(), import('./saml-provider.ts')]);
  return new Map(settings.map(([name, each]) => [name, createSamlProvider(name, each, { ...deps, library })]));
}
