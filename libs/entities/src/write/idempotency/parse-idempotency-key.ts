import { PlatformError } from '@lintel/errors';

const MAX_LENGTH = 255;
const VISIBLE = /^[\x21-\x7e]+$/;
/** A string of RFC 9651, as the draft of the header writes it; without escapes. */
const QUOTED = /^"([^"\\]*)"$/;

/**
 * The key of `Idempotency-Key`, quoted or not.
 *
 * @returns undefined if the header was not sent
 * @throws PlatformError REQ_INVALID_IDEMPOTENCY_KEY; also if it was sent twice
 */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = Array.isArray(header) ? header.join(', ') : header;
  const key = QUOTED.exec(text)?.[1] ?? text;
  if (key.length > MAX_LENGTH || !VISIBLE.test(key))
    throw new PlatformError(
      'REQ_INVALID_IDEMPOTENCY_KEY',
      `Idempotency-Key must be 1 to ${MAX_LENGTH} visible ASCII characters`,
    );
  return key;
}
