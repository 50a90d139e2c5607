import type { BasicCredentials } from './client.ts';

/** The parsed `Authorization` header of a token request. */
export type BasicHeader =
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed' }
  | ({ readonly kind: 'credentials' } & BasicCredentials);

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Reads `Basic base64(id:secret)`. Another scheme counts as no client authentication. */
export function parseBasicHeader(header: string | undefined): BasicHeader {
  const match = /^basic(?:\s+(.*))?$/i.exec(header?.trim() ?? '');
  if (match === null) return { kind: 'absent' };
  const encoded = match[1]?.trim() ?? '';
  if (!BASE64.test(encoded)) return { kind: 'malformed' };
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return { kind: 'malformed' };
  return { kind: 'credentials', clientId: text.slice(0, colon), clientSecret: text.slice(colon + 1) };
}
