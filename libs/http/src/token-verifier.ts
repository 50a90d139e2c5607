import { hash } from 'node:crypto';
import { type AccessClaims, accessClaimsSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { createJwksCache } from './jwks-cache.ts';
import { DESCRIPTION_EXPIRED, DESCRIPTION_INVALID } from './send-error.ts';

/** Checks the JWTs of auth. */
export interface TokenVerifier {
  /**
   * Claims of a valid token for `audience`.
   *
   * @throws PlatformError AUTH_INVALID_TOKEN (`Invalid access token` or `Access token expired`);
   *   AUTH_UNAVAILABLE while the signing keys could never be fetched
   */
  verify(token: string, audience: string): Promise<AccessClaims>;
}

/** A verifier that can be told to fetch the keys again, when `auth.keys.rotated.v1` arrives. */
export interface RemoteTokenVerifier extends TokenVerifier {
  refreshKeys(): Promise<void>;
}

export interface TokenVerifierOptions {
  readonly jwksUrl: string;
  readonly issuer: string;
  /** Milliseconds since the epoch. */
  readonly clock?: { now(): number };
  readonly fetch?: typeof globalThis.fetch;
}

/** Asymmetric only: a token signed with a public key as HMAC secret must never pass. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
const MAX_CACHED_TOKENS = 10_000;

interface Verified {
  readonly claims: AccessClaims;
  readonly keysVersion: number;
}

/**
 * Verifies signature, `typ: at+jwt`, issuer, audience and expiry. A verified token is remembered by its
 * SHA-256 until it expires or the keys change, which saves about 100 µs per request (design/performance.md §4).
 */
export function createTokenVerifier(options: TokenVerifierOptions): RemoteTokenVerifier {
  const nowMs = () => options.clock?.now() ?? Date.now();
  const jwks = createJwksCache({
    jwksUrl: options.jwksUrl,
    nowMs,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const verified = new LRUCache<string, Verified>({ max: MAX_CACHED_TOKENS });

  return {
    async verify(token, audience) {
      const key = hash('sha256', token, 'base64url');
      jwks.keepFresh();
      // Of before the check: keys that change meanwhile make it be done again.
      const keysVersion = jwks.version();
      const known = verified.get(key);
      let claims = known?.keysVersion === keysVersion ? known.claims : undefined;
      if (claims === undefined) {
        claims = await checkSignature(token);
        verified.set(key, { claims, keysVersion });
      }
      if (claims.exp * 1_000 <= nowMs()) {
        verified.delete(key);
        throw new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_EXPIRED);
      }
      if (!hasAudience(claims, audience)) throw new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_INVALID);
      return claims;
    },
    refreshKeys: () => jwks.refresh(),
  };

  async function checkSignature(token: string): Promise<AccessClaims> {
    try {
      const { payload } = await jwtVerify(token, jwks.keyOf, {
        issuer: options.issuer,
        typ: 'at+jwt',
        algorithms: ALGORITHMS,
        currentDate: new Date(nowMs()),
      });
      return Object.freeze(accessClaimsSchema.parse(payload));
    } catch (cause) {
      throw toTokenError(cause);
    }
  }
}

const hasAudience = (claims: AccessClaims, audience: string): boolean =>
  typeof claims.aud === 'string' ? claims.aud === audience : claims.aud.includes(audience);

function toTokenError(cause: unknown): PlatformError {
  if (cause instanceof errors.JWTExpired)
    return new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_EXPIRED, { cause });
  if (cause instanceof errors.JOSEError || (cause instanceof Error && cause.name === 'ZodError'))
    return new PlatformError('AUTH_INVALID_TOKEN', DESCRIPTION_INVALID, { cause });
  return new PlatformError('AUTH_UNAVAILABLE', 'The signing keys are not available', { cause });
}
