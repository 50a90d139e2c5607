import { isUtf8 } from 'node:buffer';
import { PlatformError } from '@lintel/errors';

/** Encoded bytes, or bytes as they are, beyond ASCII. */
const BEYOND_ASCII = /%[89a-f][0-9a-f]|[\u0080-\uffff]/i;
const ENCODED = /%([0-9a-f]{2})/gi;

/** The error of a request with a query string whose bytes are not UTF-8: parameters would silently have other values. */
export function queryErrorOf({ url = '' }: { readonly url?: string | undefined }): PlatformError | undefined {
  const start = url.indexOf('?');
  if (start < 0 || !BEYOND_ASCII.test(url)) return undefined;
  for (const pair of url.slice(start + 1).split('&')) {
    const bytes = pair.replace(ENCODED, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
    if (isUtf8(Buffer.from(bytes, 'latin1'))) continue;
    const name = /^[\w.-]{1,100}/.exec(pair)?.[0] ?? '';
    return new PlatformError('REQ_INVALID_PARAMETER', `Parameter '${name}' is not text in UTF-8`);
  }
  return undefined;
}
