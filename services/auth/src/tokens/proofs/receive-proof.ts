import { verifyProof } from '@lintel/http';
import type { Request } from 'express';
import type { Clock } from '../../ports.ts';
import { OAuthFailure } from '../oauth/oauth-failure.ts';

export interface ReceiveProofDeps {
  readonly issuer: string;
  readonly isFirstUse: (key: string) => Promise<boolean>;
  readonly clock: Clock;
}

/**
 * The thumbprint of the key that a token request proves to have (RFC 9449 §5); undefined without a proof.
 *
 * @throws OAuthFailure invalid_dpop_proof for a proof that is wrong or was used before
 */
export async function receiveProof(
  { headers }: Pick<Request, 'headers'>,
  { issuer, isFirstUse, clock }: ReceiveProofDeps,
): Promise<string | undefined> {
  const { dpop: header } = headers;
  if (header === undefined) return undefined;
  const proof = await verifyProof(header, { method: 'POST', url: `${issuer}/oauth2/token`, nowMs: clock.now() });
  if (proof !== undefined && (await isFirstUse(proof.replayKey))) return proof.thumbprint;
  throw new OAuthFailure({ status: 400, error: 'invalid_dpop_proof', description: 'Invalid DPoP proof' });
}
