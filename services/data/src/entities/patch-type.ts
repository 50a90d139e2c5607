import { PlatformError } from '@lintel/errors';
import type { RequestHandler } from 'express';

/** RFC 7396. */
const MERGE_PATCH = 'application/merge-patch+json';

/** RFC 6902. */
export const JSON_PATCH = 'application/json-patch+json';

/** The types of patches, of an instance and of a collection. */
const PATCHES = [MERGE_PATCH, JSON_PATCH] as const;

/** The value of `Accept-Patch`. */
const ACCEPT_PATCH = PATCHES.join(', ');

/** Names the types of patches in the responses to OPTIONS, which Express sends with the methods of the routes. */
export const announcePatchTypes: RequestHandler = (request, response, next) => {
  if (request.method === 'OPTIONS' && request.path === '/') response.setHeader('Accept-Patch', ACCEPT_PATCH);
  next();
};

/**
 * The type of a patch, which decides what its body means; PATCH has no default type.
 *
 * @throws PlatformError REQ_UNSUPPORTED_MEDIA_TYPE with `Accept-Patch` (RFC 5789 §2.2)
 */
export function assertPatchType(contentType: string | undefined): (typeof PATCHES)[number] {
  const [name = ''] = (contentType ?? '').split(';', 1);
  const type = PATCHES.find((one) => one === name.trim().toLowerCase());
  if (type !== undefined) return type;
  throw new PlatformError('REQ_UNSUPPORTED_MEDIA_TYPE', `The Content-Type of PATCH must be ${PATCHES.join(' or ')}`, {
    headers: { 'Accept-Patch': ACCEPT_PATCH },
  });
}
