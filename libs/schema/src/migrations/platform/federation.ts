import type { SchemaMigration } from '../schema-migration.ts';
import { createRole, FEDERATION, grantTo } from './fragments.ts';

/** `data` as an event of the data service, which the relay publishes. */
export const PUBLISH = `CREATE FUNCTION sec.publish_federated_change(type text, subject text, data jsonb) RETURNS void
LANGUAGE sql VOLATILE STRICT SET search_path = pg_catalog
AS $$
  INSERT INTO events.outbox (id, type, subject, envelope)
  SELECT event.id, $1, $2, jsonb_build_object('specversion', '1.0', 'id', event.id, 'source', '/lintel/data',
    'type', $1, 'subject', $2, 'time', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'datacontenttype', 'application/json', 'data', $3)::json
  FROM (SELECT gen_random_uuid() AS id) AS event
$$`;

/** False if there is a user of that name. The user has no password, so only a provider can log it in. */
export const CREATE_USER = `CREATE FUNCTION sec.create_federated_user(
  id uuid, username text, first_name text, last_name text, email text, locale text, source text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog
AS $$
BEGIN
  INSERT INTO sec."user" (id, version, created_date, created_by, username, first_name, last_name, email, active, locale)
  VALUES ($1, 1, clock_timestamp() AT TIME ZONE 'UTC', $7, $2, $3, $4, $5, true, $6)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM sec.publish_federated_change('data.entity.changed.v1', 'sec_User/' || $1, jsonb_build_object(
    'entity', 'sec_User', 'id', $1, 'change', 'created', 'by', $7,
    'attributes', jsonb_build_array('active', 'email', 'firstName', 'lastName', 'locale', 'username')));
  PERFORM sec.publish_federated_change('data.user.changed.v1', $2, jsonb_build_object(
    'username', $2, 'change', 'created'));
  RETURN true;
END
$$`;

/**
 * Gives a user the roles of a source and takes those away that only this source has given. Assignments that were made
 * otherwise are never changed. Returns the codes that changed.
 */
const FOLLOW_ROLES = `CREATE FUNCTION sec.follow_federated_roles(
  username text, source text, resource_roles text[], row_level_roles text[]) RETURNS text[]
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
DECLARE
  each record;
  assignment uuid;
  changed text[] := '{}';
BEGIN
  -- Concurrent logins of a user run one after the other.
  PERFORM FROM sec."user" AS u WHERE u.username = $1 FOR UPDATE;
  FOR each IN
    DELETE FROM sec.federated_assignment AS f USING sec.role_assignment AS a
    WHERE f.assignment_id = a.id AND a.username = $1 AND f.source = $2
      AND NOT (a.role_type = 'resource' AND a.role_code = ANY ($3) OR a.role_type = 'row-level' AND a.role_code = ANY ($4))
    RETURNING a.id, a.role_code
  LOOP
    DELETE FROM sec.role_assignment AS a WHERE a.id = each.id
      AND NOT EXISTS (SELECT FROM sec.federated_assignment AS f WHERE f.assignment_id = each.id);
    IF FOUND THEN
      changed := changed || each.role_code::text;
      PERFORM sec.publish_federated_change('data.entity.changed.v1', 'sec_RoleAssignment/' || each.id, jsonb_build_object(
        'entity', 'sec_RoleAssignment', 'id', each.id, 'change', 'deleted', 'attributes', '[]'::jsonb, 'by', $2));
    END IF;
  END LOOP;
  FOR each IN
    SELECT code, 'resource' AS type FROM unnest($3) AS code UNION SELECT code, 'row-level' FROM unnest($4) AS code
  LOOP
    assignment := NULL;
    INSERT INTO sec.role_assignment (id, version, created_date, created_by, username, role_code, role_type)
    VALUES (gen_random_uuid(), 1, clock_timestamp() AT TIME ZONE 'UTC', $2, $1, each.code, each.type)
    ON CONFLICT DO NOTHING RETURNING role_assignment.id INTO assignment;
    IF assignment IS NULL THEN
      -- It exists: it is shared with another source, or it was made by hand and stays so.
      INSERT INTO sec.federated_assignment (assignment_id, source)
      SELECT DISTINCT f.assignment_id, $2 FROM sec.federated_assignment AS f
      JOIN sec.role_assignment AS a ON a.id = f.assignment_id
      WHERE a.username = $1 AND a.role_code = each.code AND a.role_type = each.type
      ON CONFLICT DO NOTHING;
    ELSE
      INSERT INTO sec.federated_assignment (assignment_id, source) VALUES (assignment, $2);
      changed := changed || each.code::text;
      PERFORM sec.publish_federated_change('data.entity.changed.v1', 'sec_RoleAssignment/' || assignment, jsonb_build_object(
        'entity', 'sec_RoleAssignment', 'id', assignment, 'change', 'created', 'by', $2,
        'attributes', jsonb_build_array('roleCode', 'roleType', 'username')));
    END IF;
  END LOOP;
  IF cardinality(changed) > 0 THEN
    PERFORM sec.publish_federated_change('data.assignment.changed.v1', $1, jsonb_build_object('username', $1));
  END IF;
  RETURN changed;
END
$$`;

