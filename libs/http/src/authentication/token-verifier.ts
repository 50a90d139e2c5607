import { hash } from 'node:crypto';
import { createCache, declareCache, type InvalidatedCache } from '@lintel/cache';
import { type AccessClaims, accessClaimsSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { type Clock, monotonicClock } from '@lintel/timing';
import { errors } from 'jose';
import { DESCRIPTION_EXPIRED, DESCRIPTION_INVALID } from '../responses/send-error.ts';
import { createJwksCache } from './jwks-cache.ts';
import { verifyJwt } from './verify-jwt.ts';

/** Checks the JWTs of auth. */
export interface TokenVerifier {
  /**
   * Claims of a valid token for one of the audiences.
   *
   * @throws PlatformError AUTH_INVALID_TOKEN (`Invalid access token` or `Access token expired`);
   *   AUTH_UNAVAILABLE while the signing keys could never be fetched
   */
  verify(token: string, ...audiences: readonly string[]): Promise<AccessClaims>;
}

/** A verifier that fetches the keys again when there are new ones. */
export interface RemoteTokenVerifier extends TokenVerifier {
  /** The caches of the keys and of verified tokens, to be attached to the bus. */
  readonly caches: readonly InvalidatedCache[];
}

export interface TokenVerifierOptions {
  readonly jwksUrl: string;
  readonly issuer: string;
  /** The time of day, for the expiry of tokens. */
  readonly clock?: Clock;
  /** For ages and waits. */
  readonly monotonicClock?: Clock;
  readonly fetch?: typeof globalThis.fetch;
}

/** Asymmetric only: a token signed with a public key as HMAC secret must never pass. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];

/** Maximum difference between the clocks of two processes (RFC 7519 §4.1.4). */
const CLOCK_LEEWAY_MS = 30_000;

const VERIFIED_TOKENS = declareCache({
  name: 'verified-tokens',
  holds: 'the claims of a JWT whose signature is valid',
  where: ['gateway', 'data', 'files', 'reports'],
  keyedBy: 'version of the signing keys, SHA-256 of the JWT',
  maxEntries: 10_000,
  invalidatedBy: ['auth.keys.rotated.v1'],
  staleness: 10 * 60_000,
  ownWrites: 'within a second: for keys that are withdrawn',
  whileAway: 'no source: the token and the keys suffice',
});

/**
 * Verifies signature, `typ: at+jwt`, issuer, audience and times, with a leeway of 30 seconds, since the clock of auth
 * may differ. A verified token is cached by its SHA-256 until it expires or the keys change, which saves about 100 µs
 * per request.
 */
export function createTokenVerifier(options: TokenVerifierOptions): RemoteTokenVerifier {
  const wallClock = options.clock ?? { now: () => Date.now() };
  const clock = options.monotonicClock ?? monotonicClock;
  const jwks = createJwksCache({
    jwksUrl: options.jwksUrl,
    clock,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const verified = createCache<string, AccessClaims, string>({
    declaration: VERIFIED_TOKENS,
    load: (_key, token) => checkSignature(token),
    clock,
    wallClock,
    expiresAtMs: ({ exp }) => exp * 1_000 + CLOCK_LEEWAY_MS,
  });

  return {
    async verify(token, ...audiences) {
      jwks.keepFresh();
      // The version is read before the check: where the keys change during it, the next use verifies again.
      const claims = await verified.get(`${jwks.version()} ${hash('sha256', token, 'base64url')}`, token);
      if (![claims.aud].flat().some((audience) => audiences.includes(audience)))
        throw new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_INVALID);
      return claims;
    },
    caches: [jwks.cache, verified],
  };

  async function checkSignature(token: string): Promise<AccessClaims> {
    try {
      const { payload } = await verifyJwt(token, jwks.keyOf, {
        issuer: options.issuer,
        typ: 'at+jwt',
        algorithms: ALGORITHMS,
        currentDate: new Date(wallClock.now()),
        clockTolerance: CLOCK_LEEWAY_MS / 1_000,
      });
      return Object.freeze(accessClaimsSchema.parse(payload));
    } catch (cause) {
      throw toTokenError(cause);
    }
  }
}

function toTokenError(cause: unknown): PlatformError {
  if (cause instanceof errors.JWTExpired)
    return new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_EXPIRED, { cause });
  if (cause instanceof errors.JOSEError || (cause instanceof Error && cause.name === 'ZodError'))
    return new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_INVALID, { cause });
  return new PlatformError('AUTH_UNAVAILABLE', 'The signing keys are not available', { cause });
}
