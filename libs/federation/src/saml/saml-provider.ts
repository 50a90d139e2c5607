import { randomBytes } from 'node:crypto';
import type { SAML } from '@node-saml/node-saml';
import type { FederationPorts } from '../federation-ports.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { LoginProvider, ProviderLogin } from '../providers/login-provider.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import type { SingleUse } from '../providers/single-use.ts';
import { createIdentityProviderSource } from './identity-provider/identity-provider-source.ts';
import type { IdentityProvider } from './identity-provider/read-metadata.ts';
import { createLoginResponses } from './login-responses.ts';
import type { SamlLibrary } from './saml-library.ts';
import { createServiceProvider } from './service-provider.ts';
import { messageOf } from './verification/parse-xml.ts';
import { type LogoutMessage, type SamlLogout, verifyLogout } from './verification/verify-logout.ts';
import { verifyResponse } from './verification/verify-response.ts';

/** One SAML identity provider. Its methods throw `ProviderFailure`. */
export interface SamlProvider extends LoginProvider {
  readonly settings: ProviderSettings;
  /**
   * Verifies the response to a login request; `complete` returns the result to the browser that began.
   *
   * @returns false if there is no such request, or a response was received before
   * @throws ProviderFailure for a response beyond the limits of messages; another one to the request is accepted
   */
  receive(response: string, state: string): Promise<boolean>;
  /** What the provider asks to log out. */
  verifyLogout(message: LogoutMessage): Promise<SamlLogout>;
  /** Where the provider expects the response to its logout; undefined if it has no such address. */
  logoutResponseUrl(logout: SamlLogout, relayState: string): Promise<string | undefined>;
  /** Metadata of Lintel for this provider. */
  metadata(): string;
}

export interface SamlProviderDeps
  extends Pick<FederationPorts, 'publicUrl' | 'clock' | 'logger' | 'keyValues' | 'cipher'> {
  readonly library: SamlLibrary;
  readonly singleUse: SingleUse;
}

/** @throws ConfigurationError if the key that signs requests cannot be used */
export function createSamlProvider(name: string, settings: ProviderSettings, deps: SamlProviderDeps): SamlProvider {
  const { library, publicUrl, clock, logger, singleUse } = deps;
  const serviceProvider = createServiceProvider(name, settings, { library, publicUrl });
  const { entityId, consumerUrl, logoutUrl, createSaml } = serviceProvider;
  const source = createIdentityProviderSource(settings, { clock, logger, provider: name });
  const responses = createLoginResponses(name, deps);

  /** Verifies with the known certificates, and once more with those that the provider may have added. */
  async function withCertificates<T>(verify: (saml: SAML, provider: IdentityProvider) => Promise<T>): Promise<T> {
    const provider = await source.current();
    try {
      return await verify(createSaml(provider), provider);
    } catch (error) {
      const isUnknown = error instanceof ProviderFailure && error.message === 'signature';
      const renewed = isUnknown ? await source.newerThan(provider) : undefined;
      if (renewed === undefined) throw error;
      return verify(createSaml(renewed), renewed);
    }
  }

  async function verified(response: string, requestId: string): Promise<ProviderLogin> {
    const { issuer } = settings;
    const expected = { issuer, audience: entityId, recipient: consumerUrl, requestId, nowMs: clock.now() };
    const { id, ...login } = await withCertificates((saml) => verifyResponse(saml, response, expected));
    if (!(await singleUse.claim(`assertion ${name}`, id))) throw new ProviderFailure('refused', 'replayed assertion');
    return { ...login, refreshToken: undefined };
  }

  return {
    name,
    title: settings.title ?? name,
    issuer: `saml:${settings.issuer}`,
    settings,
    async begin() {
      const provider = await source.current();
      const state = randomBytes(24).toString('base64url');
      const requestId = `_${randomBytes(20).toString('hex')}`;
      await responses.expect(state, requestId);
      const address = await createSaml(provider, requestId).getAuthorizeUrlAsync(state, undefined, {});
      return { address, secrets: { state, nonce: requestId, verifier: '' } };
    },
    async receive(response, state) {
      messageOf(response);
      return responses.receive(state, (requestId) => verified(response, requestId));
    },
    complete: (_query, { state, nonce }) => responses.take(state, nonce),
    verifyLogout: (message) =>
      withCertificates((saml, { certificates }) =>
        verifyLogout(message, {
          saml,
          certificates,
          issuer: settings.issuer,
          destination: logoutUrl,
          nowMs: clock.now(),
        }),
      ),
    async logoutResponseUrl({ id, issuer, nameId }, relayState) {
      const provider = await source.current();
      if (provider.logoutUrl === undefined) return undefined;
      const request = { ID: id, issuer, nameID: nameId, nameIDFormat: '' };
      return createSaml(provider).getLogoutResponseUrlAsync(request, relayState, {}, true);
    },
    metadata: serviceProvider.metadata,
  };
}
