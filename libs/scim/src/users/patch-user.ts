import type { Filter } from '../filters/filter.ts';
import { matchesFilter } from '../filters/matches-filter.ts';
import { booleanOf, membersOf } from '../protocol/json-members.ts';
import { badRequest } from '../protocol/scim-failure.ts';
import type { PatchOperation, PatchPath } from '../requests/patch-request.ts';
import { NO_ADDRESS, readEmails, readLocale, readText, readUserName } from './read-user.ts';
import type { UserFields } from './user-fields.ts';

/** Attributes that only the service writes. */
const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'groups', 'schemas']);

/**
 * Applies operations to the fields of a user, in their order. Attributes that are not stored are ignored.
 *
 * @throws ScimFailure that names the attribute
 */
export const patchUser = (user: UserFields, operations: readonly PatchOperation[]): UserFields =>
  operations.reduce(applyOperation, user);

function applyOperation(user: UserFields, { op, path, value, isWhole }: PatchOperation): UserFields {
  const { attribute } = path;
  if (READ_ONLY.has(attribute)) {
    if (isWhole) return user;
    throw badRequest('mutability', `${attribute}: the attribute cannot be written`);
  }
  if (path.filter !== undefined && attribute !== 'emails' && isStored(attribute))
    throw badRequest('invalidPath', `${attribute}: the attribute has one value, so there is nothing to filter`);
  if (op === 'remove') return { ...user, ...removal(user, path) };
  return { ...user, ...change(user, path, value) };
}

const isStored = (attribute: string): boolean => attribute in READERS || attribute === 'name';

/** Attributes with a value of its own, by their names in small letters. */
const READERS: Readonly<Record<string, (value: unknown) => Partial<UserFields>>> = {
  username: (value) => ({ userName: readUserName(value) }),
  active: (value) => ({ active: booleanOf(value, 'active') }),
  locale: (value) => ({ locale: readLocale(value, 'locale') }),
  preferredlanguage: (value) => ({ locale: readLocale(value, 'preferredLanguage') }),
  displayname: (value) => ({ displayName: readText(value, 'displayName') }),
  externalid: (value) => ({ externalId: readText(value, 'externalId') }),
};

function change(user: UserFields, path: PatchPath, value: unknown): Partial<UserFields> {
  const { attribute, sub } = path;
  if (attribute === 'name') return changeName(sub, value);
  if (attribute === 'emails') return changeEmails(user, path, value);
  const read = Object.hasOwn(READERS, attribute) ? READERS[attribute] : undefined;
  if (read === undefined) return {};
  if (sub !== undefined) throw badRequest('invalidPath', `${attribute}: the attribute has no members`);
  return read(value);
}

function changeName(sub: string | undefined, value: unknown): Partial<UserFields> {
  const members = sub === undefined ? membersOf(value, 'name') : new Map([[sub, value]]);
  const [first, last] = [members.has('givenname'), members.has('familyname')];
  return {
    ...(first && { firstName: readText(members.get('givenname'), 'name.givenName') }),
    ...(last && { lastName: readText(members.get('familyname'), 'name.familyName') }),
    // That of the former names does not stay.
    ...((first || last || members.has('formatted')) && {
      formattedName: readText(members.get('formatted'), 'name.formatted'),
    }),
  };
}

/** The address that is stored, as an element of the list. */
const elementOf = ({ email, isPrimary }: UserFields) => ({ value: email, type: 'work', primary: isPrimary });

function changeEmails(user: UserFields, { filter, sub }: PatchPath, value: unknown): Partial<UserFields> {
  if (filter !== undefined && !isOfWork(filter)) {
    if (!selectsByValue(filter)) return {};
    if (user.email === null || !matchesFilter(filter, elementOf(user)))
      throw badRequest('noTarget', 'emails: no address matches the filter');
  }
  if (sub === 'value') return { email: readText(value, 'emails.value') };
  if (sub === 'primary' && user.email !== null) return { isPrimary: booleanOf(value, 'emails.primary') };
  // The type of the address is fixed.
  if (sub !== undefined) return {};
  return typeof value === 'string' ? { email: readText(value, 'emails') } : readEmails(value);
}

/** Whether the filter selects the address by its type, which creates it if there is none. */
const isOfWork = (filter: Filter): boolean =>
  !selectsByValue(filter) && matchesFilter(filter, { type: 'work', primary: true });

function selectsByValue(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.some(selectsByValue);
    case 'not':
      return selectsByValue(filter.term);
    case 'present':
    case 'compare':
      return filter.path === 'emails.value';
    default:
      return filter satisfies never;
  }
}

function removal(user: UserFields, { attribute, sub, filter }: PatchPath): Partial<UserFields> {
  switch (attribute) {
    case 'username':
    case 'active':
      throw badRequest('mutability', `${attribute === 'active' ? 'active' : 'userName'}: the attribute is required`);
    case 'locale':
    case 'preferredlanguage':
      return { locale: null };
    case 'displayname':
      return { displayName: null };
    case 'externalid':
      return { externalId: null };
    case 'name':
      return {
        ...((sub === undefined || sub === 'givenname') && { firstName: null }),
        ...((sub === undefined || sub === 'familyname') && { lastName: null }),
        formattedName: null,
      };
    case 'emails':
      if (sub !== undefined && sub !== 'value') return {};
      return filter === undefined || matchesFilter(filter, elementOf(user)) ? NO_ADDRESS : {};
    default:
      return {};
  }
}
