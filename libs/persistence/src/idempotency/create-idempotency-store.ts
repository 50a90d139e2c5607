import { hash } from 'node:crypto';
import type { Database, Statement, Transaction } from '../database.ts';

/** Identifies a request that is executed once. */
export interface IdempotentRequest {
  /** The owner of the key: keys of different principals are independent. */
  readonly principal: string;
  readonly key: string;
  /** Equal for equal requests. */
  readonly requestHash: string;
}

/** A response as it is repeated to the client. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * State of a request: new; running in another transaction; completed, with its response; or different from the request
 * that has used the key.
 */
export type Recalled =
  | { readonly kind: 'new' }
  | { readonly kind: 'running' }
  | { readonly kind: 'completed'; readonly response: StoredResponse }
  | { readonly kind: 'different' };

/** Responses to requests with an idempotency key, stored in the transactions of their changes. */
export interface IdempotencyStore {
  /**
   * Looks the request up and, if it is new, locks its key until the transaction ends. Never waits for another
   * transaction.
   */
  recall(transaction: Transaction, request: IdempotentRequest): Promise<Recalled>;
  /** Stores the response; it becomes visible with the changes of the transaction. */
  record(transaction: Transaction, request: IdempotentRequest, response: StoredResponse): Promise<void>;
  /** Removes responses that are older than the retention. */
  prune(): Promise<void>;
}

const LOCK = 'SELECT pg_try_advisory_xact_lock($1::bigint) AS locked';

const FIND = `SELECT request_hash, status, headers::text AS headers, body FROM lintel.idempotent_request
WHERE principal = $1 AND key = $2 AND created_at > now() - $3 * interval '1 millisecond'`;

/** Replaces a response that is too old but not yet pruned. */
const RECORD = `INSERT INTO lintel.idempotent_request (principal, key, request_hash, status, headers, body)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (principal, key) DO UPDATE SET request_hash = excluded.request_hash, status = excluded.status,
  headers = excluded.headers, body = excluded.body, created_at = excluded.created_at`;

const PRUNE_BATCH = 1_000;

/** Checks the age twice: while the statement waited for a row, a new response may have replaced the old one. */
const PRUNE = `DELETE FROM lintel.idempotent_request WHERE ctid = ANY (ARRAY (
  SELECT ctid FROM lintel.idempotent_request WHERE created_at <= now() - $1 * interval '1 millisecond'
  LIMIT ${PRUNE_BATCH})) AND created_at <= now() - $1 * interval '1 millisecond' RETURNING true AS pruned`;

interface Row {
  readonly request_hash: string;
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** The number of the key's advisory lock. */
const lockNumber = ({ principal, key }: IdempotentRequest): string =>
  hash('sha256', `idempotency ${JSON.stringify([principal, key])}`, 'buffer')
    .readBigInt64BE()
    .toString();

/**
 * Creates the store of responses. A lock on the key until the end of the transaction lets one of several equal requests
 * run at a time. The lock is acquired before the lookup, which therefore sees what the previous request committed.
 */
export function createIdempotencyStore(
  database: Pick<Database, 'query'>,
  { retentionMs }: { readonly retentionMs: number },
): IdempotencyStore {
  return {
    async recall(transaction, request) {
      const lock: Statement = { name: 'lintel_idempotency_lock', text: LOCK, values: [lockNumber(request)] };
      const find: Statement = {
        name: 'lintel_idempotency_find',
        text: FIND,
        values: [request.principal, request.key, retentionMs],
      };
      const [[locked], [found]] = await Promise.all([
        transaction.query<{ locked: boolean }>(lock),
        transaction.query<Row>(find),
      ]);
      if (found === undefined) return { kind: locked?.locked === true ? 'new' : 'running' };
      if (found.request_hash !== request.requestHash) return { kind: 'different' };
      const { status, headers, body } = found;
      return { kind: 'completed', response: { status, headers: JSON.parse(headers) as Record<string, string>, body } };
    },
    async record(transaction, { principal, key, requestHash }, { status, headers, body }) {
      await transaction.query({
        name: 'lintel_idempotency_record',
        text: RECORD,
        values: [principal, key, requestHash, status, JSON.stringify(headers), body],
      });
    },
    async prune() {
      for (;;) {
        const rows = await database.query({ name: 'lintel_idempotency_prune', text: PRUNE, values: [retentionMs] });
        if (rows.length < PRUNE_BATCH) return;
      }
    },
  };
}
