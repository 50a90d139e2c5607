import { isStorable } from '@lintel/persistence';
import type { Logger } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import * as openid from 'openid-client';
import { isSubject } from '../identity/is-subject.ts';
import { createKeptValue } from '../providers/kept-value.ts';
import {
  type LoginProvider,
  type ProviderLogin,
  providerPath,
  type RequestSecrets,
} from '../providers/login-provider.ts';
import { ProviderFailure, toProviderFailure } from '../providers/provider-failure.ts';
import { claimsOf } from './claims-of-tokens.ts';
import { discover } from './discover.ts';
import { createLogoutVerifier, type ProviderLogout } from './logout-token.ts';
import type { OpenIdProviderSettings } from './provider-settings.ts';

/** What a refresh of a login returns. */
type RefreshedLogin = Pick<ProviderLogin, 'claims' | 'refreshToken'>;

/** One OpenID provider. Its methods throw `ProviderFailure`. */
export interface OpenIdProvider extends LoginProvider {
  readonly settings: OpenIdProviderSettings;
  /** Undefined if the provider has ended the login. */
  refresh(refreshToken: string, subject: string): Promise<RefreshedLogin | undefined>;
  verifyLogout(token: string): Promise<ProviderLogout>;
}

export interface OpenIdProviderDeps {
  /** Public address of the gateway. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Metadata is read again after this time; if that fails, the former metadata stays in use. */
const METADATA_MS = 60 * 60_000;
export function createOpenIdProvider(
  name: string,
  settings: OpenIdProviderSettings,
  { publicUrl, clock, logger }: OpenIdProviderDeps,
): OpenIdProvider {
  const callback = `${publicUrl}${providerPath(name)}/callback`;
  const configuration = createKeptValue(() => discover(settings).catch(refuseMetadata), {
    clock,
    maxAgeMs: METADATA_MS,
    minIntervalMs: METADATA_MS,
    provider: name,
    logger,
  });
  const verifyLogoutToken = createLogoutVerifier(settings['client-id'], clock);
  const guarded = async <T>(work: (config: openid.Configuration) => Promise<T>): Promise<T> => {
    try {
      return await work(await configuration.current());
    } catch (error) {
      throw toProviderFailure(error);
    }
  };
  return {
    name,
    title: settings.title ?? name,
    issuer: settings.issuer,
    settings,
    begin: () => guarded((config) => beginLogin(config, callback, settings)),
    complete: (query, secrets) =>
      guarded((config) => completeLogin(config, new URL(`${callback}${query}`), secrets, settings)),
    refresh: (refreshToken, subject) =>
      guarded(async (config) => {
        try {
          return await refreshLogin(config, refreshToken, subject, { name, settings, logger });
        } catch (error) {
          if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') return undefined;
          throw error;
        }
      }),
    verifyLogout: (token) => guarded((config) => verifyLogoutToken(config, token)),
  };
}

async function beginLogin(
  config: openid.Configuration,
  callback: string,
  settings: OpenIdProviderSettings,
): ReturnType<LoginProvider['begin']> {
  const verifier = openid.randomPKCECodeVerifier();
  const secrets = { state: openid.randomState(), nonce: openid.randomNonce(), verifier };
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: settings.scopes.join(' '),
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return { address: address.href, secrets };
}

async function completeLogin(
  config: openid.Configuration,
  address: URL,
  { state, nonce, verifier }: RequestSecrets,
  settings: OpenIdProviderSettings,
): Promise<ProviderLogin> {
  const tokens = await openid.authorizationCodeGrant(config, address, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = claimsOf(tokens);
  const { sid } = claims;
  if (!isSubject(claims.sub) || (typeof sid === 'string' && !isStorable(sid)))
    throw new ProviderFailure('refused', 'a subject or session that cannot be stored');
  const info = settings['user-info'] ? await openid.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
  return {
    subject: claims.sub,
    sid: typeof sid === 'string' ? sid : undefined,
    claims: { ...info, ...claims },
    refreshToken: tokens.refresh_token,
  };
}

/** Throws what the provider responds, for example `invalid_grant` if it has ended the login. */
async function refreshLogin(
  config: openid.Configuration,
  refreshToken: string,
  subject: string,
  { name, settings, logger }: Pick<OpenIdProvider, 'name' | 'settings'> & Pick<OpenIdProviderDeps, 'logger'>,
): Promise<RefreshedLogin> {
  const tokens = await openid.refreshTokenGrant(config, refreshToken);
  const claims = tokens.id_token === undefined ? {} : claimsOf(tokens);
  if ('sub' in claims && claims['sub'] !== subject) throw new ProviderFailure('refused', 'another subject');
  const next = { refreshToken: tokens.refresh_token ?? refreshToken };
  if (!settings['user-info']) return { claims, ...next };
  try {
    return { claims: { ...(await openid.fetchUserInfo(config, tokens.access_token, subject)), ...claims }, ...next };
  } catch (error) {
    // The provider may accept only the new refresh token from now on, so it is not lost.
    logger.warn({ error: toProviderFailure(error), provider: name }, 'userinfo of a provider could not be read');
    return { claims: {}, ...next };
  }
}

/** Names the metadata, and so `issuer` of the configuration, as the reason. */
function refuseMetadata(error: unknown): never {
  const { kind, message } = toProviderFailure(error);
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  const isOfAnother = code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
  const reason = isOfAnother ? 'issuer' : cause instanceof Response ? cause.status : message;
  throw new ProviderFailure(kind, `metadata ${reason}`, { cause: error });
}
