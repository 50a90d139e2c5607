import { z } from 'zod';
import { sessionValueSchema } from './identity/session.ts';

/**
 * Bodies of the internal listeners, which the gateway never routes to. Callers authenticate with the
 * shared secret `svc.internal.secret` (auth) or a service token (data, files).
 */

/** `POST /internal/exchange` on auth: an access token of a client for a JWT, a ticket for one, or an anonymous JWT. */
export const exchangeRequestSchema = z.union([
  /** `address` of the client, for its login history. */
  z.object({ token: z.string().min(1), address: z.string().max(100).optional() }),
  z.object({ anonymous: z.literal(true) }),
  /** A one-time ticket, with the request that has it. */
  z.object({ ticket: z.string().min(1).max(200), method: z.string(), url: z.string() }),
]);
export type ExchangeRequest = z.infer<typeof exchangeRequestSchema>;

export const exchangeResponseSchema = z.object({
  jwt: z.string(),
  /** End of the JWT, seconds since the epoch. */
  expiresAt: z.number(),
  sessionId: z.string(),
  /** Of the key that the token is bound to (RFC 9449 §6); absent for bearer tokens. */
  thumbprint: z.string().optional(),
  /** Set if the caller is a client, not a user. */
  isClient: z.literal(true).optional(),
});
export type ExchangeResponse = z.infer<typeof exchangeResponseSchema>;

/** Body of the 401 of `/internal/exchange`. */
export const exchangeRefusedSchema = z.object({ reason: z.enum(['invalid', 'expired']) });
export type ExchangeRefused = z.infer<typeof exchangeRefusedSchema>;

/**
 * `POST /internal/tickets` on auth: a ticket for one request of the caller of a JWT. 401 as `/internal/exchange`; 429
 * above the maximum of the session.
 */
export const ticketRequestSchema = z.object({
  /** The caller's JWT. */
  subjectToken: z.string().min(1),
  method: z.enum(['GET', 'HEAD']),
  /** Path and query. */
  url: z.string().min(1),
  /** `<storage>://<path>` of a file that application code grants to the caller with the ticket. */
  file: z.string().min(1).optional(),
});
export type TicketRequest = z.infer<typeof ticketRequestSchema>;
/** `expiresIn` in seconds. */
export const ticketResponseSchema = z.object({ ticket: z.string(), expiresIn: z.number() });
export type TicketResponse = z.infer<typeof ticketResponseSchema>;

/** `POST /internal/sessions/check` on auth: 204 while the session is valid, else 404. */
export const sessionCheckSchema = z.object({ sessionId: z.string().min(1) });

/** `POST /internal/service-tokens` on auth: a service asks to act for the user of a JWT it received. */
export const serviceTokenRequestSchema = z.object({
  /** The caller's JWT, or an earlier service token of the same run. */
  subjectToken: z.string().min(1),
  /** Name of the acting service. */
  actor: z.enum(['reports', 'files', 'data']),
  run: z.string().min(1),
  /**
   * `now`: a token for the internal listeners. `later`: one of at most a day, for a run that waits, which stands
   * for the caller's when the run begins.
   */
  use: z.enum(['now', 'later']).default('now'),
});
export type ServiceTokenRequest = z.input<typeof serviceTokenRequestSchema>;
export const serviceTokenResponseSchema = z.object({ jwt: z.string(), expiresAt: z.number() });
export type ServiceTokenResponse = z.infer<typeof serviceTokenResponseSchema>;

/**
 * `POST /internal/session-locale` on auth: the locale of a session from now on. 204, or 404 where the session
 * has ended or is the one of calls without a token.
 */
export const sessionLocaleRequestSchema = z.object({
  sessionId: z.string().min(1),
  /** One of the available locales, underscore form. */
  locale: z.string().min(1).max(20),
});
export type SessionLocaleRequest = z.infer<typeof sessionLocaleRequestSchema>;

/**
 * `POST /internal/session-attributes` on auth: changes values that the application keeps in a session; null removes
 * one. 204, or 404 where the session has ended or is the one of calls without a token.
 */
export const sessionAttributesRequestSchema = z.object({
  sessionId: z.string().min(1),
  attributes: z.record(z.string().min(1).max(100), sessionValueSchema.nullable()),
  /** The values of the hook `onLogin`: they are stored once for each login, and change nothing a second time. */
  ofLogin: z.literal(true).optional(),
});
export type SessionAttributesRequest = z.infer<typeof sessionAttributesRequestSchema>;

/** Rows of an entity. */
const entityDatasetSchema = z.object({
  /** Entity whose instances are read under the caller's access. */
  entity: z.string(),
  /** Filter in the client form (contract/filters.md#filters). */
  filter: z.unknown().optional(),
  /** Named or inline fetch plan. */
  fetchPlan: z.unknown().optional(),
  sort: z.string().optional(),
  /** Locale of instance names, one of the available ones; the caller's without it. */
  locale: z.string().optional(),
});
export type EntityDatasetRequest = z.infer<typeof entityDatasetSchema>;

/** Groups and aggregates of an entity (contract/aggregates.md#request), read under the caller's access. */
const aggregateDatasetSchema = z.object({
  /** Entity whose instances are grouped. */
  aggregates: z.string(),
  question: z.record(z.string(), z.unknown()),
  locale: z.string().optional(),
});
export type AggregateDatasetRequest = z.infer<typeof aggregateDatasetSchema>;

