import { bodyText, type DescribedRequest, pathWithQuery } from './described-request.ts';

/** A text as one word of a POSIX shell, in which no character has a meaning. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The request as a command of curl. It has no token, but the variable `TOKEN` of the shell.
 *
 * @param server address of the server, without a path
 */
export function toCurl(server: string, request: DescribedRequest): string {
  const body = bodyText(request);
  const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...request.headers };
  const parts = [
    `curl -X ${shellQuoted(request.method)}`,
    // Without it, curl gives brackets and braces of the address a meaning.
    `-g ${shellQuoted(server + pathWithQuery(request))}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}
