import { createHash, timingSafeEqual } from 'node:crypto';
import type { Logger } from '@lintel/telemetry';
import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import type { Clock } from '../../ports.ts';
import { isStorable, isSubject } from '../identity/is-storable.ts';
import { createKeptValue } from '../providers/kept-value.ts';
import { type LoginProvider, type ProviderLogin, providerPath } from '../providers/login-provider.ts';
import { ProviderFailure, toProviderFailure } from '../providers/provider-failure.ts';
import { CLOCK_TOLERANCE_SECONDS, discover } from './discover.ts';
import type { OpenIdProviderSettings } from './provider-settings.ts';

/** A logout that the provider reports. */
export interface ProviderLogout {
  readonly subject: string | undefined;
  readonly sid: string | undefined;
  readonly id: string;
}

/** One OpenID provider. Its methods throw `ProviderFailure`. */
export interface OpenIdProvider extends LoginProvider {
  readonly settings: OpenIdProviderSettings;
  /** Undefined if the provider has ended the login. */
  refresh(refreshToken: string, subject: string): Promise<Pick<ProviderLogin, 'claims' | 'refreshToken'> | undefined>;
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
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const LOGOUT_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

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
  const keysOf = createKeySets();
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
    begin: () =>
      guarded(async (config) => {
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
      }),
    complete: (query, { state, nonce, verifier }) =>
      guarded(async (config) => {
        const tokens = await openid.authorizationCodeGrant(config, new URL(`${callback}${query}`), {
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
      }),
    refresh: (refreshToken, subject) =>
      guarded(async (config) => {
        try {
          const tokens = await openid.refreshTokenGrant(config, refreshToken);
          const claims = tokens.id_token === undefined ? {} : claimsOf(tokens);
          if ('sub' in claims && claims['sub'] !== subject) throw new ProviderFailure('refused', 'another subject');
          const next = { refreshToken: tokens.refresh_token ?? refreshToken };
          if (!settings['user-info']) return { claims, ...next };
          try {
            return {
              claims: { ...(await openid.fetchUserInfo(config, tokens.access_token, subject)), ...claims },
              ...next,
            };
          } catch (error) {
            // The provider may accept only the new refresh token from now on, so it is not lost.
            logger.warn(
              { error: toProviderFailure(error), provider: name },
              'userinfo of a provider could not be read',
            );
            return { claims: {}, ...next };
          }
        } catch (error) {
          if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') return undefined;
          throw error;
        }
      }),
    verifyLogout: (token) =>
      guarded(async (config) => {
        const { issuer, jwks_uri: keys } = config.serverMetadata();
        if (keys === undefined) throw new ProviderFailure('refused', 'the provider has no keys');
        const { payload } = await jwtVerify(token, keysOf(keys), {
          issuer,
          audience: settings['client-id'],
          algorithms: LOGOUT_ALGORITHMS,
          requiredClaims: ['iat', 'jti', 'events'],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          maxTokenAge: MAX_LOGOUT_AGE_SECONDS,
          currentDate: new Date(clock.now()),
        });
        return logoutOf(payload, decodeProtectedHeader(token).typ);
      }),
  };
}

/** How old a logout token may be; its id is remembered longer, so that it is used once. */
const MAX_LOGOUT_AGE_SECONDS = 300;

/** The keys of an address, which it is asked for seldom, whatever tokens are sent to us. */
function createKeySets(): (address: string) => ReturnType<typeof createRemoteJWKSet> {
  let current: { readonly address: string; readonly keys: ReturnType<typeof createRemoteJWKSet> } | undefined;
  return (address) => {
    if (current?.address !== address) current = { address, keys: createRemoteJWKSet(new URL(address)) };
    return current.keys;
  };
}

/** Names the metadata, and so `issuer` of the configuration, as the reason. */
function refuseMetadata(error: unknown): never {
  const { kind, message } = toProviderFailure(error);
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  const isOfAnother = code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
  const reason = isOfAnother ? 'issuer' : cause instanceof Response ? cause.status : message;
  throw new ProviderFailure(kind, `metadata ${reason}`, { cause: error });
}

interface Tokens extends Pick<openid.TokenEndpointResponseHelpers, 'claims'> {
  readonly access_token: string;
  readonly id_token?: string;
}

/** The verified claims of the ID token, which must be of the access token where it says so. */
function claimsOf(tokens: Tokens): JWTPayload & { readonly sub: string } {
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) throw new ProviderFailure('refused', 'no ID token');
  if (claims['at_hash'] !== undefined && !isHashOf(claims['at_hash'], tokens.access_token, tokens.id_token))
    throw new ProviderFailure('refused', 'at_hash');
  return claims as unknown as JWTPayload & { readonly sub: string };
}

/** OpenID Connect Core 3.1.3.6: the left half of the hash of the algorithm of the signature. */
function isHashOf(given: unknown, accessToken: string, idToken: string): boolean {
  const { alg = '' } = decodeProtectedHeader(idToken);
  const bits = alg === 'EdDSA' || alg === 'Ed25519' ? '512' : alg.slice(-3);
  if (typeof given !== 'string' || !['256', '384', '512'].includes(bits)) return false;
  const digest = createHash(`sha${bits}`).update(accessToken).digest();
  const expected = Buffer.from(digest.subarray(0, digest.length / 2).toString('base64url'));
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** OpenID Connect Back-Channel Logout 1.0, section 2.6. */
function logoutOf(payload: JWTPayload, type: string | undefined): ProviderLogout {
  const { events, sub, jti, nonce, sid } = payload;
  const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
  const isOther = type !== undefined && type.toLowerCase() !== 'logout+jwt' && type.toLowerCase() !== 'jwt';
  const logout = { subject: sub, sid: typeof sid === 'string' ? sid : undefined, id: jti ?? '' };
  if (!isLogout || isOther || nonce !== undefined || (logout.subject === undefined && logout.sid === undefined))
    throw new ProviderFailure('refused', 'no logout token');
  if (![logout.subject, logout.sid].every((text) => text === undefined || isStorable(text)))
    throw new ProviderFailure('refused', 'a subject or session that cannot be stored');
  return logout;
}
