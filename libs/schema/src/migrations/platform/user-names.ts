import type { SchemaMigration } from '../schema-migration.ts';
import { CREATE_USER } from './federation.ts';
import { FOLLOW_NAME, RELEASE_NAME } from './names-of-users.ts';
import { CHANGE_USER } from './provisioning.ts';
import { UPPER_CASE_LETTERS } from './upper-case-letters.ts';

const LOWER_CASE_LETTERS = Array.from(UPPER_CASE_LETTERS, (letter) => letter.toLowerCase()).join('');

/**
 * As `userNameKey` of `@lintel/security`, for each name that is accepted; a test compares both. It has its own table of
 * letters: `lower` depends on the locale of the database.
 */
const NAME_KEY = `CREATE FUNCTION sec.name_key(name text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
  SELECT normalize(translate(replace(normalize($1, NFKC), 'İ', 'i̇'),
    '${UPPER_CASE_LETTERS}',
    '${LOWER_CASE_LETTERS}'), NFC)
$$`;

/** A new name is not that of another user in another case, and not that of a client. Names that exist stay. */
const CHECK_NAME = `CREATE FUNCTION sec.check_name() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
AS $$
DECLARE
  key text := sec.name_key(NEW.username);
BEGIN
  -- A transaction may create many users: there are 1,024 locks for all names.
  PERFORM pg_advisory_xact_lock(hashtext('sec.name'), hashtext(key) & 1023);
  IF EXISTS (SELECT FROM sec."user" AS u WHERE sec.name_key(u.username) = key AND u.id <> NEW.id)
    OR EXISTS (SELECT FROM auth.client AS c WHERE sec.name_key(c.client_id) = key)
    OR EXISTS (SELECT FROM auth.configured_client AS c WHERE sec.name_key(c.client_id) = key) THEN
    RAISE unique_violation USING MESSAGE = 'the user name is taken', SCHEMA = 'sec', TABLE = 'user',
      CONSTRAINT = 'uq_user__username';
  END IF;
  RETURN NEW;
END
$$`;

export const replaced = (statement: string): string =>
  statement.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');

/** False also if the name differs from that of another user in its case only, or is that of a client. */
const CREATE_USER_UNLESS_TAKEN = replaced(CREATE_USER).replace(
  'RETURN true;\nEND',
  `RETURN true;
EXCEPTION WHEN unique_violation THEN
  IF SQLERRM <> 'the user name is taken' THEN RAISE; END IF;
  RETURN false;
END`,
);

/** The trigger checks new names; a name that stays never prevents a change. */
export const CHANGE_USER_OF_ANY_NAME = replaced(CHANGE_USER).replace(
  / {2}IF EXISTS .* RAISE unique_violation USING MESSAGE = 'the user name is taken';\n {2}END IF;\n/s,
  '',
);

/** Runs are stored by the key of their caller, which is not always the name (`callerKeyOf` of `@lintel/contracts`). */
const keyOf = (name: string): string =>
  `(CASE WHEN ${name} ~ '^(user|client|anonymous):' THEN 'user:' || ${name} ELSE ${name} END)`;

const WARN = `DO $$
DECLARE
  names text;
BEGIN
  SELECT string_agg(same.names, '; ') INTO names FROM (
    SELECT string_agg(u.username, ', ' ORDER BY u.username) AS names FROM sec."user" AS u
    GROUP BY sec.name_key(u.username) HAVING count(*) > 1 ORDER BY 1 LIMIT 100) AS same;
  IF names IS NOT NULL THEN
    RAISE WARNING 'Names of users that differ in their case only; none was changed, and identity providers cannot log these users in for the first time: %', names;
  END IF;
  SELECT string_agg(u.username, ', ' ORDER BY u.username) INTO names FROM sec."user" AS u
  JOIN auth.client AS c ON sec.name_key(c.client_id) = sec.name_key(u.username);
  IF names IS NOT NULL THEN RAISE WARNING 'Names of users that are names of clients; none was changed: %', names; END IF;
  SELECT string_agg(same.codes, '; ') INTO names FROM (
    SELECT string_agg(r.code, ', ' ORDER BY r.code) AS codes
    FROM (SELECT code FROM sec.resource_role UNION ALL SELECT code FROM sec.row_level_role) AS r
    GROUP BY lower(trim(r.code)) HAVING count(*) > 1 ORDER BY 1 LIMIT 100) AS same;
  IF names IS NOT NULL THEN RAISE WARNING 'Codes of roles that differ in case or blanks only; none was changed: %', names; END IF;
END
$$`;

/**
 * User names are unique without case and are no names of clients (ADR 102). `auth.configured_client` has the ids of the
 * clients of the configuration, which auth writes when it starts.
 */
export const USER_NAMES_MIGRATION: SchemaMigration = {
  name: '1763683200042-platform-user-names',
  up: [
    NAME_KEY,
    'CREATE INDEX ix_user__name_key ON sec."user" (sec.name_key(username))',
    'CREATE TABLE auth.configured_client (client_id text NOT NULL, CONSTRAINT pk_configured_client PRIMARY KEY (client_id))',
    CHECK_NAME,
    'CREATE TRIGGER user_check_name BEFORE INSERT ON sec."user" FOR EACH ROW EXECUTE FUNCTION sec.check_name()',
    `CREATE TRIGGER user_check_new_name BEFORE UPDATE OF username ON sec."user"
FOR EACH ROW WHEN (OLD.username IS DISTINCT FROM NEW.username) EXECUTE FUNCTION sec.check_name()`,
    CREATE_USER_UNLESS_TAKEN,
    CHANGE_USER_OF_ANY_NAME,
    'ALTER TABLE report_run.run ALTER COLUMN username TYPE text',
    `UPDATE report_run.run AS r
SET username = CASE r.username WHEN 'anonymous' THEN 'anonymous' ELSE 'client' END || ':' || r.username
WHERE NOT EXISTS (SELECT FROM sec."user" AS u WHERE u.username = r.username)`,
    replaced(RELEASE_NAME).replace('r.username = $1', `r.username = ${keyOf('$1')}`),
    replaced(FOLLOW_NAME).replace(
      'SET username = NEW.username WHERE r.username = OLD.username',
      `SET username = ${keyOf('NEW.username')} WHERE r.username = ${keyOf('OLD.username')}`,
    ),
    WARN,
  ],
  down: [
    replaced(FOLLOW_NAME),
    replaced(RELEASE_NAME),
    `UPDATE report_run.run SET username = regexp_replace(username, '^(user|client|anonymous):', '')`,
    'ALTER TABLE report_run.run ALTER COLUMN username TYPE varchar(255)',
    replaced(CHANGE_USER),
    replaced(CREATE_USER),
    'DROP TRIGGER user_check_new_name ON sec."user"',
    'DROP TRIGGER user_check_name ON sec."user"',
    'DROP FUNCTION sec.check_name()',
    'DROP TABLE auth.configured_client',
    'DROP INDEX sec.ix_user__name_key',
    'DROP FUNCTION sec.name_key(text)',
  ],
};
