import { assertSchema, booleanOf, isObject, type Members, membersOf, textOf } from '../protocol/json-members.ts';
import { SCHEMA_URIS } from '../protocol/schema-uris.ts';
import { badRequest } from '../protocol/scim-failure.ts';
import { toLocale, type UserFields } from './user-fields.ts';

const MAX_TEXT = 255;
const MAX_LOCALE = 20;
export const NO_ADDRESS = { email: null, isPrimary: true } as const;

/** The fields of a user that a body names. Every other attribute is ignored: passwords, roles, groups, ids. */
export type GivenUser = Omit<UserFields, 'active'> & { readonly active: boolean | undefined };

/** @throws ScimFailure that names the attribute */
export function readUser(body: unknown): GivenUser {
  const members = membersOf(body, 'body');
  assertSchema(members, SCHEMA_URIS.user);
  const name = members.get('name');
  const names: Members = name === undefined || name === null ? new Map() : membersOf(name, 'name');
  const active = members.get('active');
  return {
    userName: readUserName(members.get('username')),
    firstName: readText(names.get('givenname'), 'name.givenName'),
    lastName: readText(names.get('familyname'), 'name.familyName'),
    formattedName: readText(names.get('formatted'), 'name.formatted'),
    ...readEmails(members.get('emails')),
    active: active === undefined || active === null ? undefined : booleanOf(active, 'active'),
    locale:
      readLocale(members.get('locale'), 'locale') ?? readLocale(members.get('preferredlanguage'), 'preferredLanguage'),
    displayName: readText(members.get('displayname'), 'displayName'),
    externalId: readText(members.get('externalid'), 'externalId'),
  };
}

export function readUserName(value: unknown): string {
  const text = textOf(value, 'userName', MAX_TEXT);
  if (text === null) throw badRequest('invalidValue', 'userName: expected a text');
  return text;
}

export const readText = (value: unknown, name: string): string | null => textOf(value, name, MAX_TEXT);

export const readLocale = (value: unknown, name: string): string | null => toLocale(textOf(value, name, MAX_LOCALE));

/** A user has one address: the primary one, else the one of work, else the first. */
export function readEmails(value: unknown): Pick<UserFields, 'email' | 'isPrimary'> {
  if (value === undefined || value === null) return NO_ADDRESS;
  const all = Array.isArray(value) ? value : [value];
  const emails = all.map((each) => {
    if (!isObject(each)) throw badRequest('invalidValue', 'emails: expected a list of objects');
    return membersOf(each, 'emails');
  });
  const chosen =
    emails.find((email) => email.get('primary') === true) ??
    emails.find((email) => email.get('type') === 'work') ??
    emails[0];
  const email = readText(chosen?.get('value'), 'emails.value');
  return email === null ? NO_ADDRESS : { email, isPrimary: chosen?.get('primary') !== false };
}
