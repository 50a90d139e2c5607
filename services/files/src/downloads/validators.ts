import type { BlobInfo } from '../storage/blob-store.ts';

/** The request headers that compare validators (RFC 9110 §13). */
export interface Conditions {
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
  readonly ifRange: string | undefined;
}

export const etagOf = (blob: BlobInfo): string => `"${blob.tag}"`;

/** HTTP dates have whole seconds. */
const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000);

/** Whether the client's copy is current, so that 304 is the answer. */
export function isNotModified(conditions: Conditions, blob: BlobInfo): boolean {
  if (conditions.ifNoneMatch !== undefined) {
    const tags = conditions.ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return tags.includes('*') || tags.includes(etagOf(blob));
  }
  const since = Date.parse(conditions.ifModifiedSince ?? '');
  return !Number.isNaN(since) && secondsOf(blob.lastModified) <= since / 1000;
}

/** Whether a range may be served: without `If-Range`, or when the client's part is of these very bytes. */
export function allowsRange(conditions: Conditions, blob: BlobInfo): boolean {
  const { ifRange } = conditions;
  if (ifRange === undefined) return true;
  if (ifRange.startsWith('"')) return ifRange === etagOf(blob);
  return Date.parse(ifRange) / 1000 === secondsOf(blob.lastModified);
}
