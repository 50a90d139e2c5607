import { PlatformError } from '@lintel/errors';
import type { Entity } from '@lintel/metadata';
import { entityTag, type Instance } from '@lintel/reading';
import { readLocal } from './read-back/read-saved.ts';
import { shownVersion } from './read-back/shown-version.ts';
import type { StoredRow } from './rows/rows.ts';
import type { WriteScope } from './scope/write-scope.ts';
import type { WriteCall } from './write-call.ts';

/** The parts of `"<version>.<hash>"`; weak tags count as strong ones. */
const partsOf = (tag: string): { readonly version: string; readonly hash: string } | undefined => {
  const match = /^"([^".]*)\.([^"]*)"$/.exec(tag.trim().replace(/^W\//, ''));
  return match === null ? undefined : { version: match[1] ?? '', hash: match[2] ?? '' };
};

/**
 * Compares `If-Match` with the stored instance: the version alone, or, if the caller may view no version, the hash of
 * the caller's `_local` representation (contract/decisions.md#54).
 *
 * @param shown the version as in the caller's entity tags; called only if there is a header
 * @param local reads that representation; called only if there is no version
 * @throws PlatformError REQ_PRECONDITION_FAILED
 */
export async function checkIfMatch(
  header: string | undefined,
  shown: () => string | undefined,
  local: () => Promise<Instance | undefined>,
): Promise<void> {
  if (header === undefined || header.trim() === '*') return;
  const tags = header.split(',').flatMap((tag) => partsOf(tag) ?? []);
  const version = shown();
  if (version !== undefined) {
    if (tags.some((tag) => tag.version === version)) return;
  } else {
    const instance = await local();
    const hash = instance === undefined ? undefined : partsOf(entityTag(instance))?.hash;
    if (hash !== undefined && tags.some((tag) => tag.hash === hash)) return;
  }
  throw new PlatformError('REQ_PRECONDITION_FAILED', 'The instance has changed since it was read');
}

/**
 * Compares `If-Match` with a stored row.
 *
 * @param asked the entity that the request names
 * @throws PlatformError REQ_PRECONDITION_FAILED
 */
export const checkRowMatches = (
  header: string | undefined,
  row: StoredRow,
  asked: Entity,
  scope: WriteScope,
  { principal, deps }: Pick<WriteCall, 'principal' | 'deps'>,
): Promise<void> =>
  checkIfMatch(
    header,
    () => shownVersion(row, asked, scope.model, deps.read.loadAccess(principal)),
    () => readLocal(row, principal, scope, deps),
  );
