import { z } from 'zod';
import {
  appOfferSchema,
  removeFactorsResponseSchema,
  secondFactorSchema,
  secondFactorsResponseSchema,
} from '../../identity/second-factors.ts';
import { endSessionsResponseSchema, loginRecordSchema, userSessionSchema } from '../../identity/user-sessions.ts';
import { BOOLEAN, listOf, objectOf, ref, type Schema, STRING } from '../route-description.ts';
import { apiKeySchemas } from './api-key-schemas.ts';
import { CLIENT_SCHEMAS } from './client-schemas.ts';
import { ENTITY_SCHEMAS } from './entity-schemas.ts';
import { historySchemas } from './history-schemas.ts';
import { listViewSchemas } from './list-view-schemas.ts';
import { METADATA_SCHEMAS } from './metadata-schemas.ts';
import { notificationSchemas } from './notification-schemas.ts';
import { operationSchemas } from './operation-schemas.ts';
import { reportSchemas } from './report-schemas.ts';
import { rightsSchemas } from './rights-schemas.ts';
import { schemasOf } from './schemas-of.ts';
import { visibleName } from './texts.ts';

export const appConfirmationBody = z.strictObject({
  offer: z.string().min(1).max(1000),
  code: z.string().min(1).max(100),
  name: visibleName(100),
});

let schemas: ReturnType<typeof createSchemas> | undefined;
/** The schemas of the generic API. They are made for the first document: no start waits for them. */
export const apiSchemas = () => (schemas ??= createSchemas());

/** The named schemas of the documents (contract/instances.md#values). */
const createSchemas = (): Readonly<Record<string, Schema>> => ({
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
  ...historySchemas(),
  ...apiKeySchemas(),
  ...CLIENT_SCHEMAS,
  ...rightsSchemas(),
  FileInfo: objectOf({ fileRef: STRING, name: STRING, size: { type: 'integer', description: 'Bytes' } }),
  UserInfo: objectOf({
    username: STRING,
    locale: { type: 'string', description: 'In underscore form, e.g. `zh_CN`' },
    attributes: { type: 'object', description: 'Local attributes of the user', additionalProperties: true },
  }),
  ...schemasOf({
    UserSession: userSessionSchema.extend({
      current: z.boolean().describe('Whether it is the session of the request'),
    }),
    EndedSessions: endSessionsResponseSchema,
    LoginAttempt: loginRecordSchema,
    SecondFactors: secondFactorsResponseSchema,
    SecondFactor: secondFactorSchema,
    RemovedFactors: removeFactorsResponseSchema,
    AppOffer: appOfferSchema,
    AppConfirmation: appConfirmationBody,
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
  ...listViewSchemas(),
  ...notificationSchemas(),
  AddedFactor: {
    ...objectOf({ id: { type: 'string', format: 'uuid' }, recoveryCodes: listOf(STRING) }),
    required: ['id'],
  },
  RecoveryCodes: objectOf({ recoveryCodes: listOf(STRING) }),
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
  ...reportSchemas(),
  ...operationSchemas(),
});
