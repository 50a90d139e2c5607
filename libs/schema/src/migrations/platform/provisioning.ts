import type { SchemaMigration } from '../schema-migration.ts';
import { FEDERATION, grantTo } from './fragments.ts';

/**
 * Changes attributes of a user, those that `changes` names; false if there is no such user. With a new name the roles of
 * the user move to it. The events are those of the data service.
 */
export const CHANGE_USER = `CREATE FUNCTION sec.change_provisioned_user(id uuid, changes jsonb, source text) RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
DECLARE
  former text;
  latter text;
  names jsonb;
  each record;
BEGIN
  SELECT u.username INTO former FROM sec."user" AS u WHERE u.id = $1 FOR UPDATE;
  IF NOT FOUND OR former IN ('system', 'anonymous') THEN RETURN false; END IF;
  latter := coalesce($2 ->> 'username', former);
  IF EXISTS (SELECT FROM sec."user" AS u WHERE lower(u.username) = lower(latter) AND u.id <> $1) THEN
    RAISE unique_violation USING MESSAGE = 'the user name is taken';
  END IF;
  UPDATE sec."user" AS u SET version = u.version + 1, last_modified_date = clock_timestamp() AT TIME ZONE 'UTC',
    last_modified_by = $3, username = latter,
    first_name = CASE WHEN $2 ? 'firstName' THEN $2 ->> 'firstName' ELSE u.first_name END,
    last_name = CASE WHEN $2 ? 'lastName' THEN $2 ->> 'lastName' ELSE u.last_name END,
    email = CASE WHEN $2 ? 'email' THEN $2 ->> 'email' ELSE u.email END,
    locale = CASE WHEN $2 ? 'locale' THEN $2 ->> 'locale' ELSE u.locale END,
    active = CASE WHEN $2 ? 'active' THEN ($2 ->> 'active')::boolean ELSE u.active END
  WHERE u.id = $1;
  SELECT coalesce(jsonb_agg(key ORDER BY key), '[]') INTO names FROM jsonb_object_keys($2) AS key;
  PERFORM sec.publish_federated_change('data.entity.changed.v1', 'sec_User/' || $1, jsonb_build_object(
    'entity', 'sec_User', 'id', $1, 'change', 'updated', 'attributes', names, 'by', $3));
  FOR each IN SELECT DISTINCT name FROM unnest(ARRAY[former, latter]) AS name LOOP
    PERFORM sec.publish_federated_change('data.user.changed.v1', each.name, jsonb_build_object(
      'username', each.name, 'change', 'updated', 'attributes', names));
  END LOOP;
  IF latter <> former THEN
    PERFORM sec.end_assignments(latter, $3);
    FOR each IN UPDATE sec.role_assignment AS a SET username = latter, version = a.version + 1,
      last_modified_date = clock_timestamp() AT TIME ZONE 'UTC', last_modified_by = $3
      WHERE a.username = former RETURNING a.id
    LOOP
      PERFORM sec.publish_federated_change('data.entity.changed.v1', 'sec_RoleAssignment/' || each.id,
        jsonb_build_object('entity', 'sec_RoleAssignment', 'id', each.id, 'change', 'updated',
          'attributes', jsonb_build_array('username'), 'by', $3));
    END LOOP;
  END IF;
  RETURN true;
END
$$`;

/** Removes all roles of a name. */
const END_ASSIGNMENTS = `CREATE FUNCTION sec.end_assignments(username text, source text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SET search_path = pg_catalog
AS $$
DECLARE
  each record;
BEGIN
  FOR each IN DELETE FROM sec.role_assignment AS a WHERE a.username = $1 RETURNING a.id LOOP
    PERFORM sec.publish_federated_change('data.entity.changed.v1', 'sec_RoleAssignment/' || each.id,
      jsonb_build_object('entity', 'sec_RoleAssignment', 'id', each.id, 'change', 'deleted',
        'attributes', '[]'::jsonb, 'by', $2));
  END LOOP;
END
$$`;

/** Removes a user with all roles. */
const REMOVE_USER = `CREATE FUNCTION sec.remove_provisioned_user(id uuid, source text) RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
DECLARE
  former text;
BEGIN
  DELETE FROM sec."user" AS u WHERE u.id = $1 AND u.username NOT IN ('system', 'anonymous')
    RETURNING u.username INTO former;
  IF former IS NULL THEN RETURN false; END IF;
  PERFORM sec.end_assignments(former, $2);
  PERFORM sec.publish_federated_change('data.entity.changed.v1', 'sec_User/' || $1, jsonb_build_object(
    'entity', 'sec_User', 'id', $1, 'change', 'deleted', 'attributes', '[]'::jsonb, 'by', $2));
  PERFORM sec.publish_federated_change('data.user.changed.v1', former, jsonb_build_object(
    'username', former, 'change', 'deleted'));
  RETURN true;
END
$$`;

/**
 * As `sec.follow_federated_roles`, for many users in one statement: `expected` has the roles of all of them. Returns the
 * names of the users whose roles changed.
 */
