import { NAME, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Request } from 'express';

const NO_LOGIN = 'The caller has no login: name a user with `username`';

/** Clients and calls without a token have no login; a user may have the name of a client. */
export function ownNameOf({ kind, username }: Principal, details = NO_LOGIN): string {
  if (kind !== 'user') throw new PlatformError('ACCESS_DENIED', details);
  return username;
}

/**
 * The user that a request names with `username`; undefined if it names none, or the caller.
 *
 * @param assertMayManage throws if the caller has no rights on what belongs to other users
 */
export function otherUserOf(
  request: Pick<Request, 'query'>,
  principal: Principal,
  assertMayManage: (principal: Principal) => void,
): string | undefined {
  const named = textOf(request, 'username');
  if (named === undefined || (principal.kind === 'user' && named === principal.username)) return undefined;
  assertMayManage(principal);
  return named;
}

/**
 * A text in the query.
 *
 * @param schema by default of a name, such as the one of a user
 * @throws PlatformError REQ_INVALID_PARAMETER
 */
export function textOf(
  { query }: Pick<Request, 'query'>,
  name: string,
  { maxLength }: { readonly maxLength: number } = NAME,
): string | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > maxLength)
    throw new PlatformError('REQ_INVALID_PARAMETER', `${name} must be one text of 1 to ${maxLength} characters`);
  if (value.includes('\0')) throw new PlatformError('REQ_INVALID_PARAMETER', `${name} must not have a NUL character`);
  return value;
}