const CREATE_ARGUMENTS = 'uuid, text, text, text, text, text, text';
const FOLLOW_ARGUMENTS = 'text, text, text[], text[]';

/**
 * Users of identity providers: which user belongs to a subject of an issuer, the logins at providers with the grants
 * that began with them, and the assignments of roles that a provider made. Only a login in the role
 * `lintel_federation` can create users and assign roles, by two functions.
 */
export const FEDERATION_MIGRATION: SchemaMigration = {
  name: '1763683200020-platform-federation',
  up: [
    `CREATE TABLE auth.federated_user (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_federated_user PRIMARY KEY (issuer, subject)
)`,
    'CREATE UNIQUE INDEX uq_federated_user__user_id ON auth.federated_user (user_id, issuer)',
    `CREATE TABLE auth.federated_login (
  id text NOT NULL,
  provider text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  sid text,
  username text NOT NULL,
  refresh_token_encrypted bytea,
  newest_issued_at bigint NOT NULL DEFAULT 0,
  checked_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT pk_federated_login PRIMARY KEY (id)
)`,
    'CREATE INDEX ix_federated_login__subject ON auth.federated_login (issuer, subject)',
    'CREATE INDEX ix_federated_login__sid ON auth.federated_login (issuer, sid) WHERE sid IS NOT NULL',
    'CREATE INDEX ix_federated_login__expires_at ON auth.federated_login (expires_at)',
    `CREATE TABLE auth.federated_grant (
  grant_id text NOT NULL,
  login_id text NOT NULL,
  CONSTRAINT pk_federated_grant PRIMARY KEY (grant_id),
  CONSTRAINT fk_federated_grant__login FOREIGN KEY (login_id) REFERENCES auth.federated_login (id) ON DELETE CASCADE
)`,
    'CREATE INDEX ix_federated_grant__login_id ON auth.federated_grant (login_id)',
    `CREATE TABLE sec.federated_assignment (
  assignment_id uuid NOT NULL,
  source text NOT NULL,
  CONSTRAINT pk_federated_assignment PRIMARY KEY (assignment_id, source),
  CONSTRAINT fk_federated_assignment__assignment FOREIGN KEY (assignment_id)
    REFERENCES sec.role_assignment (id) ON DELETE CASCADE
)`,
    PUBLISH,
    CREATE_USER,
    FOLLOW_ROLES,
    'REVOKE ALL ON FUNCTION sec.publish_federated_change(text, text, jsonb) FROM PUBLIC',
    `REVOKE ALL ON FUNCTION sec.create_federated_user(${CREATE_ARGUMENTS}) FROM PUBLIC`,
    `REVOKE ALL ON FUNCTION sec.follow_federated_roles(${FOLLOW_ARGUMENTS}) FROM PUBLIC`,
    createRole(FEDERATION),
    grantTo(FEDERATION, [
      'USAGE ON SCHEMA sec',
      `EXECUTE ON FUNCTION sec.create_federated_user(${CREATE_ARGUMENTS})`,
      `EXECUTE ON FUNCTION sec.follow_federated_roles(${FOLLOW_ARGUMENTS})`,
    ]),
  ],
  down: [
    `DROP FUNCTION sec.follow_federated_roles(${FOLLOW_ARGUMENTS})`,
    `DROP FUNCTION sec.create_federated_user(${CREATE_ARGUMENTS})`,
    'DROP FUNCTION sec.publish_federated_change(text, text, jsonb)',
    'DROP TABLE sec.federated_assignment',
    'DROP TABLE auth.federated_grant',
    'DROP TABLE auth.federated_login',
    'DROP TABLE auth.federated_user',
  ],
};
