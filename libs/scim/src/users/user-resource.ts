import { SCHEMA_URIS } from '../protocol/schema-uris.ts';
import { fromLocale, type StoredUser } from './user-fields.ts';

/** A user as JSON of SCIM (RFC 7643 §4.1); attributes without a value are absent. */
export function userResource(user: StoredUser, baseUrl: string): Readonly<Record<string, unknown>> {
  const { id, email, groups, locale, firstName, lastName } = user;
  const formatted = user.formattedName ?? [firstName, lastName].filter((each) => each !== null).join(' ');
  const tag = fromLocale(locale);
  return present({
    schemas: [SCHEMA_URIS.user],
    id,
    externalId: user.externalId,
    userName: user.userName,
    name: formatted === '' ? null : present({ formatted, givenName: firstName, familyName: lastName }),
    displayName: user.displayName,
    emails: email === null ? null : [{ value: email, type: 'work', primary: user.isPrimary }],
    active: user.active,
    locale: tag,
    preferredLanguage: tag,
    groups:
      groups.length === 0
        ? null
        : groups.map(({ id: value, name }) => ({
            value,
            display: name,
            $ref: `${baseUrl}/Groups/${value}`,
            type: 'direct',
          })),
    meta: present({
      resourceType: 'User',
      created: user.created,
      lastModified: user.lastModified,
      location: `${baseUrl}/Users/${id}`,
      version: `W/"${user.version}"`,
    }),
  });
}

export const present = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
