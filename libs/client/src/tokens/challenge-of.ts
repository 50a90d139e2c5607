import { toBase64Url } from '../connection/paths.ts';

/** The challenge of a verifier by the method `S256` (RFC 7636). */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return toBase64Url(new Uint8Array(digest));
}
