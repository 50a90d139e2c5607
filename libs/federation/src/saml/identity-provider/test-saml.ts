import { X509Certificate } from 'node:crypto';
import type { ProviderProblem } from '@lintel/contracts';
import { problemOf } from '../../administration/problem-of.ts';
import { ProviderFailure } from '../../providers/provider-failure.ts';
import type { SamlSettings } from '../saml-settings.ts';
import { readProvider } from './identity-provider-source.ts';
import type { IdentityProvider } from './read-metadata.ts';

/** Reads the metadata of a provider as a login does, and returns what is wrong. */
export async function testSaml(
  settings: SamlSettings & { readonly issuer: string },
  nowMs: number,
): Promise<readonly ProviderProblem[]> {
  const { 'metadata-url': url } = settings;
  const what = url === undefined ? 'metadata-file' : new URL(url).host;
  let provider: IdentityProvider;
  try {
    provider = await readProvider(settings);
  } catch (error) {
    const problem = problemOf(error, what);
    // The sentences of the metadata reader are made here, and have nothing of the document.
    const isRead = problem.code === 'other' && error instanceof ProviderFailure;
    return [isRead ? { code: error.problem ?? 'document', message: sentence(error.message) } : problem];
  }
  return keyProblems(provider, nowMs);
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A provider that changes its key has several certificates: one that is valid is enough. */
function keyProblems({ certificates }: IdentityProvider, nowMs: number): readonly ProviderProblem[] {
  const isValid = (pem: string): boolean => {
    const { validFromDate, validToDate } = new X509Certificate(pem);
    return validFromDate.getTime() <= nowMs && nowMs <= validToDate.getTime();
  };
  if (certificates.some(isValid)) return [];
  return [{ code: 'keys', message: 'No certificate of the provider is valid now: all have expired or begin later' }];
}
