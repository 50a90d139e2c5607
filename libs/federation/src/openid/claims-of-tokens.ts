import { createHash } from 'node:crypto';
import { isSameSecret } from '@lintel/http';
import { decodeProtectedHeader, type JWTPayload } from 'jose';
import type { TokenEndpointResponseHelpers } from 'openid-client';
import { ProviderFailure } from '../providers/provider-failure.ts';

interface Tokens extends Pick<TokenEndpointResponseHelpers, 'claims'> {
  readonly access_token: string;
  readonly id_token?: string;
}

/**
 * The verified claims of the ID token, which must be of the access token and of this client where it says so.
 *
 * @throws ProviderFailure without an ID token, or with one of another access token or client, or of the future
 */
export function claimsOf(tokens: Tokens): JWTPayload & { readonly sub: string } {
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) throw new ProviderFailure('refused', 'no ID token');
  if (claims['at_hash'] !== undefined && !isHashOf(claims['at_hash'], tokens.access_token, tokens.id_token))
    throw new ProviderFailure('refused', 'at_hash');
  // The library has compared `aud` with the client, and `azp` only where there are several audiences.
  const { azp, aud, iat = 0 } = claims;
  if (azp !== undefined && !Array.isArray(aud) && azp !== aud) throw new ProviderFailure('refused', 'azp');
  if (iat > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS) throw new ProviderFailure('refused', 'iat');
  return claims as unknown as JWTPayload & { readonly sub: string };
}

const CLOCK_TOLERANCE_SECONDS = 30;

/** OpenID Connect Core 3.1.3.6: the left half of the hash of the algorithm of the signature. */
function isHashOf(given: unknown, accessToken: string, idToken: string): boolean {
  const { alg = '' } = decodeProtectedHeader(idToken);
  const bits = alg === 'EdDSA' || alg === 'Ed25519' ? '512' : alg.slice(-3);
  if (typeof given !== 'string' || !['256', '384', '512'].includes(bits)) return false;
  const digest = createHash(`sha${bits}`).update(accessToken).digest();
  return isSameSecret(given, digest.subarray(0, digest.length / 2).toString('base64url'));
}
