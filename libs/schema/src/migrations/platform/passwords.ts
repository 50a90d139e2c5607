import type { SchemaMigration } from '../schema-migration.ts';
import { grantTo, READER } from './fragments.ts';

/**
 * Only while the hash is still the one that was verified, and as a change of the data service: with its events and a
 * new version. A login that may call it can read the hashes and replace them already.
 */
const CHANGE = `CREATE FUNCTION sec.change_password("user" uuid, old text, new text, source text) RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
DECLARE
  name text;
BEGIN
  UPDATE sec."user" AS u SET password = $3, version = u.version + 1, last_modified_by = $4,
    last_modified_date = clock_timestamp() AT TIME ZONE 'UTC'
  WHERE u.id = $1 AND coalesce(u.password, '') = $2 AND u.active
  RETURNING u.username INTO name;
  IF name IS NULL THEN RETURN false; END IF;
  PERFORM sec.publish_federated_change('data.entity.changed.v1', 'sec_User/' || $1, jsonb_build_object(
    'entity', 'sec_User', 'id', $1, 'change', 'updated', 'attributes', jsonb_build_array('password'), 'by', $4));
  PERFORM sec.publish_federated_change('data.user.changed.v1', name, jsonb_build_object(
    'username', name, 'change', 'updated', 'attributes', jsonb_build_array('password')));
  RETURN true;
END
$$`;

const ARGUMENTS = 'uuid, text, text, text';

/**
 * Passwords that users change themselves: which users have chosen their password, and earlier hashes. The id of a user
 * is never used again.
 */
export const PASSWORDS_MIGRATION: SchemaMigration = {
  name: '1763683200027-platform-passwords',
  up: [
    `CREATE TABLE auth.own_password (
  user_id uuid NOT NULL,
  credential text NOT NULL,
  chosen_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_own_password PRIMARY KEY (user_id)
)`,
    `CREATE TABLE auth.password_history (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL,
  password_hash text NOT NULL,
  CONSTRAINT pk_password_history PRIMARY KEY (id)
)`,
    'CREATE INDEX ix_password_history__user_id ON auth.password_history (user_id, id DESC)',
    CHANGE,
    `REVOKE ALL ON FUNCTION sec.change_password(${ARGUMENTS}) FROM PUBLIC`,
    grantTo(READER, [`EXECUTE ON FUNCTION sec.change_password(${ARGUMENTS})`]),
  ],
  down: [
    `DROP FUNCTION sec.change_password(${ARGUMENTS})`,
    'DROP TABLE auth.password_history',
    'DROP TABLE auth.own_password',
  ],
};
