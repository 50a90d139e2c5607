import type { Statement } from '../database.ts';

/**
 * A place in the write-ahead log: timeline, then byte, in hexadecimal digits of fixed number. Texts compare as places
 * do: whoever has replayed up to a place has everything that was committed up to any place that is not greater. What
 * a failover left behind on the old timeline is lost to all.
 */
export type LogPosition = string;

/** Behind everything that was ever committed. */
export const GREATEST_POSITION: LogPosition = 'F'.repeat(24);

/**
 * Where the log of what was acknowledged ends. With `synchronous_commit=off` commits are acknowledged before they
 * are flushed; else the end of the flushed is told, since the place of the next record may be behind the head of a
 * page that no replica has got.
 */
const COMMITTED = `CASE current_setting('synchronous_commit')
  WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END`;

const positionOf = (timeline: string): string =>
  `${timeline} || lpad(split_part(lsn::text, '/', 1), 8, '0') || lpad(split_part(lsn::text, '/', 2), 8, '0')`;

const TIMELINE_OF_PRIMARY = 'left(pg_walfile_name(lsn), 8)';

/** The timeline that a replica has surely replayed something of: it may know of a newer one only later. */
const TIMELINE_OF_REPLICA = `lpad(upper(to_hex(greatest(
    (SELECT timeline_id FROM pg_control_checkpoint()),
    (SELECT min_recovery_end_timeline FROM pg_control_recovery())))), 8, '0')`;

/** Of a primary: a place behind everything that was acknowledged before. */
export const COMMITTED_POSITION: Statement = {
  name: 'lintel_committed_position',
  text: `SELECT ${positionOf(TIMELINE_OF_PRIMARY)} AS position FROM (SELECT ${COMMITTED} AS lsn) log`,
  values: [],
};

/** What a server says of itself. */
export interface ServerState {
  /** It follows another server. */
  readonly isReplica: boolean;
  /** Cluster and database; the same on a primary and its physical replicas, and nowhere else. */
  readonly origin: string;
  /** What it has committed, or replayed. */
  readonly position: LogPosition | null;
}

export const SERVER_STATE = `SELECT is_replica AS "isReplica",
  (SELECT system_identifier FROM pg_control_system()) || '/' ||
    (SELECT oid FROM pg_database WHERE datname = current_database()) AS origin,
  CASE WHEN is_replica THEN ${positionOf(TIMELINE_OF_REPLICA)} ELSE ${positionOf(TIMELINE_OF_PRIMARY)} END AS position
FROM (SELECT pg_is_in_recovery() AS is_replica,
  CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE ${COMMITTED} END AS lsn) log`;
