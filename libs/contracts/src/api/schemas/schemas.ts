import { z } from 'zod';
import { BOOLEAN, listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';
import { API_KEY_SCHEMAS } from './api-key-schemas.ts';
import { CLIENT_SCHEMAS } from './client-schemas.ts';
import { ENTITY_SCHEMAS } from './entity-schemas.ts';
import { LIST_VIEW_SCHEMAS } from './list-view-schemas.ts';
import { METADATA_SCHEMAS } from './metadata-schemas.ts';
import { OPERATION_SCHEMAS } from './operation-schemas.ts';
import { REPORT_SCHEMAS } from './report-schemas.ts';
import { RIGHTS_SCHEMAS } from './rights-schemas.ts';
import { schemasOf } from './schemas-of.ts';
import { visibleName } from './texts.ts';

export const appConfirmationBody = z.strictObject({
  offer: z.string().min(1).max(1000),
  code: z.string().min(1).max(100),
  name: visibleName(100),
});

/** The schemas of the generic API (contract/instances.md#values). */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  Error: {
    description: 'Every error of the API but those of 401 and of violated rules',
    ...objectOf({ error: STRING, details: { type: ['string', 'null'] } }),
  },
  Problem: {
    description: 'An error in the form of RFC 9457, for clients whose `Accept` names `application/problem+json`',
    ...objectOf(
      {
        type: { type: 'string', description: '`urn:lintel:error:` and the code' },
        title: STRING,
        status: { type: 'integer' },
        detail: STRING,
        code: { type: 'string', description: 'Stable code of the error' },
        traceId: STRING,
        errors: { description: 'The violated rules', ...listOf(ref('ValidationItem')) },
      },
      ['type', 'title', 'status', 'code'],
    ),
  },
  OAuthError: objectOf({ error: STRING, error_description: STRING }, ['error']),
  Token: objectOf(
    {
      access_token: STRING,
      token_type: STRING,
      refresh_token: STRING,
      id_token: STRING,
      expires_in: { type: 'integer', description: 'Seconds' },
      scope: STRING,
      'OAuth2.SESSION_ID': STRING,
    },
    ['access_token', 'token_type', 'expires_in'],
  ),
  ...ENTITY_SCHEMAS,
  ...API_KEY_SCHEMAS,
  ...CLIENT_SCHEMAS,
  ...RIGHTS_SCHEMAS,
  FileInfo: objectOf({ fileRef: STRING, name: STRING, size: { type: 'integer', description: 'Bytes' } }),
  UserInfo: objectOf({
    username: STRING,
    locale: { type: 'string', description: 'In underscore form, e.g. `zh_CN`' },
    attributes: { type: 'object', description: 'Local attributes of the user', additionalProperties: true },
  }),
  UserSession: objectOf({
    id: STRING,
    clientId: STRING,
    startedAt: { type: 'string', format: 'date-time' },
    lastUsedAt: { type: ['string', 'null'], format: 'date-time', description: 'Accurate to a minute' },
    address: { type: ['string', 'null'], description: 'Address of the request for the tokens' },
    userAgent: { type: ['string', 'null'] },
    current: { ...BOOLEAN, description: 'Whether it is the session of the request' },
  }),
  Consent: objectOf({
    clientId: STRING,
    clientName: STRING,
    scopes: listOf(STRING),
    expiresAt: { type: 'string', format: 'date-time' },
  }),
  TicketRequest: objectOf(
    {
      method: { type: 'string', enum: ['GET', 'HEAD'], default: 'GET' },
      url: { type: 'string', description: 'Path and query, below the files, the reports or the feeds of changes' },
    },
    ['url'],
  ),
  Ticket: objectOf({
    ticket: STRING,
    url: { type: 'string', description: 'The URL of the request with the parameter `ticket`' },
    expiresIn: { type: 'integer', description: 'Seconds until it expires' },
  }),
  ...LIST_VIEW_SCHEMAS,
  EndedSessions: objectOf({ ended: { type: 'integer', minimum: 0 } }),
  SecondFactors: objectOf({ factors: listOf(ref('SecondFactor')), recoveryCodes: { type: 'integer', minimum: 0 } }),
  SecondFactor: objectOf({
    id: { type: 'string', format: 'uuid' },
    kind: { enum: ['totp', 'passkey'] },
    name: STRING,
    createdAt: { type: 'string', format: 'date-time' },
    lastUsedAt: { type: ['string', 'null'], format: 'date-time' },
  }),
  RemovedFactors: objectOf({ removed: { type: 'integer', minimum: 0 } }),
  AppOffer: objectOf({
    key: { ...STRING, description: 'Base32' },
    uri: { ...STRING, description: 'The `otpauth` URI, for a QR code' },
    offer: { ...STRING, description: 'Identifies the key in the confirmation' },
  }),
  ...schemasOf({ AppConfirmation: appConfirmationBody }),
  AddedFactor: {
    ...objectOf({ id: { type: 'string', format: 'uuid' }, recoveryCodes: listOf(STRING) }),
    required: ['id'],
  },
  RecoveryCodes: objectOf({ recoveryCodes: listOf(STRING) }),
  LoginAttempt: objectOf({
    at: { type: 'string', format: 'date-time' },
    outcome: { enum: ['succeeded', 'wrong-password', 'wrong-code', 'disabled', 'refused'] },
    method: { enum: ['password', 'directory', 'provider', 'second-factor', 'passkey', 'device', 'token', 'api-key'] },
    provider: { type: ['string', 'null'] },
    clientId: STRING,
    address: { type: ['string', 'null'] },
  }),
  Messages: {
    type: 'object',
    description: 'Captions by `<entity>`, `<entity>.<attribute>`, `<enum>` or `<enum>.<constant>`',
    additionalProperties: STRING,
  },
  Permissions: objectOf({
    authorities: listOf(STRING),
    entities: listOf(ref('EntityPermission')),
    entityAttributes: listOf(ref('AttributePermission')),
    specifics: listOf(ref('EntityPermission')),
  }),
  EntityPermission: {
    description: '0 denied, 1 allowed',
    ...objectOf({
      target: STRING,
      value: { type: 'integer', minimum: 0, maximum: 1 },
      acr: { description: 'With 0: the login that has the permission', type: 'string' },
    }),
    required: ['target', 'value'],
  },
  AttributePermission: {
    description: '0 hidden, 1 read-only, 2 modifiable',
    ...objectOf({ target: STRING, value: { type: 'integer', minimum: 0, maximum: 2 } }),
  },
  Capabilities: objectOf({ inlineFetchPlans: BOOLEAN }),
  ...METADATA_SCHEMAS,
  ...REPORT_SCHEMAS,
  ...OPERATION_SCHEMAS,
};
