import { isVerifyingKey } from '@lintel/http';
import { createLocalJWKSet, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';

/** Algorithms of assertions: no shared secret, and no `none`. */
export const ASSERTION_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/** Members that only private and shared keys have (RFC 7518). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Whether a text is a JSON Web Key Set of public keys. */
export function isPublicKeySet(text: string): boolean {
  const set = keySetOf(text);
  return (
    set !== undefined &&
    set.keys.length > 0 &&
    set.keys.every((key) => typeof key.kty === 'string' && PRIVATE_MEMBERS.every((member) => !(member in key)))
  );
}

/** Whether each key of a set can verify an algorithm of assertions. */
export const isUsableKeySet = (text: string): boolean => keySetOf(text)?.keys.every(isUsable) === true;

const isUsable = (key: JWK): boolean => key.kty !== 'AKP' && isVerifyingKey({ ...key });

/** Finds the key that a client has signed with, among those that can verify. */
export const keyFinderOf = (text: string): JWTVerifyGetKey =>
  createLocalJWKSet({ keys: (JSON.parse(text) as JSONWebKeySet).keys.filter(isUsable) });

function keySetOf(text: string): JSONWebKeySet | undefined {
  try {
    const { keys } = JSON.parse(text) as { readonly keys?: unknown };
    if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'object' && key !== null)) return undefined;
    return { keys };
  } catch {
    // It is no JSON, or no object.
    return undefined;
  }
}
