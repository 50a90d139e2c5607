import type { SchemaMigration } from '../schema-migration.ts';
import { FEDERATION, grantTo } from './fragments.ts';

/**
 * Ends what is stored by the name of a user who has it no more: attempts to log in, runs of reports and own views are
 * deleted; webhooks and shared views stay without an owner, and the webhooks are switched off.
 */
export const RELEASE_NAME = `CREATE FUNCTION sec.release_name(username text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
BEGIN
  DELETE FROM auth.login_attempt AS a WHERE a.username = $1;
  DELETE FROM report_run.run AS r WHERE r.username = $1;
  DELETE FROM sys.list_view AS v WHERE v.owner = $1 AND NOT v.is_shared;
  UPDATE sys.list_view AS v SET owner = '' WHERE v.owner = $1;
  UPDATE sys.webhook AS w SET owner = '', active = false WHERE w.owner = $1;
END
$$`;

/** A renamed user keeps all of it. A name that becomes that of another user begins without what is left of a former one. */
export const FOLLOW_NAME = `CREATE FUNCTION sec.follow_name() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM sec.release_name(OLD.username);
    RETURN NULL;
  END IF;
  PERFORM sec.release_name(NEW.username);
  IF TG_OP = 'UPDATE' THEN
    UPDATE auth.login_attempt AS a SET username = NEW.username WHERE a.username = OLD.username;
    UPDATE report_run.run AS r SET username = NEW.username WHERE r.username = OLD.username;
    UPDATE sys.list_view AS v SET owner = NEW.username WHERE v.owner = OLD.username;
    UPDATE sys.webhook AS w SET owner = NEW.username WHERE w.owner = OLD.username;
  END IF;
  RETURN NULL;
END
$$`;

/**
 * What is stored by the name of a user belongs to the user, and never to the next one of the name (ADR 95). Triggers
 * follow every program that removes or renames users.
 */
export const NAMES_OF_USERS_MIGRATION: SchemaMigration = {
  name: '1763683200039-platform-names-of-users',
  up: [
    'CREATE INDEX ix_run__username ON report_run.run (username, created_at DESC)',
    'DROP INDEX sys.uq_list_view__owner__entity_name__name',
    `CREATE UNIQUE INDEX uq_list_view__owner__entity_name__name ON sys.list_view (owner, entity_name, name)
WHERE owner <> ''`,
    RELEASE_NAME,
    FOLLOW_NAME,
    'REVOKE EXECUTE ON FUNCTION sec.release_name(text) FROM PUBLIC',
    grantTo(FEDERATION, ['EXECUTE ON FUNCTION sec.release_name(text)']),
    `CREATE TRIGGER user_follow_name AFTER INSERT OR DELETE ON sec."user"
FOR EACH ROW EXECUTE FUNCTION sec.follow_name()`,
    `CREATE TRIGGER user_follow_new_name AFTER UPDATE OF username ON sec."user"
FOR EACH ROW WHEN (OLD.username IS DISTINCT FROM NEW.username) EXECUTE FUNCTION sec.follow_name()`,
  ],
  down: [
    'DROP TRIGGER user_follow_new_name ON sec."user"',
    'DROP TRIGGER user_follow_name ON sec."user"',
    'DROP FUNCTION sec.follow_name()',
    'DROP FUNCTION sec.release_name(text)',
    `DELETE FROM sys.list_view WHERE owner = ''`,
    'DROP INDEX sys.uq_list_view__owner__entity_name__name',
    'CREATE UNIQUE INDEX uq_list_view__owner__entity_name__name ON sys.list_view (owner, entity_name, name)',
    'DROP INDEX report_run.ix_run__username',
  ],
};
