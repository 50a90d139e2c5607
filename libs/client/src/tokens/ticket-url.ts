import { type CallOptions, callOf } from '../connection/call.ts';
import type { Connection } from '../connection/create-connection.ts';

/** What a ticket is valid for. */
export interface TicketOptions extends CallOptions {
  /** The method of the request that the ticket permits; `GET` by default. */
  readonly method?: 'GET' | 'HEAD' | undefined;
}

/**
 * The address of one request with a ticket instead of a token, for a link, a window or an `EventSource`: of a file, a
 * document of a report or a feed of changes. It can be used once, for a minute.
 *
 * @param url as `files.url` returns it, or a path with its query
 */
export async function ticketUrl(connection: Connection, url: string, options: TicketOptions = {}): Promise<string> {
  const { baseUrl, paths } = connection;
  const { body } = await connection.read({
    method: 'POST',
    path: paths.tickets ?? `${paths.base}/tickets`,
    json: { url: url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url, method: options.method },
    repeatable: true,
    ...callOf(options),
  });
  return baseUrl + (body as { readonly url: string }).url;
}
