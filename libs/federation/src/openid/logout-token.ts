import { verifyJwt } from '@lintel/http';
import { isStorable } from '@lintel/persistence';
import type { Clock } from '@lintel/timing';
import { decodeProtectedHeader, type JWTPayload } from 'jose';
import type { Configuration } from 'openid-client';
import { remoteKeys } from '../providers/fetch-limited.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { CLOCK_TOLERANCE_SECONDS } from './discover.ts';

/** A logout that the provider reports. */
export interface ProviderLogout {
  readonly subject: string | undefined;
  readonly sid: string | undefined;
  readonly id: string;
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const LOGOUT_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** How old a logout token may be; its id is remembered longer, so that it is used once. */
const MAX_LOGOUT_AGE_SECONDS = 300;

/**
 * Creates the check of the logout tokens of one provider, which keeps its keys. It throws `ProviderFailure`, or the error
 * of a signature or claim that is wrong.
 */
export function createLogoutVerifier(
  clientId: string,
  clock: Clock,
): (config: Configuration, token: string) => Promise<ProviderLogout> {
  const keysOf = createKeySets();
  return async (config, token) => {
    const { issuer, jwks_uri: keys } = config.serverMetadata();
    if (keys === undefined) throw new ProviderFailure('refused', 'the provider has no keys');
    const { payload } = await verifyJwt(token, keysOf(keys), {
      issuer,
      audience: clientId,
      algorithms: LOGOUT_ALGORITHMS,
      requiredClaims: ['iat', 'jti', 'events'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: MAX_LOGOUT_AGE_SECONDS,
      currentDate: new Date(clock.now()),
    });
    return logoutOf(payload, decodeProtectedHeader(token).typ);
  };
}

/** The keys of an address: they are fetched seldom, whatever tokens are received. */
function createKeySets(): (address: string) => ReturnType<typeof remoteKeys> {
  let current: { readonly address: string; readonly keys: ReturnType<typeof remoteKeys> } | undefined;
  return (address) => {
    if (current?.address !== address) current = { address, keys: remoteKeys(address) };
    return current.keys;
  };
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
