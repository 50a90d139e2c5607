import { isStorable } from '@lintel/persistence';
import { isUuid } from '../filters/compile-filter.ts';
import type { Filter } from '../filters/filter.ts';
import { assertSchema, membersOf, textOf } from '../protocol/json-members.ts';
import { SCHEMA_URIS } from '../protocol/schema-uris.ts';
import { badRequest } from '../protocol/scim-failure.ts';
import type { PatchOperation } from '../requests/patch-request.ts';

const MAX_TEXT = 255;
/** Users of one request: each has roles to be changed, within the time limit of statements. */
export const MAX_MEMBERS = 5_000;

/** A user in a group, with the name that was sent. */
export interface GivenMember {
  readonly id: string;
  readonly display: string | null;
}

/** A group as a body describes it. */
export interface GivenGroup {
  readonly displayName: string;
  readonly externalId: string | null;
  readonly members: readonly GivenMember[];
}

/** A change of a group. */
export type GroupChange =
  | { readonly kind: 'name'; readonly displayName: string }
  | { readonly kind: 'external-id'; readonly externalId: string | null }
  | { readonly kind: 'add' | 'remove' | 'replace'; readonly members: readonly GivenMember[] };

/** @throws ScimFailure that names the attribute */
export function readGroup(body: unknown): GivenGroup {
  const members = membersOf(body, 'body');
  assertSchema(members, SCHEMA_URIS.group);
  return {
    displayName: readDisplayName(members.get('displayname')),
    externalId: textOf(members.get('externalid'), 'externalId', MAX_TEXT),
    members: readMembers(members.get('members')),
  };
}

function readDisplayName(value: unknown): string {
  const text = textOf(value, 'displayName', MAX_TEXT);
  if (text === null || text.trim() !== text)
    throw badRequest('invalidValue', 'displayName: expected a text without spaces around it');
  return text;
}

/** Members; a member is an object with `value`, of Entra ID, or the id alone. */
function readMembers(value: unknown): readonly GivenMember[] {
  if (value === undefined || value === null) return [];
  const all = Array.isArray(value) ? value : [value];
  if (all.length > MAX_MEMBERS) throw badRequest('tooMany', `members: expected at most ${MAX_MEMBERS} in one request`);
  const members = all.map((each) => {
    const given = typeof each === 'string' ? new Map([['value', each]]) : membersOf(each, 'members');
    const [id, display] = [given.get('value'), given.get('display')];
    if (typeof id !== 'string' || !isUuid(id))
      throw badRequest('invalidValue', 'members.value: expected the id of a user');
    const isShown = typeof display === 'string' && display.length <= MAX_TEXT && isStorable(display);
    return { id: id.toLowerCase(), display: isShown ? display : null };
  });
  return unique(members);
}

const unique = (members: readonly GivenMember[]): readonly GivenMember[] => [
  ...new Map(members.map((member) => [member.id, member])).values(),
];

const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'schemas']);

/**
 * The changes of operations, in their order. Neighbours that add, or that remove, are one change: some providers send an
 * operation for each member.
 *
 * @throws ScimFailure that names the attribute
 */
export function readGroupChanges(operations: readonly PatchOperation[]): readonly GroupChange[] {
  const changes: GroupChange[] = [];
  let members: GivenMember[] = [];
  for (const change of operations.flatMap(changeOf)) {
    const last = changes.at(-1);
    if (change.kind !== 'add' && change.kind !== 'remove') changes.push(change);
    else if (last?.kind === change.kind) members.push(...change.members);
    else {
      members = [...change.members];
      changes.push({ kind: change.kind, members });
    }
  }
  return changes.map((change) => ('members' in change ? { ...change, members: unique(change.members) } : change));
}

function changeOf({ op, path, value, isWhole }: PatchOperation): readonly GroupChange[] {
  const { attribute, filter, sub } = path;
  if (READ_ONLY.has(attribute)) {
    if (isWhole) return [];
    throw badRequest('mutability', `${attribute}: the attribute cannot be written`);
  }
  if (attribute === 'displayname') {
    if (op === 'remove') throw badRequest('mutability', 'displayName: the attribute is required');
    return [{ kind: 'name', displayName: readDisplayName(value) }];
  }
  if (attribute === 'externalid')
    return [{ kind: 'external-id', externalId: op === 'remove' ? null : textOf(value, 'externalId', MAX_TEXT) }];
  if (attribute !== 'members') return [];
  if (sub !== undefined) throw badRequest('mutability', `members.${sub}: members are added and removed only`);
  if (filter !== undefined) {
    if (op !== 'remove') throw badRequest('invalidPath', 'members: a filter selects members to be removed only');
    return [{ kind: 'remove', members: idsOf(filter) }];
  }
  if (op !== 'remove') return [{ kind: op, members: readMembers(value) }];
  // Without a value all members are removed; Entra ID names some in it.
  return value === undefined || value === null
    ? [{ kind: 'replace', members: [] }]
    : [{ kind: 'remove', members: readMembers(value) }];
}

/** The ids that `value eq "…"` names, also several with `or`. */
function idsOf(filter: Filter): readonly GivenMember[] {
  if (filter.kind === 'or') return filter.terms.flatMap(idsOf);
  if (filter.kind !== 'compare' || filter.path !== 'members.value' || filter.comparison !== 'eq')
    throw badRequest('invalidFilter', 'members: expected members[value eq "<id>"]');
  const { value } = filter;
  return typeof value === 'string' && isUuid(value) ? [{ id: value.toLowerCase(), display: null }] : [];
}
