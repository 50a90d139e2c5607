import type { SchemaMigration } from '../schema-migration.ts';
import { PUBLISH } from './federation.ts';
import { CHANGE_USER_OF_ANY_NAME, replaced } from './user-names.ts';

/** Events of users and assignments name who made the change; one of the assignments of a user without its role is left out. */
const PUBLISH_WITH_ACTOR = replaced(PUBLISH)
  .replace(', jsonb_build_object', ', (jsonb_build_object')
  .replace(
    `$3)::json`,
    `$3 || CASE WHEN $1 = 'data.entity.changed.v1' THEN '{}' ELSE event.work - 'traceparent' END) || event.work - 'actor')::json`,
  )
  .replace('AS id)', `AS id, coalesce(nullif(current_setting('lintel.work', true), ''), '{}')::jsonb AS work)`)
  .replace('AS event\n', `AS event WHERE $1 <> 'data.assignment.changed.v1' OR $3 ? 'role' OR event.work = '{}'\n`);

const PUBLISH_ASSIGNMENT = `CREATE FUNCTION sec.publish_assignment() RETURNS trigger
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
$$`;

/**
 * Changes by identity providers, SCIM and pages of auth name each role and who made them, as changes by the data service do.
 * Auth sets `lintel.work` to the actor and the trace, for the transaction (`noteWork`); the data service does not.
 */
export const SECURITY_EVENT_SOURCES_MIGRATION: SchemaMigration = {
  name: '1763683200046-platform-security-event-sources',
  up: [
    PUBLISH_WITH_ACTOR,
    PUBLISH_ASSIGNMENT,
    `CREATE TRIGGER role_assignment_publish AFTER INSERT OR UPDATE OR DELETE ON sec.role_assignment
FOR EACH ROW WHEN (current_setting('lintel.work', true) <> '') EXECUTE FUNCTION sec.publish_assignment()`,
    CHANGE_USER_OF_ANY_NAME.replace(
      `'attributes', names));`,
      `'attributes', names)
      || CASE WHEN $2 ? 'active' THEN jsonb_build_object('active', $2 -> 'active') ELSE '{}' END);`,
    ),
  ],
  down: [
    CHANGE_USER_OF_ANY_NAME,
    'DROP TRIGGER role_assignment_publish ON sec.role_assignment',
    'DROP FUNCTION sec.publish_assignment()',
    replaced(PUBLISH),
  ],
};
