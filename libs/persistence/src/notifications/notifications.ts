import type { StatementRunner } from '../database.ts';

/** The newest that a user gets. */
const MAX_LISTED = 50;
/** More are not counted. */
const MAX_COUNTED = 100;
/** As many of each user are kept; older ones make room for new ones. */
const MAX_KEPT = 1_000;
/** Notifications are kept for so many days, read or not. */
const KEPT_DAYS = 90;

/** A notification to store; `content` is JSON that readers get. */
export interface NewNotification {
  readonly id: string;
  /** The name or the id of the user. */
  readonly to: { readonly username: string } | { readonly userId: string };
  readonly content: object;
}

const ADD = `WITH receiver AS (SELECT id FROM sec."user" WHERE username = $2 OR id = $3),
  added AS (INSERT INTO sys.notification (id, user_id, created_at, content)
    SELECT $1, id, $4, $5 FROM receiver ON CONFLICT DO NOTHING RETURNING id),
  removed AS (DELETE FROM sys.notification WHERE id IN (SELECT id FROM sys.notification WHERE id IN (
    SELECT id FROM sys.notification WHERE user_id = (SELECT id FROM receiver)
    ORDER BY created_at DESC OFFSET ${MAX_KEPT - 1}) FOR UPDATE SKIP LOCKED))
SELECT (SELECT count(*) FROM added)::int AS added FROM receiver`;

/**
 * Stores a notification, and removes the oldest ones of a user who has many. Returns whether it is new; undefined if there
 * is no such user.
 */
export async function addNotification(
  runner: StatementRunner,
  { id, to, content }: NewNotification,
  now: string,
): Promise<boolean | undefined> {
  const [username, userId] = 'username' in to ? [to.username, null] : [null, to.userId];
  const values = [id, username, userId, now, JSON.stringify(content)];
  const [row] = await runner.query<{ added: number }>({ name: 'add-notification', text: ADD, values });
  return row && row.added > 0;
}

/** A notification of a user; times are in UTC. */
export interface StoredNotification {
  readonly id: string;
  readonly createdAt: string;
  readonly readAt: string | null;
  /** `content` of `NewNotification`, as JSON. */
  readonly content: string;
}

const isoOf = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const LIST = `SELECT (SELECT count(*)::int FROM
    (SELECT FROM sys.notification WHERE user_id = $1 AND read_at IS NULL LIMIT ${MAX_COUNTED}) u) AS unread,
  (SELECT coalesce(json_agg(json_build_object('id', n.id, 'createdAt', ${isoOf('n.created_at')},
      'readAt', ${isoOf('n.read_at')}, 'content', n.content) ORDER BY n.created_at DESC, n.id DESC), '[]')
    FROM (SELECT * FROM sys.notification WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${MAX_LISTED}) n
  )::text AS list`;

/** The newest 50 notifications of a user, and how many are unread: at most 100 are counted. */
export async function listNotifications(
  runner: StatementRunner,
  userId: string,
): Promise<{ readonly unread: number; readonly list: readonly StoredNotification[] }> {
  type Row = { readonly unread: number; readonly list: string };
  const [row] = await runner.query<Row>({ name: 'list-notifications', text: LIST, values: [userId] });
  return { unread: row?.unread ?? 0, list: JSON.parse(row?.list ?? '[]') };
}

const READ = `UPDATE sys.notification SET read_at = $3
WHERE user_id = $1 AND read_at IS NULL AND ($2::uuid[] IS NULL OR id = ANY($2))`;

/** Marks notifications of a user as read: these, or all. */
export const readNotifications = (
  runner: StatementRunner,
  userId: string,
  ids: readonly string[] | null,
  now: string,
): Promise<unknown> => runner.query({ text: READ, values: [userId, ids, now] });

const PRUNE = `DELETE FROM sys.notification WHERE id IN (SELECT id FROM sys.notification
  WHERE created_at < $1::timestamp - interval '${KEPT_DAYS} days' LIMIT 10000)`;

/** Removes old notifications; at most 10,000 at a time. */
export const pruneNotifications = (runner: StatementRunner, now: string): Promise<unknown> =>
  runner.query({ text: PRUNE, values: [now] });
