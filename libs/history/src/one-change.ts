import type { Statement } from '@lintel/persistence';

/**
 * Makes what a transaction writes from now on a part of a change, which other transactions may have begun
 * (contract/history.md#undo). `END_CHANGE` must follow.
 *
 * @param change a UUID
 */
export const beginChange = (change: string): Statement => ({
  text: `SELECT FROM set_config('lintel.history_change',
  $1 || ' ' || to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"Z"'), true)`,
  values: [change],
});

/** Records who has written the part of the change, if something recorded has changed. */
export const END_CHANGE: Statement = {
  text: `INSERT INTO history.change
  (id, recorded_at, username, acting_service, client_id, session_id, trace_id, reason, database_user)
SELECT p.id, p.moment, w.context ->> 'username', w.context ->> 'actingService', w.context ->> 'clientId', w.context ->> 'sessionId',
  w.context ->> 'traceId', w.context ->> 'reason', session_user
FROM (SELECT left(k, 36)::uuid AS id, substr(k, 38)::timestamptz(3) AS moment
  FROM current_setting('lintel.history_change', true) k) p,
  (SELECT nullif(current_setting('lintel.history', true), '')::jsonb AS context) w
WHERE EXISTS (SELECT FROM history.entry e WHERE e.change_id = p.id AND e.recorded_at = p.moment)
ON CONFLICT DO NOTHING`,
  values: [],
};
