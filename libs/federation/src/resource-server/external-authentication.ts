import { ACR_VALUES, type Acr, isAcr } from '@lintel/contracts';
import { type Claims, readClaim, textsOf } from '../identity/read-claim.ts';
import type { ExternalClaims } from './external-verifier.ts';

/** What the values of a claim of the issuer mean. */
export interface AcrRules {
  readonly acrClaim: string;
  /** Items `gold=urn:lintel:acr:2fa`; the value `*` stands for all tokens. */
  readonly acrValues: readonly string[];
}

const ALL_TOKENS = '*';

/**
 * How strongly the issuer has authenticated the user of a token, and when, as claims of our JWT. Values that are not in
 * the table count only if they are ours; of several values the strongest one counts.
 */
export function externalAuthentication(
  claims: Claims & Pick<ExternalClaims, 'iat'>,
  { acrClaim, acrValues }: AcrRules,
): { readonly acr: Acr | undefined; readonly auth_time: number | undefined } {
  const given = new Set([ALL_TOKENS, ...(textsOf(readClaim(claims, acrClaim)) ?? [])]);
  const known = new Set([...given].filter(isAcr));
  for (const item of acrValues) {
    const { value, acr } = readAcrItem(item);
    if (given.has(value) && isAcr(acr)) known.add(acr);
  }
  const time = claims['auth_time'];
  return {
    acr: ACR_VALUES.findLast((acr) => known.has(acr)),
    // The user was authenticated before the token was issued.
    auth_time: typeof time === 'number' ? Math.min(time, claims.iat) : undefined,
  };
}

/** The parts of an item of the table: the value may contain equals signs, ours do not. */
export function readAcrItem(item: string): { readonly value: string; readonly acr: string } {
  const at = item.lastIndexOf('=');
  return { value: item.slice(0, at).trim(), acr: item.slice(at + 1).trim() };
}
