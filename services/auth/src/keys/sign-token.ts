import { type AccessClaims, accessClaimsSchema } from '@lintel/contracts';
import { verifyJwt } from '@lintel/http';
import { createLocalJWKSet, errors, type JWK, SignJWT } from 'jose';
import type { Clock, IdSource } from '../ports.ts';
import type { KeyRing } from './key-ring.ts';

/** A signed token and its expiry. */
export interface SignedToken {
  readonly jwt: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

export interface TokenClaims {
  readonly sub: string;
  readonly aud: string;
  readonly client_id: string;
  readonly sid: string;
  readonly scope?: string | undefined;
  readonly acr?: string | undefined;
  readonly amr?: readonly string[] | undefined;
  readonly auth_time?: number | undefined;
  /** Undefined: a new one is created. */
  readonly jti?: string;
  readonly act?: { readonly sub: string };
  readonly run?: string;
  readonly file?: string | undefined;
  /** The key that the token is bound to (RFC 9449 §6.1). */
  readonly cnf?: { readonly jkt: string };
}

export interface VerifyOptions {
  readonly ignoreExpiration?: boolean;
}

/** Signs and verifies the JWTs that services and clients receive (RFC 9068, `typ: at+jwt`). */
export interface TokenSigner {
  sign(claims: TokenClaims, expiresAt: number): Promise<SignedToken>;
  /**
   * The claims of a token that this service signed for one of the audiences; undefined if it is not valid now or,
   * with `ignoreExpiration`, where it never was.
   */
  verify(jwt: string, audiences: readonly string[], options?: VerifyOptions): Promise<AccessClaims | undefined>;
}

export interface TokenSignerDeps {
  readonly keys: KeyRing;
  readonly issuer: string;
  readonly clock: Clock;
  readonly ids: IdSource;
}

const TYPE = 'at+jwt';

export function createTokenSigner({ keys, issuer, clock, ids }: TokenSignerDeps): TokenSigner {
  let verifying: { readonly of: readonly JWK[]; readonly jwks: ReturnType<typeof createLocalJWKSet> } | undefined;
  const knownKeys = (): ReturnType<typeof createLocalJWKSet> => {
    const of = keys.publicJwks();
    if (verifying?.of !== of) verifying = { of, jwks: createLocalJWKSet({ keys: [...of] }) };
    return verifying.jwks;
  };
  return {
    async sign(claims, expiresAt) {
      const { kid, privateKey } = keys.current();
      const jwt = await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'RS256', kid, typ: TYPE })
        .setIssuer(issuer)
        .setIssuedAt(Math.floor(clock.now() / 1000))
        .setExpirationTime(expiresAt)
        .setJti(claims.jti ?? ids.next())
        .sign(privateKey);
      return { jwt, expiresAt };
    },
    async verify(jwt, audiences, { ignoreExpiration = false } = {}) {
      try {
        const { payload } = await verifyJwt(jwt, knownKeys(), {
          issuer,
          audience: [...audiences],
          typ: TYPE,
          algorithms: ['RS256'],
          // At time 0 no token has expired.
          currentDate: new Date(ignoreExpiration ? 0 : clock.now()),
          nowMs: clock.now(),
        });
        return accessClaimsSchema.parse(payload);
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
