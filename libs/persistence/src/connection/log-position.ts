import type { Statement } from '../database.ts';

/**
 * A position in the write-ahead log: timeline, then byte, with a fixed number of hexadecimal digits, so that positions
 * compare as texts. A server that has replayed up to a position has everything that was committed up to it. Commits
 * that a failover left on the old timeline are lost on all servers.
 */
export type LogPosition = string;

/** Greater than the position of any commit. */
export const GREATEST_POSITION: LogPosition = 'F'.repeat(24);

/**
 * The end of the log of acknowledged commits. With `synchronous_commit=off` commits are acknowledged before they are
 * flushed, so it is the insert position. Otherwise it is the flush position: the insert position may be after the
 * header of a page that no replica has received.
 */
const COMMITTED = `CASE current_setting('synchronous_commit')
  WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END`;

const positionOf = (timeline: string): string =>
  `${timeline} || lpad(split_part(lsn::text, '/', 1), 8, '0') || lpad(split_part(lsn::text, '/', 2), 8, '0')`;

const TIMELINE_OF_PRIMARY = 'left(pg_walfile_name(lsn), 8)';

/** A timeline of which the replica has certainly replayed records; it may switch to a newer one later. */
const TIMELINE_OF_REPLICA = `lpad(upper(to_hex(greatest(
    (SELECT timeline_id FROM pg_control_checkpoint()),
    (SELECT min_recovery_end_timeline FROM pg_control_recovery())))), 8, '0')`;

/** Reads from a primary a position that is not before any commit that was acknowledged earlier. */
export const COMMITTED_POSITION: Statement = {
  name: 'lintel_committed_position',
  text: `SELECT ${positionOf(TIMELINE_OF_PRIMARY)} AS position FROM (SELECT ${COMMITTED} AS lsn) log`,
  values: [],
};

/** The state that a server reports. */
export interface ServerState {
  /** It follows another server. */
  readonly isReplica: boolean;
  /** Cluster and database; equal only on a primary and its physical replicas. */
  readonly origin: string;
  /** Up to where it has committed, or replayed. */
  readonly position: LogPosition | null;
}

export const SERVER_STATE = `SELECT is_replica AS "isReplica",
  (SELECT system_identifier FROM pg_control_system()) || '/' ||
    (SELECT oid FROM pg_database WHERE datname = current_database()) AS origin,
  CASE WHEN is_replica THEN ${positionOf(TIMELINE_OF_REPLICA)} ELSE ${positionOf(TIMELINE_OF_PRIMARY)} END AS position
FROM (SELECT pg_is_in_recovery() AS is_replica,
  CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE ${COMMITTED} END AS lsn) log`;