/**
 * A value of a placeholder: a text, several, or null. `type` is the name of a datatype or of an enum (whose
 * values are names of constants); without it the value is of the type of what it is compared with.
 */
const datasetValueSchema = z.object({
  type: z.string().optional(),
  value: z.union([z.null(), z.string(), z.array(z.string())]),
});
export type DatasetValue = z.infer<typeof datasetValueSchema>;

const textDataset = {
  /** By the name of the placeholder: parameters of the report. */
  values: z.record(z.string(), datasetValueSchema),
  /** Placeholders for fields of the bands above: the text is run for each of the rows, in one statement. */
  parents: z
    .object({
      fields: z.array(z.object({ name: z.string(), type: z.string().optional() })),
      rows: z.array(z.array(z.union([z.null(), z.string()]))),
    })
    .optional(),
  locale: z.string().optional(),
};

/** A query in the entity query language, with `${name}` and `[[ … ]]`; read under the caller's access. */
const queryDatasetSchema = z.object({
  query: z.string(),
  /** For queries that select instances. */
  fetchPlan: z.unknown().optional(),
  ...textDataset,
});
export type QueryDatasetRequest = z.infer<typeof queryDatasetSchema>;

/** SQL, with `${name}` and `[[ … ]]`: a text that the application or a saved report declares, no other. */
const sqlDatasetSchema = z.object({ sql: z.string(), ...textDataset });
export type SqlDatasetRequest = z.infer<typeof sqlDatasetSchema>;

/**
 * `POST /internal/datasets` on data. The response is `application/x-ndjson`: one row, a JSON object, per line.
 * `{"$columns": […]}` before the rows describes values that are no instances; the rows after `{"$at": n}` are those
 * for the n-th of `parents`; a last line `{"$end": <rows>}` confirms that nothing is missing.
 */
export const datasetRequestSchema = z.union([
  entityDatasetSchema,
  queryDatasetSchema,
  sqlDatasetSchema,
  aggregateDatasetSchema,
]);
export type DatasetRequest = z.infer<typeof datasetRequestSchema>;

/** A member of rows that are no instances. */
const datasetColumnSchema = z.object({
  name: z.string(),
  /** Name of a datatype; values of enums are names of constants. */
  type: z.string(),
  enumName: z.string().optional(),
  /** The name as the text spells it, where the database has another spelling. */
  label: z.string().optional(),
});
export type DatasetColumn = z.infer<typeof datasetColumnSchema>;
export const datasetColumnsSchema = z.object({ $columns: z.array(datasetColumnSchema) });

/** The rows after it are for that parent. */
export const datasetParentSchema = z.object({ $at: z.number() });

/** Last line of a data set. */
export const datasetEndSchema = z.object({ $end: z.number() });

/**
 * `/internal/files` on files, with the query parameter `fileRef` or, to store, `name`:
 *
 * - `GET` (and `HEAD`) returns the bytes with the headers of a download, ranges included; 404 without a body. The
 *   shared secret is accepted instead of a service token: attachments of mails are read for no user
 * - `POST` with the bytes as body and their `Content-Type`, and optionally `storageName`: 201 and the stored
 *   file. It belongs to the service of the token (`act`); with `uploaded=true` to the user, as an upload. The shared
 *   secret is accepted with `uploaded=true` and `uploader`, `lastingKeyOf` the user
 * - `DELETE` of a file that belongs to the service: 204, also where it does not exist; 403 for any other file. The
 *   shared secret is accepted instead of a service token, since a file that outlived its run has no user; with it and
 *   `uploaded=true`, uploads of users are removed
 */
export const storedFileSchema = z.object({
  fileRef: z.string(),
  name: z.string(),
  /** Bytes stored. */
  size: z.number(),
});
export type StoredFile = z.infer<typeof storedFileSchema>;

/** `POST /internal/forwarded/file-access` on data, with the JWT of a caller: whether it may read what refers to a file. */
export const fileAccessRequestSchema = z.strictObject({
  /** `<storage>://<path>` */
  key: z.string().min(1).max(16_384),
});
export const fileAccessResponseSchema = z.object({ isReadable: z.boolean() });
export type FileAccessResponse = z.infer<typeof fileAccessResponseSchema>;

/** A file of a storage, as `/internal/files` lists it. */
const listedFileSchema = z.object({
  storage: z.string(),
  path: z.string(),
  size: z.number(),
  lastModified: z.string(),
  /** Only in descriptions, as the next one. */
  name: z.string().optional(),
  /** The service that stored it; absent for uploads of users. */
  storedBy: z.string().optional(),
  /** Whether the reader of the request has uploaded it within a day, or a service has stored it for the reader. */
  isOfReader: z.boolean().optional(),
});
export type ListedFile = z.infer<typeof listedFileSchema>;

/**
 * `GET /internal/files/listing?after=&limit=` on files, with the shared secret: the files of all storages after a
 * position; `next` is null after the last one.
 */
export const fileListingSchema = z.object({ files: z.array(listedFileSchema), next: z.string().nullable() });
export type FileListing = z.infer<typeof fileListingSchema>;

/** `POST /internal/files/descriptions` on files, with the shared secret: those that exist, with names. */
export const fileDescriptionsRequestSchema = z.object({
  fileRefs: z.array(z.string()).max(200),
  /** `lastingKeyOf` a caller. */
  reader: z.string().optional(),
});
export const fileDescriptionsSchema = z.object({ files: z.array(listedFileSchema) });
