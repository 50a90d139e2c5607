import type { TicketRequest } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { ExactObject } from '@lintel/query';

/** The request for which a ticket is to stand. */
export type TicketTarget = Pick<TicketRequest, 'method' | 'url'>;

/** As long as the gateway accepts a request target by default. */
const MAX_URL_LENGTH = 8_000;
const METHODS = ['GET', 'HEAD'] as const;
/** Parameters with which the gateway would identify the caller. */
const OWN_PARAMETERS = ['ticket', 'access_token'];

/** The members of the body. */
export const TICKET_MEMBERS: ReadonlySet<string> = new Set(['method', 'url']);

/**
 * The target as a browser sends it: `url` is normalized as URLs of pages are (WHATWG URL).
 *
 * @param paths below which requests may have tickets: files, reports and feeds of changes
 * @throws PlatformError REQ_INVALID_PARAMETER naming the member
 */
export function parseTarget({ method = 'GET', url }: ExactObject, paths: readonly string[]): TicketTarget {
  const name = METHODS.find((one) => one === method);
  if (name === undefined) throw refuse("'method' must be GET or HEAD");
  if (typeof url !== 'string' || !url.startsWith('/') || url.length > MAX_URL_LENGTH)
    throw refuse(
      `'url' must be a path with its query, such as ${paths[0]}?fileRef=…, of at most ${MAX_URL_LENGTH} characters`,
    );
  const base = 'http://ticket.invalid';
  const parsed = URL.canParse(url, base) ? new URL(url, base) : undefined;
  if (parsed === undefined || parsed.origin !== base || parsed.hash !== '' || parsed.username !== '')
    throw refuse("'url' must be a path with its query, without host and fragment");
  const { pathname, search, searchParams } = parsed;
  if (!paths.some((path) => pathname === path || pathname.startsWith(`${path}/`)))
    throw refuse(`'url' must begin with one of ${paths.join(', ')}: other requests have their token in the header`);
  const own = OWN_PARAMETERS.find((one) => searchParams.has(one));
  if (own !== undefined) throw refuse(`'url' must not have the parameter '${own}'`);
  if (pathname.length + search.length > MAX_URL_LENGTH)
    throw refuse(`'url' has more than ${MAX_URL_LENGTH} characters`);
  return { method: name, url: pathname + search };
}

const refuse = (details: string): PlatformError => new PlatformError('REQ_INVALID_PARAMETER', details);
