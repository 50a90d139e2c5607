import type { IdentityRules } from '../identity/identity-settings.ts';
import type { Claims } from '../identity/read-claim.ts';

/** What the response to a login request must repeat. The browser that began keeps it. */
export interface RequestSecrets {
  /** `state` of OpenID, `RelayState` of SAML. */
  readonly state: string;
  /** `nonce` of OpenID, the id of a SAML request. */
  readonly nonce: string;
  /** PKCE; empty for SAML. */
  readonly verifier: string;
}

/** A login that the provider has confirmed. */
export interface ProviderLogin {
  readonly subject: string;
  /** The session at the provider, which its logout names. */
  readonly sid: string | undefined;
  readonly claims: Claims;
  readonly refreshToken: string | undefined;
  /** When the session at the provider ends, and with it what began here; undefined if the provider does not say. */
  readonly endsAtMs?: number | undefined;
}

/** A provider to which browsers are sent. Its methods throw `ProviderFailure`. */
export interface LoginProvider {
  readonly name: string;
  readonly title: string;
  readonly settings: IdentityRules;
  /** The issuer of its subjects. That of SAML is another one, since a provider may have both with one name. */
  readonly issuer: string;
  begin(): Promise<{ readonly address: string; readonly secrets: RequestSecrets }>;
  /** @param query of the redirect to the callback */
  complete(query: string, secrets: RequestSecrets): Promise<ProviderLogin>;
}

/** Path of a provider below the login page. */
export const providerPath = (name: string): string => `/as-login/provider/${name}`;
