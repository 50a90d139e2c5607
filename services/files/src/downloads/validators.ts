import { PlatformError } from '@lintel/errors';
import { matchesEntityTag } from '@lintel/http';
import type { BlobInfo } from '../storage/blob-store.ts';

/** The request headers that compare validators (RFC 9110 §13). */
export interface Conditions {
  readonly ifMatch: string | undefined;
  readonly ifUnmodifiedSince: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
  readonly ifRange: string | undefined;
}

export const etagOf = (blob: BlobInfo): string => `"${blob.tag}"`;

/** HTTP dates have whole seconds. */
const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000);

/** @throws REQ_PRECONDITION_FAILED if the file is not the one that the client requires */
export function assertPreconditions({ ifMatch, ifUnmodifiedSince }: Conditions, blob: BlobInfo): void {
  const since = Date.parse(ifUnmodifiedSince ?? '');
  const holds =
    ifMatch === undefined
      ? Number.isNaN(since) || secondsOf(blob.lastModified) <= since / 1000
      : matchesEntityTag(ifMatch, etagOf(blob));
  if (!holds) throw new PlatformError('REQ_PRECONDITION_FAILED', 'The file is another one');
}

/** Whether the copy of the client is current, so that the response has the status 304. */
export function isNotModified(conditions: Conditions, blob: BlobInfo): boolean {
  if (conditions.ifNoneMatch !== undefined) return matchesEntityTag(conditions.ifNoneMatch, etagOf(blob));
  const since = Date.parse(conditions.ifModifiedSince ?? '');
  return !Number.isNaN(since) && secondsOf(blob.lastModified) <= since / 1000;
}

/** Whether a range may be served: without `If-Range`, or where the part of the client belongs to the same bytes. */
export function allowsRange(conditions: Conditions, blob: BlobInfo): boolean {
  const { ifRange } = conditions;
  if (ifRange === undefined) return true;
  if (ifRange.startsWith('"')) return ifRange === etagOf(blob);
  return Date.parse(ifRange) / 1000 === secondsOf(blob.lastModified);
}
