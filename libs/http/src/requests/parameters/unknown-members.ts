import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  IGNORED_HEADER,
  ignoredPaths,
  ignoredText,
  MAX_IGNORED,
  MAX_IGNORED_LENGTH,
  type UnknownInside,
} from '@lintel/contracts';
import { PlatformError, suggestion, withoutEffect } from '@lintel/errors';
import { applyPreference, preferencesOf } from './preferences.ts';

/** What happens to parameters and members that the API does not know (`svc.rest.unknown-members`). */
export type UnknownMembers = 'ignore' | 'name' | 'refuse';

/** Whether a request prefers the refusal (RFC 7240 §4.4). */
export const isStrict = ({ prefer }: IncomingHttpHeaders): boolean =>
  prefer !== undefined && preferencesOf(prefer).get('handling') === 'strict';

/**
 * What happens in one request: `Prefer: handling=strict` refuses, with any setting, and the response names the preference
 * (RFC 7240 §3).
 */
export function handlingFor(
  request: Pick<IncomingMessage, 'headers'>,
  response: Pick<ServerResponse, 'getHeader' | 'setHeader'>,
  setting: UnknownMembers,
): UnknownMembers {
  if (!isStrict(request.headers)) return setting;
  applyPreference(response, 'handling=strict');
  return 'refuse';
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

/** The error of a member inside of an object. */
const unknownInside = ({ inside, name, known, part }: UnknownInside): PlatformError => {
  const shown = name.slice(0, MAX_IGNORED_LENGTH);
  if (part !== undefined) return withoutEffect(inside === '' ? shown : `${inside}.${shown}`, part);
  return new PlatformError('REQ_UNKNOWN_MEMBER', `Unknown member '${inside}.${shown}'${suggestion(shown, known)}`);
};

/**
 * The same for members inside of objects, and for parts of values without an effect; the header names each path once.
 *
 * @throws PlatformError REQ_UNKNOWN_MEMBER or REQ_WITHOUT_EFFECT
 */
export function handleUnknownInside(
  response: Pick<ServerResponse, 'appendHeader'>,
  handling: UnknownMembers,
  where: 'query' | 'body',
  found: readonly UnknownInside[],
): void {
  const [first] = found;
  if (first === undefined || handling === 'ignore') return;
  if (handling === 'refuse') throw unknownInside(first);
  response.appendHeader(IGNORED_HEADER, ignoredText(where, ignoredPaths(found)));
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
