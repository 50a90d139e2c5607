import { BOOLEAN, listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';

const TIME: Schema = { type: ['string', 'null'], format: 'date-time', description: 'Null: no end' };
const SECONDS: Schema = { type: 'integer', minimum: 1, description: 'Seconds; at most the setting of the server' };
const strings = (...values: readonly string[]): Schema => listOf({ type: 'string', enum: values });

/** What describes a client (contract/clients.md#members). */
const MEMBERS: Readonly<Record<string, Schema>> = {
  name: { type: 'string', description: 'What the pages call it; else its id' },
  authenticationMethods: strings('client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'),
  grantTypes: strings(
    'password',
    'refresh_token',
    'client_credentials',
    'authorization_code',
    'urn:ietf:params:oauth:grant-type:device_code',
  ),
  redirectUris: listOf(STRING),
  postLogoutRedirectUris: listOf(STRING),
  backchannelLogoutUri: STRING,
  scopes: listOf(STRING),
  requiredAcr: { type: 'string', description: 'Weakest authentication of users that the client accepts' },
  requireAuthorizationConsent: BOOLEAN,
  resourceRoles: { ...listOf(STRING), description: 'Roles of its client-credentials tokens' },
  rowLevelRoles: listOf(STRING),
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
  ClientToCreate: objectOf({ clientId: { type: 'string', description: 'Generated if absent' }, ...MEMBERS }, []),
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
