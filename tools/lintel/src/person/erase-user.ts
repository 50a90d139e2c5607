import type { StatementRunner } from '@lintel/persistence';
import { TABLES_OF_USERS } from './user-rows.ts';

/** Rows of tables of the platform that were deleted, or changed. */
export interface ErasedRows {
  readonly table: string;
  readonly rows: number;
}

const LEAVING = `UPDATE sec."user" SET password = NULL, first_name = NULL, last_name = NULL, email = NULL, active = false,
  locale = NULL, time_zone_id = NULL, country = NULL, version = version + 1
WHERE id = $1::uuid AND (active IS DISTINCT FROM false OR num_nonnulls(password, first_name, last_name, email, locale, time_zone_id, country) > 0)
RETURNING username`;

const EVENTS = `SELECT sec.publish_federated_change('data.entity.changed.v1', 'sec_User/' || $1::text, jsonb_build_object('entity', 'sec_User',
  'id', $1::text, 'change', 'updated', 'by', 'lintel', 'attributes', '["active", "email", "firstName", "lastName", "password"]'::jsonb)),
sec.publish_federated_change('data.user.changed.v1', $2::text, jsonb_build_object('username', $2::text, 'change', 'updated',
  'active', false, 'attributes', '["active", "email", "firstName", "lastName", "password"]'::jsonb))`;

/**
 * Locks a user, removes what is stored about it, and ends its sessions and keys. The name stays: it names the author
 * of changes, and no other user can get it.
 */
export async function eraseUser(id: string, database: StatementRunner): Promise<readonly ErasedRows[]> {
  const named = { text: 'SELECT username FROM sec."user" WHERE id = $1::uuid FOR UPDATE', values: [id] };
  const [user] = await database.query<{ readonly username: string }>(named);
  if (user === undefined) return [];
  const { username } = user;
  const erased: ErasedRows[] = [];
  for (const [table, column] of Object.entries(TABLES_OF_USERS)) {
    const text = `WITH gone AS (DELETE FROM ${table} WHERE ${column}::text = $1 RETURNING 1) SELECT count(*)::int AS rows FROM gone`;
    const values = [column === 'user_id' ? id : username];
    const [{ rows } = { rows: 0 }] = await database.query<{ readonly rows: number }>({ text, values });
    if (rows > 0) erased.push({ table, rows });
  }
  const left = await database.query({ text: LEAVING, values: [id] });
  if (left.length > 0) erased.push({ table: 'sec.user', rows: 1 });
  if (erased.length > 0) await database.query({ text: EVENTS, values: [id, username] });
  return erased;
}
