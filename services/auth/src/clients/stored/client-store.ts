import { type Database, firstRowOf, hasRows, rowsOf, utcText } from '@lintel/persistence';

/** A secret of a client, without the secret. */
export interface StoredSecret {
  readonly id: string;
  readonly hash: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

/** A client as the database has it. */
export interface StoredClient {
  readonly clientId: string;
  /** `ClientMetadata`, perhaps of an earlier version. */
  readonly metadata: unknown;
  readonly isEnabled: boolean;
  readonly expiresAt: string | null;
  readonly registrationTokenHash: string | null;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
  readonly secrets: readonly StoredSecret[];
}

/** What is stored of a new or changed client. */
export type ClientRecord = Pick<StoredClient, 'clientId' | 'isEnabled' | 'expiresAt' | 'registrationTokenHash'> & {
  readonly metadata: object;
  readonly by: string;
};

/** Port to the tables `auth.client` and `auth.client_secret`. */
export interface ClientStore {
  /** All clients by id, or those of the ids. */
  load(clientIds?: readonly string[]): Promise<readonly StoredClient[]>;
  /** Changes with each change of a client. */
  state(): Promise<string>;
  /** False if the id of a client differs at most in its case, or there are as many clients as allowed. */
  insert(client: ClientRecord, max: number): Promise<boolean>;
  /** False if the client has changed since `updatedAt`, or has been removed. */
  update(client: ClientRecord, updatedAt: string): Promise<boolean>;
  remove(clientId: string): Promise<boolean>;
  /** Removes registered clients that expired more than a day ago, `max` at most, and returns their ids. */
  removeExpired(max: number): Promise<readonly string[]>;
  /** False if the client has `max` secrets that have not expired; those that have are removed. */
  addSecret(
    clientId: string,
    secret: Pick<StoredSecret, 'id' | 'hash' | 'expiresAt'>,
    by: string,
    max: number,
  ): Promise<boolean>;
  removeSecret(clientId: string, secretId: string, by: string): Promise<boolean>;
}

const LOAD = `SELECT to_jsonb(row) AS client FROM (
  SELECT c.client_id AS "clientId", c.metadata, c.enabled AS "isEnabled", ${utcText('c.expires_at')} AS "expiresAt",
    c.registration_token_hash AS "registrationTokenHash", ${utcText('c.created_at')} AS "createdAt",
    c.created_by AS "createdBy", ${utcText('c.updated_at')} AS "updatedAt", c.updated_by AS "updatedBy",
    coalesce((SELECT jsonb_agg(jsonb_build_object('id', s.id, 'hash', s.hash, 'createdAt', ${utcText('s.created_at')},
      'expiresAt', ${utcText('s.expires_at')}) ORDER BY s.created_at, s.id)
      FROM auth.client_secret AS s WHERE s.client_id = c.client_id), '[]') AS secrets
  FROM auth.client AS c WHERE $1::text[] IS NULL OR c.client_id = ANY ($1::text[]) ORDER BY c.client_id) AS row`;

const INSERT = `INSERT INTO auth.client
  (client_id, metadata, enabled, expires_at, registration_token_hash, created_by, updated_by)
SELECT $1, $2, $3, $4, $5, $6, $6 WHERE (SELECT count(*) FROM auth.client) < $7
  AND NOT EXISTS (SELECT FROM auth.client WHERE lower(client_id COLLATE "C") = lower($1 COLLATE "C")) RETURNING client_id`;

/** The time of the change is always later than the former one, to a millisecond, so that it identifies the version. */
const CHANGED = `updated_at = greatest(clock_timestamp(), c.updated_at + interval '1 millisecond'), updated_by`;

const UPDATE = `UPDATE auth.client AS c SET metadata = $2, enabled = $3, expires_at = $4, registration_token_hash = $5,
  ${CHANGED} = $6
WHERE client_id = $1 AND ${utcText('updated_at')} = $7 RETURNING client_id`;

/** The row of the client is locked, so that two statements do not add a third secret. */
const TOUCH = `UPDATE auth.client AS c SET ${CHANGED} = $2 WHERE client_id = $1 RETURNING client_id`;

/** A client of an administrator stays, so that it can be extended. */
const REMOVE_EXPIRED = `DELETE FROM auth.client WHERE client_id = ANY (ARRAY(
  SELECT client_id FROM auth.client
  WHERE registration_token_hash IS NOT NULL AND expires_at < now() - interval '1 day'
  ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING client_id AS "clientId"`;

const ADD_SECRET = `INSERT INTO auth.client_secret (id, client_id, hash, expires_at) SELECT $2, $1, $3, $4
WHERE (SELECT count(*) FROM auth.client_secret WHERE client_id = $1) < $5 RETURNING id`;

const STATE = "SELECT concat(count(*), ' ', max(updated_at)) AS state FROM auth.client";
const REMOVE = 'DELETE FROM auth.client WHERE client_id = $1 RETURNING client_id';
const REMOVE_EXPIRED_SECRETS = 'DELETE FROM auth.client_secret WHERE client_id = $1 AND expires_at <= now()';
const REMOVE_SECRET = 'DELETE FROM auth.client_secret WHERE client_id = $1 AND id = $2::uuid RETURNING id';

export function createClientStore(database: Database): ClientStore {
  const valuesOf = (client: ClientRecord): readonly unknown[] => [
    client.clientId,
    JSON.stringify(client.metadata),
    client.isEnabled,
    client.expiresAt,
    client.registrationTokenHash,
    client.by,
  ];
  return {
    async load(clientIds) {
      const rows = await rowsOf<{ readonly client: string }>(database, 'auth_load_clients', LOAD, [clientIds ?? null]);
      return rows.map(({ client }) => JSON.parse(client) as StoredClient);
    },
    async state() {
      const row = await firstRowOf<{ readonly state: string }>(database, 'auth_state_of_clients', STATE);
      return row?.state ?? '';
    },
    insert: (client, max) =>
      database.transaction(async (transaction) => {
        // Otherwise two requests could add ids that differ in their case alone, or one client too many.
        await transaction.query({ text: `SELECT pg_advisory_xact_lock(hashtext('clients'), 0)`, values: [] });
        return hasRows(transaction, 'auth_insert_client', INSERT, [...valuesOf(client), max]);
      }),
    update: (client, updatedAt) => hasRows(database, 'auth_update_client', UPDATE, [...valuesOf(client), updatedAt]),
    remove: (clientId) => hasRows(database, 'auth_remove_client', REMOVE, [clientId]),
    async removeExpired(max) {
      const rows = await rowsOf<{ readonly clientId: string }>(
        database,
        'auth_remove_expired_clients',
        REMOVE_EXPIRED,
        [max],
      );
      return rows.map(({ clientId }) => clientId);
    },
    addSecret: (clientId, { id, hash, expiresAt }, by, max) =>
      database.transaction(async (transaction) => {
        await rowsOf(transaction, 'auth_touch_client', TOUCH, [clientId, by]);
        await rowsOf(transaction, 'auth_remove_expired_secrets', REMOVE_EXPIRED_SECRETS, [clientId]);
        return hasRows(transaction, 'auth_add_secret', ADD_SECRET, [clientId, id, hash, expiresAt, max]);
      }),
    removeSecret: (clientId, secretId, by) =>
      database.transaction(async (transaction) => {
        await rowsOf(transaction, 'auth_touch_client', TOUCH, [clientId, by]);
        return hasRows(transaction, 'auth_remove_secret', REMOVE_SECRET, [clientId, secretId]);
      }),
  };
}
