import { createHash, type Hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { PlatformError } from '@lintel/errors';

/** Algorithms of RFC 9530 with the length of their digests; other ones are ignored, as the RFC requires. */
const ALGORITHMS: ReadonlyMap<string, { readonly hash: string; readonly bytes: number }> = new Map([
  ['sha-256', { hash: 'sha256', bytes: 32 }],
  ['sha-512', { hash: 'sha512', bytes: 64 }],
  ['md5', { hash: 'md5', bytes: 16 }],
]);

/** `name=:base64:` of a dictionary (RFC 8941), with any parameters. */
const MEMBER = /^\s*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):\s*(?:;.*)?$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A digest that a request announces for its body, with the hash that is compared with it. */
interface ExpectedDigest {
  readonly header: string;
  readonly hash: Hash;
  readonly digest: Buffer;
}

/**
 * Reads `Content-Digest` (RFC 9530) and the older `Content-MD5` of a request.
 *
 * @throws FILE_INVALID_UPLOAD if one is malformed
 */
export function expectedDigests(headers: IncomingHttpHeaders): readonly ExpectedDigest[] {
  const expected: ExpectedDigest[] = [];
  const contentDigest = headers['content-digest'];
  for (const member of contentDigest === undefined ? [] : String(contentDigest).split(',')) {
    const [, name, text] = MEMBER.exec(member) ?? [];
    if (name === undefined || text === undefined) throw unreadable('Content-Digest');
    const algorithm = ALGORITHMS.get(name);
    if (algorithm === undefined) continue;
    const digest = Buffer.from(text, 'base64');
    if (digest.length !== algorithm.bytes) throw unreadable('Content-Digest');
    expected.push({ header: 'Content-Digest', hash: createHash(algorithm.hash), digest });
  }
  const contentMd5 = headers['content-md5'];
  if (contentMd5 !== undefined) {
    const text = String(contentMd5).trim();
    const digest = Buffer.from(text, 'base64');
    if (!BASE64.test(text) || digest.length !== 16) throw unreadable('Content-MD5');
    expected.push({ header: 'Content-MD5', hash: createHash('md5'), digest });
  }
  return expected;
}

const unreadable = (header: string): PlatformError =>
  new PlatformError('FILE_INVALID_UPLOAD', `The header ${header} cannot be read`);