const FOLLOW_ROLES = `CREATE FUNCTION sec.follow_provisioned_roles(usernames text[], expected jsonb, source text) RETURNS text[]
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
DECLARE
  each record;
  changed text[] := '{}';
BEGIN
  -- Concurrent changes of users wait for each other in the order of the ids.
  PERFORM FROM sec."user" AS u WHERE u.username = ANY ($1) ORDER BY u.id FOR UPDATE;
  FOR each IN
    WITH wanted AS MATERIALIZED (
      SELECT DISTINCT w.username, w.code, w.type
      FROM jsonb_to_recordset($2) AS w(username text, code text, type text) WHERE w.username = ANY ($1)
    ), given AS MATERIALIZED (
      SELECT a.id, a.username, a.role_code, a.role_type FROM sec.role_assignment AS a WHERE a.username = ANY ($1)
    ), ended AS (
      DELETE FROM sec.federated_assignment AS f USING given AS a WHERE f.assignment_id = a.id AND f.source = $3
        AND NOT EXISTS (SELECT FROM wanted AS w
          WHERE w.username = a.username AND w.code = a.role_code AND w.type = a.role_type)
      RETURNING a.id
    ), removed AS (
      DELETE FROM sec.role_assignment AS a USING ended WHERE a.id = ended.id
        AND NOT EXISTS (SELECT FROM sec.federated_assignment AS f WHERE f.assignment_id = a.id AND f.source <> $3)
      RETURNING a.id, a.username
    ), added AS (
      INSERT INTO sec.role_assignment (id, version, created_date, created_by, username, role_code, role_type)
      SELECT gen_random_uuid(), 1, clock_timestamp() AT TIME ZONE 'UTC', $3, w.username, w.code, w.type
      FROM wanted AS w
      WHERE NOT EXISTS (SELECT FROM given AS a
        WHERE a.username = w.username AND a.role_code = w.code AND a.role_type = w.type)
      ON CONFLICT DO NOTHING
      RETURNING role_assignment.id, role_assignment.username
    ), recorded AS (
      -- What another source has given is shared; what was made by hand stays so.
      INSERT INTO sec.federated_assignment (assignment_id, source)
      SELECT id, $3 FROM added
      UNION
      SELECT a.id, $3 FROM given AS a
      JOIN wanted AS w ON w.username = a.username AND w.code = a.role_code AND w.type = a.role_type
      WHERE EXISTS (SELECT FROM sec.federated_assignment AS f WHERE f.assignment_id = a.id)
      ON CONFLICT DO NOTHING
    )
    SELECT id, username::text AS username, 'deleted' AS change, '[]'::jsonb AS attributes FROM removed
    UNION ALL
    SELECT id, username::text, 'created', jsonb_build_array('roleCode', 'roleType', 'username') FROM added
  LOOP
    changed := changed || each.username;
    PERFORM sec.publish_federated_change('data.entity.changed.v1', 'sec_RoleAssignment/' || each.id,
      jsonb_build_object('entity', 'sec_RoleAssignment', 'id', each.id, 'change', each.change,
        'attributes', each.attributes, 'by', $3));
  END LOOP;
  changed := ARRAY(SELECT DISTINCT name FROM unnest(changed) AS name ORDER BY name);
  PERFORM sec.publish_federated_change('data.assignment.changed.v1', name, jsonb_build_object('username', name))
  FROM unnest(changed) AS name;
  RETURN changed;
END
$$`;

/**
 * Users and groups of SCIM 2.0: what only SCIM knows of a user, groups and their members. Users themselves are rows of
 * `sec.user`, which the role `lintel_federation` changes by functions.
 */
export const PROVISIONING_MIGRATION: SchemaMigration = {
  name: '1763683200033-platform-provisioning',
  up: [
    `CREATE TABLE auth.scim_user (
  user_id uuid NOT NULL,
  external_id text,
  display_name text,
  revision integer NOT NULL DEFAULT 0,
  is_removed boolean NOT NULL DEFAULT false,
  role_table text,
  CONSTRAINT pk_scim_user PRIMARY KEY (user_id)
)`,
    'CREATE INDEX ix_scim_user__external_id ON auth.scim_user (external_id) WHERE external_id IS NOT NULL',
    `CREATE TABLE auth.scim_group (
  id uuid NOT NULL,
  display_name text NOT NULL,
  external_id text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_scim_group PRIMARY KEY (id)
)`,
    'CREATE UNIQUE INDEX uq_scim_group__display_name ON auth.scim_group (lower(display_name))',
    `CREATE TABLE auth.scim_member (
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT pk_scim_member PRIMARY KEY (group_id, user_id),
  CONSTRAINT fk_scim_member__group FOREIGN KEY (group_id) REFERENCES auth.scim_group (id) ON DELETE CASCADE
)`,
    'CREATE INDEX ix_scim_member__user_id ON auth.scim_member (user_id)',
    // SCIM compares user names without case.
    'CREATE INDEX ix_user__username_lower ON sec."user" (lower(username))',
    END_ASSIGNMENTS,
    CHANGE_USER,
    REMOVE_USER,
    FOLLOW_ROLES,
    'REVOKE ALL ON FUNCTION sec.end_assignments(text, text) FROM PUBLIC',
    'REVOKE ALL ON FUNCTION sec.change_provisioned_user(uuid, jsonb, text) FROM PUBLIC',
    'REVOKE ALL ON FUNCTION sec.remove_provisioned_user(uuid, text) FROM PUBLIC',
    'REVOKE ALL ON FUNCTION sec.follow_provisioned_roles(text[], jsonb, text) FROM PUBLIC',
    grantTo(FEDERATION, [
      'EXECUTE ON FUNCTION sec.change_provisioned_user(uuid, jsonb, text)',
      'EXECUTE ON FUNCTION sec.remove_provisioned_user(uuid, text)',
      'EXECUTE ON FUNCTION sec.follow_provisioned_roles(text[], jsonb, text)',
    ]),
  ],
  down: [
    'DROP FUNCTION sec.follow_provisioned_roles(text[], jsonb, text)',
    'DROP FUNCTION sec.remove_provisioned_user(uuid, text)',
    'DROP FUNCTION sec.change_provisioned_user(uuid, jsonb, text)',
    'DROP FUNCTION sec.end_assignments(text, text)',
    'DROP INDEX sec.ix_user__username_lower',
    'DROP TABLE auth.scim_member',
    'DROP TABLE auth.scim_group',
    'DROP TABLE auth.scim_user',
  ],
};
