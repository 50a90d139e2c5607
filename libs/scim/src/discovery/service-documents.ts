import { SCHEMA_URIS } from '../protocol/schema-uris.ts';
import { fromLocale } from '../users/user-fields.ts';

interface Limits {
  readonly baseUrl: string;
  readonly maxResults: number;
}

/** What the schemas say of this installation. */
interface SchemaOptions {
  readonly baseUrl: string;
  readonly availableLocales: readonly string[];
}

/** What the service supports (RFC 7643 §5). */
export const serviceProvider = ({ baseUrl, maxResults }: Limits) => ({
  schemas: [SCHEMA_URIS.serviceProvider],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of svc.scim.token in the Authorization header',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
});

const typeOf = (name: 'User' | 'Group', schema: string, baseUrl: string) => ({
  schemas: [SCHEMA_URIS.resourceType],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema,
  meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
});

/** The kinds of resources (RFC 7643 §6). */
export const resourceTypes = (baseUrl: string) => [
  typeOf('User', SCHEMA_URIS.user, baseUrl),
  typeOf('Group', SCHEMA_URIS.group, baseUrl),
];

interface AttributeOptions {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly multiValued?: boolean;
  readonly required?: boolean;
  readonly caseExact?: boolean;
  readonly mutability?: 'readWrite' | 'readOnly' | 'immutable';
  readonly uniqueness?: 'none' | 'server';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly object[];
}

const attribute = (name: string, description: string, options: AttributeOptions = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...options,
});

const userAttributes = (languages: readonly string[]) => [
  attribute('userName', 'The name with which the user logs in', { required: true, uniqueness: 'server' }),
  attribute('name', 'The parts of the name', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'As it was sent; otherwise first and last name'),
      attribute('givenName', 'First name'),
      attribute('familyName', 'Last name'),
    ],
  }),
  attribute('displayName', 'The name that is shown'),
  attribute('emails', 'The address of e-mail; one is stored', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The address'),
      attribute('type', 'The only type', { canonicalValues: ['work'] }),
      attribute('primary', 'As it was sent', { type: 'boolean' }),
    ],
  }),
  attribute('active', 'Whether the user can log in', { type: 'boolean', required: true }),
  attribute('preferredLanguage', 'Language tag of the user', { canonicalValues: languages }),
  attribute('locale', 'The preferred language', { mutability: 'readOnly' }),
  attribute('groups', 'The groups of the user', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      attribute('value', 'Id of the group', { mutability: 'readOnly' }),
      attribute('$ref', 'URL of the group', { type: 'reference', mutability: 'readOnly', referenceTypes: ['Group'] }),
      attribute('display', 'Name of the group', { mutability: 'readOnly' }),
      attribute('type', 'direct', { mutability: 'readOnly' }),
    ],
  }),
];

const GROUP_ATTRIBUTES = [
  attribute('displayName', 'The name of the group, from which roles follow', { required: true, uniqueness: 'server' }),
  attribute('members', 'The users of the group', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'Id of the user', { mutability: 'immutable' }),
      attribute('$ref', 'URL of the user', { type: 'reference', mutability: 'immutable', referenceTypes: ['User'] }),
      attribute('display', 'As it was sent; otherwise the name of the user', { mutability: 'immutable' }),
      attribute('type', 'The only type', { mutability: 'immutable', canonicalValues: ['User'] }),
    ],
  }),
];

/** The attributes that are stored (RFC 7643 §7). */
export const schemas = ({ baseUrl, availableLocales }: SchemaOptions) =>
  [
    {
      id: SCHEMA_URIS.user,
      name: 'User',
      description: 'A user',
      attributes: userAttributes(availableLocales.map((locale) => fromLocale(locale) ?? '')),
    },
    { id: SCHEMA_URIS.group, name: 'Group', description: 'A group of users', attributes: GROUP_ATTRIBUTES },
  ].map((schema) => ({
    schemas: [SCHEMA_URIS.schema],
    ...schema,
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` },
  }));
