/**
 * Functions by which auth changes users and assigns roles, as changes of the data service: with events that name the
 * actor. Only a login in the role `lintel_federation` may call them.
 */
export const PROVISIONING: readonly string[] = [
  // Publishes `data` as an event of the data service. Auth sets `lintel.work` to the actor and the trace, for the
  // transaction (`noteWork`); the data service does not. An event of the assignments of a user without its role is
  // then left out.
  `CREATE FUNCTION sec.publish_federated_change(type text, subject text, data jsonb) RETURNS void
LANGUAGE sql VOLATILE STRICT SET search_path = pg_catalog
AS $$
  INSERT INTO events.outbox (id, type, subject, envelope)
  SELECT event.id, $1, $2, (jsonb_build_object('specversion', '1.0', 'id', event.id, 'source', '/lintel/data',
    'type', $1, 'subject', $2, 'time', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'datacontenttype', 'application/json', 'data', $3 || CASE WHEN $1 = 'data.entity.changed.v1' THEN '{}' ELSE event.work - 'traceparent' END) || event.work - 'actor')::json
  FROM (SELECT gen_random_uuid() AS id, coalesce(nullif(current_setting('lintel.work', true), ''), '{}')::jsonb AS work) AS event WHERE $1 <> 'data.assignment.changed.v1' OR $3 ? 'role' OR event.work = '{}'
$$`,
  // False if there is a user of that name, in any case, or a client. The user has no password, so only a provider can
  // log it in.
  `CREATE FUNCTION sec.create_federated_user(
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
EXCEPTION WHEN unique_violation THEN
  IF SQLERRM <> 'the user name is taken' THEN RAISE; END IF;
  RETURN false;
END
$$`,
  // Gives a user the roles of a source and takes those away that only this source has given. Assignments that were
  // made otherwise are never changed. Returns the codes that changed.
  `CREATE FUNCTION sec.follow_federated_roles(
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
$$`,
  // Only while the hash is still the one that was verified, and as a change of the data service: with its events and
  // a new version. A login that may call it can read the hashes and replace them already.
  `CREATE FUNCTION sec.change_password("user" uuid, old text, new text, source text) RETURNS boolean
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
$$`,
  // Removes all roles of a name.
  `CREATE FUNCTION sec.end_assignments(username text, source text) RETURNS void
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
$$`,
  // Changes attributes of a user, those that `changes` names; false if there is no such user. With a new name the
  // roles of the user move to it. The events are those of the data service.
  `CREATE FUNCTION sec.change_provisioned_user(id uuid, changes jsonb, source text) RETURNS boolean
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
      'username', each.name, 'change', 'updated', 'attributes', names)
      || CASE WHEN $2 ? 'active' THEN jsonb_build_object('active', $2 -> 'active') ELSE '{}' END);
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
$$`,
  // Removes a user with all roles.
  `CREATE FUNCTION sec.remove_provisioned_user(id uuid, source text) RETURNS boolean
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
$$`,
  // As `sec.follow_federated_roles`, for many users in one statement: `expected` has the roles of all of them.
  // Returns the names of the users whose roles changed.
  `CREATE FUNCTION sec.follow_provisioned_roles(usernames text[], expected jsonb, source text) RETURNS text[]
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
$$`,
  // Events of assignments name each role, as changes by the data service do.
  `CREATE FUNCTION sec.publish_assignment() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog
AS $$
BEGIN
  PERFORM sec.publish_federated_change('data.assignment.changed.v1', a.username, jsonb_build_object(
    'username', a.username, 'role', CASE a.role_type WHEN 'resource' THEN '' ELSE 'row_level_role:' END || a.role_code,
    'change', a.change))
  FROM (SELECT OLD.username::text, OLD.role_code, OLD.role_type, 'taken' AS change WHERE TG_OP <> 'INSERT'
    UNION ALL SELECT NEW.username::text, NEW.role_code, NEW.role_type, 'given' WHERE TG_OP <> 'DELETE') AS a;
  RETURN NULL;
END
$$`,
  `CREATE TRIGGER role_assignment_publish AFTER INSERT OR UPDATE OR DELETE ON sec.role_assignment
FOR EACH ROW WHEN (current_setting('lintel.work', true) <> '') EXECUTE FUNCTION sec.publish_assignment()`,
];
