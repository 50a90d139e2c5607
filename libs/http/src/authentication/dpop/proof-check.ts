import { PlatformError } from '@lintel/errors';
import { DESCRIPTION_INVALID } from '../../responses/send-error.ts';
import type { PresentedToken } from './presented-token.ts';
import { MAX_PROOF_AGE_SECONDS, PROOF_ALGORITHMS, verifyProof } from './verify-proof.ts';

/** How long a used proof is remembered: longer than it is accepted, with the tolerance of clocks. */
export const PROOF_MEMORY_SECONDS = MAX_PROOF_AGE_SECONDS * 2;

export interface ProofCheckOptions {
  /** Origin by which clients call the server: that of the issuer. */
  readonly issuer: string;
  /** Remembers a key for `PROOF_MEMORY_SECONDS`; false if it is known. */
  readonly isFirstUse: (key: string) => Promise<boolean>;
  readonly clock: { now(): number };
}

/** The parts of a request that a proof must be for. */
export interface ProofRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Checks that a request presents its token as the token demands (RFC 9449 §7). */
export interface ProofCheck {
  /**
   * Returns undefined for a bearer token that is presented as one, which needs no proof.
   *
   * @param thumbprint of the key that the token is bound to; undefined for a bearer token
   * @throws PlatformError AUTH_INVALID_TOKEN with the challenge `DPoP`; as a rejection
   */
  assertPresented(
    request: ProofRequest,
    presented: PresentedToken,
    thumbprint: string | undefined,
  ): Promise<void> | undefined;
}

/** A proof must be for the public address of the request, by the key of the token, and is accepted once. */
export function createProofCheck({ issuer, isFirstUse, clock }: ProofCheckOptions): ProofCheck {
  const { origin } = new URL(issuer);
  async function assertProof(
    { method = '', url = '', headers }: ProofRequest,
    { scheme, token }: PresentedToken,
    thumbprint: string | undefined,
  ): Promise<void> {
    // Neither kind of token is accepted instead of the other one.
    if (scheme === 'bearer' || thumbprint === undefined) throw refusal('invalid_token', DESCRIPTION_INVALID);
    const request = { method, url: `${origin}${url}`, accessToken: token, nowMs: clock.now() };
    const proof = await verifyProof(headers['dpop'], request);
    if (proof?.thumbprint !== thumbprint || !(await isFirstUse(proof.replayKey)))
      throw refusal('invalid_dpop_proof', 'Invalid DPoP proof');
  }
  return {
    assertPresented: (request, presented, thumbprint) =>
      presented.scheme === 'bearer' && thumbprint === undefined
        ? undefined
        : assertProof(request, presented, thumbprint),
  };
}

const refusal = (error: string, description: string): PlatformError =>
  new PlatformError('AUTH_INVALID_TOKEN', description, {
    headers: {
      'WWW-Authenticate': `DPoP realm="oauth2-resource", error="${error}", error_description="${description}", algs="${PROOF_ALGORITHMS.join(' ')}"`,
    },
  });
