import { PlatformError } from '@lintel/errors';
import { verifyJwt } from '@lintel/http';
import type { Logger } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import { decodeJwt, errors, type JWTPayload } from 'jose';
import { isSubject } from '../identity/is-subject.ts';
import { fetchLimited, MAX_RESPONSE_BYTES, remoteKeys } from '../providers/fetch-limited.ts';
import type { ResourceServerConfig } from './resource-server-settings.ts';

/** The claims of an access token of the issuer. */
export interface ExternalClaims extends JWTPayload {
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
}

/** Verifies access tokens of one other issuer (RFC 9068 §4). */
export interface ExternalVerifier {
  /** Whether a token claims to be from the issuer; nothing is verified. */
  isOurs(token: string): boolean;
  /** @throws PlatformError AUTH_UNAVAILABLE if the keys of the issuer cannot be loaded now */
  verify(token: string): Promise<ExternalClaims | 'invalid' | 'expired'>;
}

/** Signatures by private keys only: with `HS256`, the public key of the issuer could serve as the secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/at+jwt']);
/** Claims by which tokens of other kinds are recognized: ID tokens, logout tokens. */
const OF_OTHER_TOKENS = ['nonce', 'at_hash', 'c_hash', 'events'] as const;
/** Values of the claim `typ` of Keycloak for other kinds of tokens. */
const OTHER_TYPES: ReadonlySet<unknown> = new Set(['ID', 'Refresh', 'Offline', 'Logout']);
const TIMEOUT_MS = 5_000;
/**
 * Keys are loaded again after this time; if that fails, the known ones stay in use. A token of an unknown key loads them
 * earlier, at most once per half minute.
 */
const KEYS_MAX_AGE_MS = 10 * 60_000;
const KEYS_COOLDOWN_MS = 30_000;
const FAILURE_COOLDOWN_MS = 1_000;

type KeySet = ReturnType<typeof remoteKeys>;

interface ExternalVerifierPorts {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

export function createExternalVerifier(
  config: ResourceServerConfig & { readonly issuer: string },
  { clock, logger }: ExternalVerifierPorts,
): ExternalVerifier {
  const { issuer, audience, clockToleranceMs } = config;
  const keySet = createKeySetSource(config, { clock, logger });

  async function claimsOf(token: string): Promise<ExternalClaims | 'invalid' | 'expired'> {
    const keys = await keySet();
    try {
      const { payload, protectedHeader } = await verifyJwt(token, keys, {
        issuer,
        audience: [...audience],
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp', 'iat'],
        clockTolerance: clockToleranceMs / 1000,
        currentDate: new Date(clock.now()),
      });
      return isAccessToken(payload, protectedHeader.typ) ? (payload as ExternalClaims) : 'invalid';
    } catch (error) {
      if (error instanceof errors.JWTExpired) return 'expired';
      if (isUnavailable(error)) throw unavailable(error);
      if (error instanceof errors.JOSEError || error instanceof TypeError) return 'invalid';
      throw error;
    }
  }

  return {
    isOurs: (token) => issuerOf(token) === issuer,
    verify: claimsOf,
  };
}

function isAccessToken(payload: JWTPayload, type: string | undefined): payload is ExternalClaims {
  if (type !== undefined && !TYPES.has(type.toLowerCase())) return false;
  if (!isSubject(payload.sub)) return false;
  // A token that is bound to a key of its client needs a proof, which the gateway does not check.
  if ('cnf' in payload) return false;
  return !OF_OTHER_TOKENS.some((name) => name in payload) && !OTHER_TYPES.has(payload['typ']);
}

/** The keys of the issuer, found at first use and loaded again when they are old. */
function createKeySetSource(
  { issuer, jwksUrl }: ResourceServerConfig & { readonly issuer: string },
  { clock, logger }: ExternalVerifierPorts,
): () => Promise<KeySet> {
  let found: Promise<KeySet> | undefined;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  let reloadAtMs = Number.POSITIVE_INFINITY;
  async function reloaded(known: Promise<KeySet>): Promise<KeySet> {
    const keys = await known;
    if (clock.now() < reloadAtMs) return keys;
    reloadAtMs = clock.now() + KEYS_COOLDOWN_MS;
    try {
      await keys.reload();
      reloadAtMs = clock.now() + KEYS_MAX_AGE_MS;
    } catch (error) {
      // The known keys stay in use, and the next attempt follows soon.
      logger.warn({ error, issuer }, 'the keys of an issuer could not be loaded again');
    }
    return keys;
  }
  return () => {
    if (found !== undefined) return reloaded(found);
    if (clock.now() - failedAtMs < FAILURE_COOLDOWN_MS) throw unavailable(new Error('discovery has just failed'));
    found = (jwksUrl === undefined ? discover(issuer) : Promise.resolve(jwksUrl)).then((url) => {
      reloadAtMs = clock.now() + KEYS_MAX_AGE_MS;
      return remoteKeys(url, {
        timeoutDuration: TIMEOUT_MS,
        cacheMaxAge: Infinity,
        cooldownDuration: KEYS_COOLDOWN_MS,
      });
    });
    return found.catch((error: unknown) => {
      found = undefined;
      failedAtMs = clock.now();
      throw unavailable(error);
    });
  };
}

/** OpenID Connect Discovery; the document must be of the same issuer. */
async function discover(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = JSON.parse(await fetchLimited(address, MAX_RESPONSE_BYTES, TIMEOUT_MS)) as {
    readonly issuer?: unknown;
    readonly jwks_uri?: unknown;
  };
  if (document.issuer !== issuer) throw new Error(`${address} is of another issuer`);
  if (typeof document.jwks_uri !== 'string' || new URL(document.jwks_uri).protocol !== new URL(issuer).protocol)
    throw new Error(`${address} names no keys`);
  return document.jwks_uri;
}

/** The issuer that a JWT names; undefined if it is none. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    // The text is no JWT.
    return undefined;
  }
}

/** Whether the keys could not be loaded, as opposed to a token that does not fit them. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof errors.JWKSTimeout ||
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
  (error instanceof TypeError && error.message === 'fetch failed');

const unavailable = (cause: unknown): PlatformError =>
  new PlatformError('AUTH_UNAVAILABLE', 'The token cannot be checked now', { cause });
