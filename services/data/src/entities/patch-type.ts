import { PlatformError } from '@lintel/errors';

/** RFC 7396. */
export const MERGE_PATCH = 'application/merge-patch+json';

/** RFC 6902. */
export const JSON_PATCH = 'application/json-patch+json';

/** The types of patches of an instance. */
export const PATCHES_OF_ONE = [MERGE_PATCH, JSON_PATCH] as const;
/** Those of a collection. */
export const PATCHES_OF_MANY = [MERGE_PATCH] as const;

/** The value of `Accept-Patch`. */
export const acceptPatch = (isCollection: boolean): string =>
  (isCollection ? PATCHES_OF_MANY : PATCHES_OF_ONE).join(', ');

/**
 * The type of a patch, which decides what its body means; PATCH has no default type.
 *
 * @param accepted the types of the resource
 * @throws PlatformError REQ_UNSUPPORTED_MEDIA_TYPE with `Accept-Patch` (RFC 5789 §2.2)
 */
export function assertPatchType<Type extends string>(contentType: string | undefined, accepted: readonly Type[]): Type {
  const [name = ''] = (contentType ?? '').split(';', 1);
  const type = accepted.find((one) => one === name.trim().toLowerCase());
  if (type !== undefined) return type;
  throw new PlatformError('REQ_UNSUPPORTED_MEDIA_TYPE', `The Content-Type of PATCH must be ${accepted.join(' or ')}`, {
    headers: { 'Accept-Patch': accepted.join(', ') },
  });
}
