import { booleanValue, choiceValue, textValue, urlListValue } from '@lintel/config';
import { z } from 'zod';
import { IDENTITY_DESCRIPTIONS, IDENTITY_MEMBERS, type IdentityRules } from '../identity/identity-settings.ts';

const NESTED_GROUPS = ['none', 'search', 'active-directory'] as const;
const filterValue = () => textValue().refine((text) => text.includes('{0}'), 'expected a filter with {0}');

/** Members of `svc.auth.directory.<name>`. */
export const directorySchema = z.object({
  urls: urlListValue(['ldap:', 'ldaps:']),
  'start-tls': booleanValue().default(false),
  'ca-file': textValue().optional(),
  'bind-dn': textValue(),
  'bind-password': textValue(),
  'base-dn': textValue(),
  'user-filter': filterValue().default('(uid={0})'),
  'id-attribute': textValue().default('entryUUID'),
  'group-base-dn': textValue().optional(),
  'group-filter': filterValue().default('(member={0})'),
  'nested-groups': choiceValue(NESTED_GROUPS).default('none'),
  ...z.object(IDENTITY_MEMBERS).omit({ domains: true, 'required-claims': true }).shape,
  'user-claim': textValue().default('uid'),
});

export type DirectorySettings = z.infer<typeof directorySchema>;

/** The rules for identities; `user-filter` has the conditions on users. */
export const rulesOf = (settings: DirectorySettings): IdentityRules => ({
  ...settings,
  domains: [],
  'required-claims': [],
});

/** Descriptions of the members for the reference of the properties. */
export const DIRECTORY_MEMBERS: Readonly<Record<keyof DirectorySettings, string>> = {
  ...IDENTITY_DESCRIPTIONS,
  urls: 'Servers of an LDAP directory or Active Directory, tried one after the other',
  'start-tls': 'Whether connections of `ldap://` are encrypted by StartTLS before a password is sent',
  'ca-file':
    'File with the certificates (PEM) of the authorities of the servers; without it the certificates of Node.js',
  'bind-dn': 'DN of the login that searches for users and groups',
  'bind-password': 'Its password',
  'base-dn': 'DN below which users are searched for',
  'user-filter': 'Filter that finds one user; `{0}` is the name that was entered',
  'id-attribute': 'Attribute that never changes',
  'group-base-dn': 'DN below which groups are searched for; else `base-dn`',
  'group-filter': 'Filter that finds the groups of a member; `{0}` is the DN of the member',
  'nested-groups': 'Groups of groups: not followed, followed by searches, or by the rule of Active Directory',
  'user-claim': 'Attribute with the user name at the first login; later logins are recognized by `id-attribute`',
  'groups-claim': 'Attribute with the groups instead of `group-filter`, such as `memberOf`',
};
