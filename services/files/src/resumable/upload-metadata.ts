import { PlatformError } from '@lintel/errors';

/** Maximum length of the header `Upload-Metadata`. */
const MAX_LENGTH = 4096;
const KEY = /^[\x21-\x2b\x2d-\x7e]+$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const invalid = (reason: string): PlatformError =>
  new PlatformError('FILE_INVALID_UPLOAD', `The header Upload-Metadata ${reason}`);

/**
 * Parses the header `Upload-Metadata` of tus: keys with values in Base64, separated by commas.
 *
 * @throws FILE_INVALID_UPLOAD if it is malformed, too long, not UTF-8, or has a key twice
 */
export function parseUploadMetadata(header: string | undefined): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (header === undefined || header === '') return values;
  if (header.length > MAX_LENGTH) throw invalid(`is longer than ${MAX_LENGTH} characters`);
  for (const pair of header.split(',')) {
    const [key = '', encoded = '', ...more] = pair.trim().split(' ');
    if (!KEY.test(key) || more.length > 0) throw invalid('must have keys, each with a value in Base64');
    if (values.has(key)) throw invalid(`has the key "${key}" twice`);
    values.set(key, decoded(key, encoded));
  }
  return values;
}

function decoded(key: string, encoded: string): string {
  if (!BASE64.test(encoded)) throw invalid(`has a value of "${key}" that is not Base64`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    throw invalid(`has a value of "${key}" that is not UTF-8`);
  }
}
