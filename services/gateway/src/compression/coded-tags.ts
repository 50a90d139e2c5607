import type { IncomingHttpHeaders } from 'node:http';
import { CODINGS, type Coding } from './choose-coding.ts';

/**
 * Entity tags of coded bytes. A strong tag must not be the same for two sequences of bytes (RFC 9110 §8.8.3.3),
 * so coded bytes have the tag of the service with `--gzip`, `--br` or `--zstd` appended. The suffix is removed from
 * tags in requests before they are forwarded, so that a service compares its own tags.
 */
const ENDING = new RegExp(`--(?:${CODINGS.join('|')})"`, 'g');

/** The tag of the coded bytes. */
export const codedTag = (tag: string, coding: Coding): string =>
  tag.endsWith('"') ? `${tag.slice(0, -1)}--${coding}"` : tag;

/**
 * Replaces tags of coded bytes in `If-Match` and `If-None-Match` by those of the service. `If-Range` is not changed:
 * a range of the plain bytes must never be appended to coded bytes.
 *
 * @returns `If-None-Match` as it was sent, if it has changed
 */
export function takeCodedTags(headers: IncomingHttpHeaders): string | undefined {
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined) headers['if-match'] = ifMatch.replace(ENDING, '"');
  const sent = headers['if-none-match'];
  if (sent === undefined) return undefined;
  const plain = sent.replace(ENDING, '"');
  if (plain === sent) return undefined;
  headers['if-none-match'] = plain;
  return sent;
}

/** The tag of a 304: the one that the client has cached, which may be that of the coded bytes. */
export function tagOfNotModified(tag: string, sentIfNoneMatch: string): string {
  const clientTags = sentIfNoneMatch.split(',').map((item) => item.trim().replace(/^W\//, ''));
  if (clientTags.includes(tag)) return tag;
  return CODINGS.map((coding) => codedTag(tag, coding)).find((coded) => clientTags.includes(coded)) ?? tag;
}
