import { importJWK, type JWK } from 'jose';
import { FoundProblem } from './problem-of.ts';

const MAX_KEYS = 100;

/**
 * Asserts that a document with keys has one that can verify a signature.
 *
 * @throws FoundProblem
 */
export async function assertKeys(text: string): Promise<void> {
  let keys: unknown;
  try {
    ({ keys } = JSON.parse(text) as { readonly keys?: unknown });
  } catch {
    throw new FoundProblem('keys', 'The keys of the provider are no JSON document');
  }
  if (!Array.isArray(keys)) throw new FoundProblem('keys', 'The document with the keys of the provider has no keys');
  for (const key of keys.slice(0, MAX_KEYS)) if (await isUsable(key)) return;
  throw new FoundProblem('keys', 'The provider has no public key that verifies signatures');
}

const ALGORITHMS: Readonly<Record<string, string>> = { RSA: 'RS256', EC: 'ES256', OKP: 'EdDSA' };

async function isUsable(value: unknown): Promise<boolean> {
  if (typeof value !== 'object' || value === null) return false;
  const key = value as JWK;
  if (key.kty === undefined || !Object.hasOwn(ALGORITHMS, key.kty) || (key.use ?? 'sig') !== 'sig') return false;
  return importJWK(key, key.alg ?? ALGORITHMS[key.kty]).then(
    () => true,
    () => false,
  );
}
