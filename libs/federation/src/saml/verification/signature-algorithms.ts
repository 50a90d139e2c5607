import type { Document } from '@xmldom/xmldom';
import { ProviderFailure } from '../../providers/provider-failure.ts';
import { allOf, attributeOf } from './parse-xml.ts';

const SIGNATURES: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
]);
const DIGESTS: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

/**
 * Refuses SHA-1, HMAC and all others that a library may accept.
 *
 * @throws ProviderFailure `algorithm`, or `signature` if there is none
 */
export function assertAlgorithms(document: Document): void {
  const methods = allOf(document, 'signature', 'SignatureMethod');
  if (methods.length === 0) throw new ProviderFailure('refused', 'signature');
  const isAccepted =
    methods.every((method) => SIGNATURES.has(attributeOf(method, 'Algorithm') ?? '')) &&
    allOf(document, 'signature', 'DigestMethod').every((method) => DIGESTS.has(attributeOf(method, 'Algorithm') ?? ''));
  if (!isAccepted) throw new ProviderFailure('refused', 'algorithm');
}
