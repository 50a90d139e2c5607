import { CommandError } from '../command-error.ts';
import type { StoredLogins } from './credentials.ts';

const DEFAULT_SERVER = 'http://localhost:8080';
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a server is on this machine, where tokens may be sent without TLS. */
export const isLoopbackServer = (server: URL): boolean => LOOPBACK.has(server.hostname);

/**
 * The server that a command is about: the named one, that of the only login, or the one of `npm start`.
 *
 * @throws CommandError for an address without TLS on another machine: the token could be read on the way
 */
export function serverOf(named: string | undefined, logins: StoredLogins): URL {
  const known = Object.keys(logins);
  const address = named ?? (known.length === 1 ? known[0] : undefined) ?? DEFAULT_SERVER;
  if (!URL.canParse(address))
    throw new CommandError(`${address} is no address`, 'Give one such as https://api.example');
  const server = new URL(address);
  if (server.protocol !== 'https:' && !(server.protocol === 'http:' && isLoopbackServer(server)))
    throw new CommandError(`${address} is not encrypted`, 'Use https, except on this machine');
  return server;
}

/** The key of a server among the stored logins. */
export const keyOf = (server: URL): string => server.href.replace(/\/+$/, '');
