import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { IGNORED_HEADER, ignoredText, MAX_IGNORED, MAX_IGNORED_LENGTH } from '@lintel/contracts';
import { PlatformError, suggestion } from '@lintel/errors';
import { preferencesOf } from './preferences.ts';

/** What happens to parameters and members that the API does not know (`svc.rest.unknown-members`). */
export type UnknownMembers = 'ignore' | 'name' | 'refuse';

/** What happens in one request: `Prefer: handling=strict` (RFC 7240 §4.4) refuses, whatever the setting. */
export function handlingOf(headers: IncomingHttpHeaders, setting: UnknownMembers): UnknownMembers {
  const { prefer } = headers;
  if (prefer === undefined || setting === 'refuse') return setting;
  return preferencesOf(prefer).get('handling') === 'strict' ? 'refuse' : setting;
}

/**
 * The error of an unknown parameter or member.
 *
 * @param known the names that the caller may know
 */
export const unknownMember = (where: 'query' | 'body', name: string, known: Iterable<string>): PlatformError =>
  new PlatformError(
    'REQ_UNKNOWN_MEMBER',
    `Unknown ${where === 'query' ? 'parameter' : 'member'} '${name.slice(0, MAX_IGNORED_LENGTH)}'${suggestion(name.slice(0, MAX_IGNORED_LENGTH), known)}`,
  );

/**
 * Refuses or reports unknown names, if there are any.
 *
 * @throws PlatformError REQ_UNKNOWN_MEMBER
 */
export function handleUnknown(
  response: Pick<ServerResponse, 'appendHeader'>,
  handling: UnknownMembers,
  where: 'query' | 'body',
  names: readonly string[],
  known: Iterable<string>,
): void {
  const [first] = names;
  if (first === undefined || handling === 'ignore') return;
  if (handling === 'refuse') throw unknownMember(where, first, known);
  response.appendHeader(IGNORED_HEADER, ignoredText(where, names));
}

const NONE: readonly string[] = Object.freeze([]);

/** Names in the query of a URL that are not known, once each; a URL without a query is not read. */
export function unknownParameters(url: string, known: ReadonlySet<string>): readonly string[] {
  const start = url.indexOf('?');
  if (start < 0) return NONE;
  let unknown: Set<string> | undefined;
  let from = start + 1;
  while (from < url.length) {
    const next = url.indexOf('&', from);
    const pair = url.slice(from, next < 0 ? url.length : next);
    from += pair.length + 1;
    const equals = pair.indexOf('=');
    const raw = equals < 0 ? pair : pair.slice(0, equals);
    if (raw === '' || known.has(raw)) continue;
    const name = decoded(raw);
    if (known.has(name)) continue;
    unknown ??= new Set();
    unknown.add(name);
    if (unknown.size > MAX_IGNORED) break;
  }
  return unknown === undefined ? NONE : [...unknown];
}

function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return raw;
  }
}

/** Members of a JSON object that are not known. */
export function unknownMembersOf(json: object, known: ReadonlySet<string>): readonly string[] {
  let unknown: string[] | undefined;
  for (const name in json) {
    if (known.has(name)) continue;
    unknown ??= [];
    unknown.push(name);
    if (unknown.length > MAX_IGNORED) break;
  }
  return unknown ?? NONE;
}
