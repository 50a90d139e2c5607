import { importOptional } from '@lintel/errors';

export type SamlLibrary = typeof import('@node-saml/node-saml');

/**
 * The library that signs and verifies messages, which only installations with SAML providers have.
 *
 * @throws MissingPackageError if it is not installed
 */
export const loadSamlLibrary = (): Promise<SamlLibrary> =>
  importOptional(
    { purpose: 'Logins at SAML providers', packages: ['@node-saml/node-saml@5.1.0'] },
    () => import('@node-saml/node-saml'),
  );
