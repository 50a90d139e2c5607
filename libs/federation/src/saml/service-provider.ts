import type { SAML } from '@node-saml/node-saml';
import type { ProviderSettings } from '../provider-settings.ts';
import { providerPath } from '../providers/login-provider.ts';
import type { IdentityProvider } from './identity-provider/read-metadata.ts';
import type { SamlLibrary } from './saml-library.ts';
import { signingKeyOf } from './signing-key.ts';
import { CLOCK_TOLERANCE_MS } from './verification/read-assertion.ts';

/** Lintel as the service provider of one identity provider. */
export interface ServiceProvider {
  readonly entityId: string;
  /** Where browsers send the responses to login requests. */
  readonly consumerUrl: string;
  readonly logoutUrl: string;
  /** The library for one state of the identity provider; `requestId` is the id of a request that it writes. */
  createSaml(provider: IdentityProvider, requestId?: string): SAML;
  /** Metadata of Lintel for the identity provider. */
  metadata(): string;
}

export interface ServiceProviderDeps {
  readonly library: SamlLibrary;
  /** Public address of the gateway. */
  readonly publicUrl: string;
}

/** @throws ConfigurationError if the key that signs requests cannot be used */
export function createServiceProvider(
  name: string,
  settings: ProviderSettings,
  { library, publicUrl }: ServiceProviderDeps,
): ServiceProvider {
  const base = `${publicUrl}${providerPath(name)}`;
  const consumerUrl = `${base}/acs`;
  const logoutUrl = `${base}/single-logout`;
  const entityId = settings['client-id'] ?? `${base}/metadata`;
  const identifierFormat = settings['name-id-format'] ?? null;
  const signing = signingKeyOf(name, settings);
  return {
    entityId,
    consumerUrl,
    logoutUrl,
    createSaml: (provider, requestId) =>
      new library.SAML({
        issuer: entityId,
        audience: entityId,
        idpIssuer: settings.issuer,
        idpCert: [...provider.certificates],
        callbackUrl: consumerUrl,
        entryPoint: provider.signOnUrl,
        logoutUrl: provider.logoutUrl ?? '',
        identifierFormat,
        // Otherwise providers refuse users who log in with a second factor or a certificate.
        disableRequestedAuthnContext: true,
        acceptedClockSkewMs: CLOCK_TOLERANCE_MS,
        wantAssertionsSigned: true,
        wantAuthnResponseSigned: false,
        signatureAlgorithm: 'sha256',
        ...(requestId === undefined ? {} : { generateUniqueId: () => requestId }),
        ...signing,
      }),
    metadata: () =>
      library.generateServiceProviderMetadata({
        issuer: entityId,
        callbackUrl: consumerUrl,
        logoutCallbackUrl: logoutUrl,
        identifierFormat,
        wantAssertionsSigned: true,
        ...(signing === undefined ? {} : { privateKey: signing.privateKey, publicCerts: signing.publicCert }),
      }),
  };
}
