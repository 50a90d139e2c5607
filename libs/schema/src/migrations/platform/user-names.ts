import { UPPER_CASE_LETTERS } from './upper-case-letters.ts';

const LOWER_CASE_LETTERS = Array.from(UPPER_CASE_LETTERS, (letter) => letter.toLowerCase()).join('');

/** Runs are stored by the key of their caller, which is not always the name (`callerKeyOf` of `@lintel/contracts`). */
const keyOf = (name: string): string =>
  `(CASE WHEN ${name} ~ '^(user|client|anonymous):' THEN 'user:' || ${name} ELSE ${name} END)`;

/**
 * User names are unique without case and are no names of clients (ADR 95). What is stored by the name of a user belongs
 * to the user, and never to the next one of the name (ADR 95): triggers follow every program that removes or renames
 * users.
 */
export const USER_NAMES: readonly string[] = [
  // As `userNameKey` of `@lintel/security`, for each name that is accepted; a test compares both. It has its own
  // table of letters: `lower` depends on the locale of the database.
  `CREATE FUNCTION sec.name_key(name text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
  SELECT normalize(translate(replace(normalize($1, NFKC), 'İ', 'i̇'),
    '${UPPER_CASE_LETTERS}',
    '${LOWER_CASE_LETTERS}'), NFC)
$$`,
  'CREATE INDEX ix_user__name_key ON sec."user" (sec.name_key(username))',
  // SCIM compares user names without case.
  'CREATE INDEX ix_user__username_lower ON sec."user" (lower(username))',
  // A new name is not that of another user in another case, and not that of a client. Names that exist stay.
  `CREATE FUNCTION sec.check_name() RETURNS trigger
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
$$`,
  'CREATE TRIGGER user_check_name BEFORE INSERT ON sec."user" FOR EACH ROW EXECUTE FUNCTION sec.check_name()',
  `CREATE TRIGGER user_check_new_name BEFORE UPDATE OF username ON sec."user"
FOR EACH ROW WHEN (OLD.username IS DISTINCT FROM NEW.username) EXECUTE FUNCTION sec.check_name()`,
  // Ends what is stored by the name of a user who has it no more: attempts to log in, runs of reports and own views
  // are deleted; webhooks and shared views stay without an owner, and the webhooks are switched off.
  `CREATE FUNCTION sec.release_name(username text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
BEGIN
  DELETE FROM auth.login_attempt AS a WHERE a.username = $1;
  DELETE FROM report_run.run AS r WHERE r.username = ${keyOf('$1')};
  DELETE FROM sys.list_view AS v WHERE v.owner = $1 AND NOT v.is_shared;
  UPDATE sys.list_view AS v SET owner = '' WHERE v.owner = $1;
  UPDATE sys.webhook AS w SET owner = '', active = false WHERE w.owner = $1;
END
$$`,
  // A renamed user keeps all of it. A name that becomes that of another user begins without what is left of a former
  // one.
  `CREATE FUNCTION sec.follow_name() RETURNS trigger
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
    UPDATE report_run.run AS r SET username = ${keyOf('NEW.username')} WHERE r.username = ${keyOf('OLD.username')};
    UPDATE sys.list_view AS v SET owner = NEW.username WHERE v.owner = OLD.username;
    UPDATE sys.webhook AS w SET owner = NEW.username WHERE w.owner = OLD.username;
  END IF;
  RETURN NULL;
END
$$`,
  `CREATE TRIGGER user_follow_name AFTER INSERT OR DELETE ON sec."user"
FOR EACH ROW EXECUTE FUNCTION sec.follow_name()`,
  `CREATE TRIGGER user_follow_new_name AFTER UPDATE OF username ON sec."user"
FOR EACH ROW WHEN (OLD.username IS DISTINCT FROM NEW.username) EXECUTE FUNCTION sec.follow_name()`,
];
