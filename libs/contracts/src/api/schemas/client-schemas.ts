import { BOOLEAN, listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';
import { NAME } from '../routes/parameters.ts';

const TIME: Schema = { type: ['string', 'null'], format: 'date-time', description: 'Null: no end' };
const SECONDS: Schema = { type: 'integer', minimum: 1, description: 'Seconds; at most the setting of the server' };
const upTo50 = (items: Schema): Schema => ({ ...listOf(items), maxItems: 50 });
const strings = (...values: readonly string[]): Schema => ({
  ...upTo50({ type: 'string', enum: values }),
  minItems: 1,
  description: 'Each value once',
});
const NAMES = upTo50(NAME);
const REDIRECTS = upTo50({
  type: 'string',
  maxLength: 2_000,
  pattern: String.raw`^[A-Za-z][A-Za-z0-9+.-]*:[^\s\\#*]+$`,
  description: '`https`, `http` of a loopback address, or the scheme of an application',
  examples: ['https://shop.example/callback'],
});

/** What describes a client (contract/clients.md#members). */
const MEMBERS: Readonly<Record<string, Schema>> = {
  name: { ...NAME, description: 'What the pages call it; else its id' },
  authenticationMethods: strings('client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'),
  grantTypes: strings(
    'password',
    'refresh_token',
    'client_credentials',
    'authorization_code',
    'urn:ietf:params:oauth:grant-type:device_code',
  ),
  redirectUris: REDIRECTS,
  postLogoutRedirectUris: REDIRECTS,
  backchannelLogoutUri: STRING,
  scopes: upTo50({ type: 'string', pattern: String.raw`^[!#-\[\]-~]{1,100}$` }),
  requiredAcr: { type: 'string', description: 'Weakest authentication of users that the client accepts' },
  requireAuthorizationConsent: BOOLEAN,
  resourceRoles: { ...NAMES, description: 'Roles of its client-credentials tokens' },
  rowLevelRoles: NAMES,
  accessTokenFormat: { type: 'string', enum: ['reference', 'self-contained'] },
  accessTokenTimeToLive: SECONDS,
  refreshTokenTimeToLive: SECONDS,
  authorizationCodeTimeToLive: SECONDS,
  reuseRefreshTokens: BOOLEAN,
  jwks: { type: 'object', description: 'Public keys for `private_key_jwt`', additionalProperties: true },
  enabled: BOOLEAN,
  expiresAt: TIME,
};
const MOMENT: Schema = { type: 'string', format: 'date-time' };
const CLIENT: Readonly<Record<string, Schema>> = {
  clientId: STRING,
  source: { type: 'string', enum: ['configuration', 'database'] },
  ...MEMBERS,
  secrets: listOf(objectOf({ id: STRING, createdAt: MOMENT, expiresAt: TIME })),
  createdAt: MOMENT,
  createdBy: STRING,
  updatedAt: MOMENT,
  updatedBy: STRING,
};
const orNull = (schema: Schema): Schema =>
  typeof schema['type'] === 'string' ? { ...schema, type: [schema['type'], 'null'] } : schema;

/** The schemas of the administration of clients. */
export const CLIENT_SCHEMAS: Readonly<Record<string, Schema>> = {
  OAuthClient: objectOf(CLIENT, ['clientId', 'source']),
  ClientToCreate: objectOf(
    {
      clientId: { type: 'string', description: 'Generated if absent', pattern: '^[A-Za-z0-9._~-]{1,100}$' },
      ...MEMBERS,
    },
    [],
  ),
  ClientChange: objectOf(
    Object.fromEntries(Object.entries(MEMBERS).map(([name, schema]) => [name, orNull(schema)])),
    [],
  ),
  CreatedClient: {
    allOf: [
      ref('OAuthClient'),
      objectOf({ clientSecret: { type: 'string', description: 'Absent for clients without a secret' } }, []),
    ],
  },
  ClientSecretToCreate: objectOf({ expiresAt: TIME }, []),
  CreatedClientSecret: objectOf({ id: STRING, clientSecret: STRING, expiresAt: TIME }),
};
