import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWK } from 'jose';
import { verifyJwt } from '../verify-jwt.ts';

/** Algorithms of proofs: no shared secret, and no `none` (RFC 9449 §4.2). */
export const PROOF_ALGORITHMS = ['ES256', 'EdDSA', 'PS256', 'RS256'] as const;

/** Age up to which a proof is accepted; its `jti` is remembered for twice as long. */
export const MAX_PROOF_AGE_SECONDS = 60;
/** How far the clock of a client may be ahead. */
const CLOCK_TOLERANCE_SECONDS = 10;
const MAX_PROOF_LENGTH = 4_096;
const MAX_ID_LENGTH = 256;
/** Characters of the public exponent of an RSA key: 36 bits. Its length decides the work of a verification. */
const MAX_EXPONENT_LENGTH = 6;

/** The request that a proof must be for. */
export interface ProvenRequest {
  readonly method: string;
  /** URL by which clients call the server; a query is ignored. */
  readonly url: string;
  /** Access token of a request to a resource; absent at the token endpoint. */
  readonly accessToken?: string | undefined;
  readonly nowMs: number;
}

/** A valid proof. Whether it was used before must be checked by `replayKey`. */
export interface Proof {
  /** SHA-256 thumbprint of the key (RFC 7638). */
  readonly thumbprint: string;
  /** Identifies the proof; the same proof always has the same one. */
  readonly replayKey: string;
}

/**
 * Verifies a proof of possession (RFC 9449 §4.3); undefined if it is not valid.
 *
 * @param proof value of the header `DPoP`; several headers are no proof
 */
export async function verifyProof(
  proof: string | readonly string[] | undefined,
  request: ProvenRequest,
): Promise<Proof | undefined> {
  if (typeof proof !== 'string' || proof.length > MAX_PROOF_LENGTH) return undefined;
  try {
    const { payload, protectedHeader } = await verifyJwt(proof, keyOf, {
      typ: 'dpop+jwt',
      algorithms: [...PROOF_ALGORITHMS],
      currentDate: new Date(request.nowMs),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: MAX_PROOF_AGE_SECONDS,
      requiredClaims: ['jti', 'htm', 'htu', 'iat'],
    });
    const { jti, htm, htu, ath } = payload;
    if (typeof jti !== 'string' || jti === '' || jti.length > MAX_ID_LENGTH || htm !== request.method) return undefined;
    if (typeof htu !== 'string' || targetOf(htu) === undefined || targetOf(htu) !== targetOf(request.url))
      return undefined;
    if (request.accessToken !== undefined && ath !== digestOf(request.accessToken)) return undefined;
    const thumbprint = await calculateJwkThumbprint(protectedHeader['jwk'] as JWK, 'sha256');
    return { thumbprint, replayKey: digestOf(JSON.stringify([thumbprint, jti])) };
  } catch (error) {
    // What the client sent is no proof: the key may be of any kind, and jose reports it as it finds it.
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
      return undefined;
    throw error;
  }
}

/** The key in the header of a proof; refuses one with which the verification would be a lot of work. */
const keyOf: typeof EmbeddedJWK = async (header, token) => {
  const exponent: unknown = header?.jwk?.e ?? '';
  if (typeof exponent !== 'string' || exponent.length > MAX_EXPONENT_LENGTH)
    throw new errors.JWSInvalid('The exponent of the key is too large');
  return EmbeddedJWK(header, token);
};

/** Origin and path of a URL in one spelling; undefined if it is none. */
function targetOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
