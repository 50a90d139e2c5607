import { hash } from 'node:crypto';
import type { Database, Statement, Transaction } from '../database.ts';

/** What names a request that is carried out once. */
export interface IdempotentRequest {
  /** Whose key it is: keys of different principals have nothing to do with each other. */
  readonly principal: string;
  readonly key: string;
  /** Equal for equal requests. */
  readonly requestHash: string;
}

/** An answer as it is told again. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is known of a request: nothing, that another transaction is at it, its answer, or that the key stands for another. */
export type Recalled =
  | { readonly kind: 'new' }
  | { readonly kind: 'running' }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'different' };

/** The answers of requests with an idempotency key, kept in the transactions of their changes. */
export interface IdempotencyStore {
  /**
   * Looks the request up and, where it is new, keeps everybody else from it until the transaction ends. Never
   * waits for another transaction.
   */
  recall(transaction: Transaction, request: IdempotentRequest): Promise<Recalled>;
  /** Keeps the answer; it is there when the changes of the transaction are. */
  record(transaction: Transaction, request: IdempotentRequest, answer: StoredAnswer): Promise<void>;
  /** Removes answers that are older than the retention. */
  prune(): Promise<void>;
}

const LOCK = 'SELECT pg_try_advisory_xact_lock($1::bigint) AS locked';

const FIND = `SELECT request_hash, status, headers::text AS headers, body FROM lintel.idempotent_request
WHERE principal = $1 AND key = $2 AND created_at > now() - $3 * interval '1 millisecond'`;

/** An answer that is too old, but not yet pruned, gives way. */
const RECORD = `INSERT INTO lintel.idempotent_request (principal, key, request_hash, status, headers, body)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (principal, key) DO UPDATE SET request_hash = excluded.request_hash, status = excluded.status,
  headers = excluded.headers, body = excluded.body, created_at = excluded.created_at`;

const PRUNED_AT_ONCE = 1_000;

/** The age is looked at twice: a new answer may have taken the place of an old one while its row was waited for. */
const PRUNE = `DELETE FROM lintel.idempotent_request WHERE ctid = ANY (ARRAY (
  SELECT ctid FROM lintel.idempotent_request WHERE created_at <= now() - $1 * interval '1 millisecond'
  LIMIT ${PRUNED_AT_ONCE})) AND created_at <= now() - $1 * interval '1 millisecond' RETURNING true AS pruned`;

interface Row {
  readonly request_hash: string;
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** The number that stands for the key in advisory locks. */
const lockNumber = ({ principal, key }: IdempotentRequest): string =>
  hash('sha256', `idempotency ${JSON.stringify([principal, key])}`, 'buffer')
    .readBigInt64BE()
    .toString();

/**
 * The table of answers. A lock on the key, held to the end of the transaction, lets one of several equal
 * requests through at a time; it is taken before the look, so what the one before it committed is seen.
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
      return { kind: 'answered', answer: { status, headers: JSON.parse(headers) as Record<string, string>, body } };
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
        if (rows.length < PRUNED_AT_ONCE) return;
      }
    },
  };
}
