import { setTimeout as pause } from 'node:timers/promises';
import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Database } from '@lintel/persistence';
import { currentOperation, currentTraceId, type Logger } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { IdSource } from '../ports.ts';

/** Who reads, in which operation. */
export interface Reader {
  readonly log: AccessLog;
  readonly principal: Principal;
  /** By default the operation of the request in progress. */
  readonly operation?: string;
}

/** Instances of one entity that a response has. */
export interface InstancesRead {
  readonly entity: string;
  /** In the form for a path; undefined of values, which have no ids. */
  readonly ids: readonly string[] | undefined;
  readonly count: number;
}

/** Records who reads which instances of marked entities (contract/access-log.md). */
export interface AccessLog {
  /**
   * Takes what a response has, before it is sent; waits while the buffer is full.
   *
   * @throws PlatformError DATA_UNAVAILABLE if it stays full
   */
  add(reader: Reader, read: readonly InstancesRead[]): Promise<void> | undefined;
  /** Stores what waits. */
  close(): Promise<void>;
}

export interface AccessLogOptions {
  /** With a connection of its own, requests that wait for the log cannot keep it from being written. */
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Pick<Logger, 'error' | 'info'>;
  /** Ids that wait at most. */
  readonly maxIds?: number;
  /** How long a request waits, and the end of the process. */
  readonly patienceMs?: number;
}

/** How long entries wait for others, so that many requests are one statement. */
const GATHER_MS = 200;
/** With an older entry the buffer is full: a process that is killed loses what it has read in a second. */
const MAX_AGE_MS = 700;
const RETRY_MS = 300;
/** Ids of one statement, which takes some 0.1 seconds. */
const BATCH = 5_000;
/** Ids of one row. */
const IDS_OF_ROW = 100;

const WRITE = `INSERT INTO history.access
  (id, recorded_at, username, seen_as, acting_service, client_id, session_id, trace_id, operation, entity, ids, count)
SELECT id, "at", username, "seenAs", service, client, session, trace, operation, entity, ids, count
FROM json_to_recordset($1::json) AS e(id uuid, "at" timestamptz, username text, "seenAs" text, service text, client text,
  session text, trace text, operation text, entity text, ids text[], count integer)
ON CONFLICT DO NOTHING`;

/** Creates the log; entries wait in memory, and one statement at a time stores them. */
export function createAccessLog(options: AccessLogOptions): AccessLog {
  const { database, clock, ids: newIds, logger, maxIds = 20_000, patienceMs = 10_000 } = options;
  const waiting: (Row & { readonly sinceMs: number })[] = [];
  const requests = new Set<() => void>();
  let size = 0;
  let isFailing = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const isFull = (): boolean =>
    size >= maxIds || performance.now() - (waiting[0]?.sinceMs ?? Number.POSITIVE_INFINITY) > MAX_AGE_MS;

  function put(rows: readonly Row[]): void {
    const sinceMs = performance.now();
    for (const row of rows) {
      waiting.push({ ...row, sinceMs });
      size += sizeOf(row);
    }
    timer ??= setTimeout(start, GATHER_MS);
  }

  function start(): void {
    timer = undefined;
    running ??= store().finally(() => {
      running = undefined;
      if (waiting.length > 0) timer ??= setTimeout(start, isFailing ? RETRY_MS : GATHER_MS);
    });
  }

  function nextBatch(): readonly Row[] {
    let total = 0;
    let end = 0;
    for (const row of waiting) {
      total += sizeOf(row);
      if (total > BATCH) break;
      end += 1;
    }
    return waiting.slice(0, end);
  }

  /** Stores batch after batch until a write fails. Never rejects. */
  async function store(): Promise<void> {
    while (waiting.length > 0) {
      const batch = nextBatch();
      try {
        await database.query({ name: 'write_access_log', text: WRITE, values: [JSON.stringify(batch)] });
      } catch (err) {
        if (!isFailing) logger.error({ err, waiting: waiting.length }, 'the access log is not written: readers wait');
        isFailing = true;
        return;
      }
      if (isFailing) logger.info({ waiting: waiting.length }, 'the access log is written again');
      isFailing = false;
      waiting.splice(0, batch.length);
      size = waiting.reduce((sum, row) => sum + sizeOf(row), 0);
      for (const enter of [...requests]) enter();
    }
  }

  /** Waits until there is room. Requests enter in their order. */
  const enter = (rows: readonly Row[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const attempt = (): void => {
        if (isFull()) return;
        requests.delete(attempt);
        clearTimeout(patience);
        put(rows);
        resolve();
      };
      const patience = setTimeout(() => {
        requests.delete(attempt);
        reject(new PlatformError('DATA_UNAVAILABLE', 'The access log cannot be written'));
      }, patienceMs);
      requests.add(attempt);
    });

  return {
    add(reader, read) {
      if (read.length === 0) return undefined;
      const at = new Date(clock.now()).toISOString();
      const rows = partsOf(read).map((part) => rowOf(reader, part, newIds.next(), at));
      if (requests.size > 0 || isFull()) return enter(rows);
      put(rows);
      return undefined;
    },
    async close() {
      const endMs = performance.now() + patienceMs;
      while (waiting.length > 0 && performance.now() < endMs) {
        start();
        await Promise.race([running, pause(endMs - performance.now())]);
        if (waiting.length > 0) await pause(RETRY_MS);
      }
      clearTimeout(timer);
      if (waiting.length > 0) logger.error({ lost: waiting.length }, 'entries of the access log are lost');
    },
  };
}

type Row = ReturnType<typeof rowOf>;

const sizeOf = ({ ids }: Row): number => 1 + (ids?.length ?? 0);

/** Divides many ids. */
const partsOf = (read: readonly InstancesRead[]): readonly InstancesRead[] =>
  read.flatMap((each) => {
    const { ids = [], entity } = each;
    if (ids.length <= IDS_OF_ROW) return [each];
    return Array.from({ length: Math.ceil(ids.length / IDS_OF_ROW) }, (_, at) => {
      const part = ids.slice(at * IDS_OF_ROW, (at + 1) * IDS_OF_ROW);
      return { entity, ids: part, count: part.length };
    });
  });

const rowOf = (
  { principal, operation = currentOperation() ?? 'other' }: Reader,
  part: InstancesRead,
  id: string,
  at: string,
) => ({
  id,
  at,
  ...part,
  operation,
  // Who sees as another user is the reader.
  username: textOf(principal.seenBy ?? principal.username),
  seenAs: principal.seenBy === undefined ? undefined : textOf(principal.username),
  service: principal.actingService,
  client: textOf(principal.clientId),
  session: principal.sessionId,
  trace: currentTraceId(),
});

/** PostgreSQL stores neither NUL characters nor halves of surrogate pairs: one such text would end the log. */
const textOf = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');
