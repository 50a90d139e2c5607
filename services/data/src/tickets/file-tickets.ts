import { type Principal, parseFileReference } from '@lintel/contracts';
import type { FileTickets } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import { parseTarget, type TicketTarget } from './parse-target.ts';
import type { Tickets } from './tickets.ts';

/** @throws PlatformError ACCESS_DENIED for calls without a token: they have no session that could end */
export function assertLogin({ kind }: Principal): void {
  if (kind === 'anonymous') throw new PlatformError('ACCESS_DENIED', 'A ticket stands for a login: send a token');
}

/** The URL of a request with its ticket. */
export const urlWith = (ticket: string, { url }: TicketTarget): string =>
  `${url}${url.includes('?') ? '&' : '?'}ticket=${ticket}`;

/**
 * Tickets with which application code grants one file to its caller (contract/tokens.md#file-tickets).
 *
 * @param path complete path of the files, e.g. `/rest/files`
 */
export const createFileTickets =
  (tickets: Tickets, path: string): FileTickets =>
  async (fileRef, { attachment = false }, { principal, token }) => {
    assertLogin(principal);
    const reference = parseFileReference(fileRef);
    if (reference === undefined)
      throw new PlatformError('FILE_INVALID_REFERENCE', `Cannot convert '${fileRef}' into valid file reference`);
    const query = new URLSearchParams({ fileRef, ...(attachment && { attachment: 'true' }) });
    const target = parseTarget({ url: `${path}?${query}` }, [path]);
    const file = `${reference.storage}://${reference.path}`;
    const { ticket, expiresIn } = await tickets.issue({ ...target, subjectToken: token, file });
    return { url: urlWith(ticket, target), expiresIn };
  };
