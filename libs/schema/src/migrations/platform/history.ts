/** The first moment of the month that is `$1` months after the present one; partitions are in UTC. */
const MONTH = `date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => `;

/** The function that makes the partitions of a number of months ahead, for some tables. */
const makePartitions = (
  command: string,
  tables: readonly string[],
): string => `${command} FUNCTION history.make_partitions(months integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog AS $$
DECLARE
  name text;
  first timestamptz;
  next timestamptz;
  part text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('history.make_partitions'));
  FOR month IN 0..months LOOP
    first := (${MONTH}month)) AT TIME ZONE 'UTC';
    next := (${MONTH}month + 1)) AT TIME ZONE 'UTC';
    FOREACH name IN ARRAY ARRAY[${tables.map((name) => `'${name}'`).join(', ')}] LOOP
      part := name || to_char(first AT TIME ZONE 'UTC', '_YYYY_MM');
      CONTINUE WHEN to_regclass('history.' || part) IS NOT NULL;
      EXECUTE format('CREATE TABLE history.%I (LIKE history.%I INCLUDING ALL)', part, name);
      EXECUTE format('WITH moved AS (DELETE FROM history.%I WHERE recorded_at >= %L AND recorded_at < %L RETURNING *)
        INSERT INTO history.%I SELECT * FROM moved', name || '_default', first, next, part);
      EXECUTE format('ALTER TABLE history.%I ATTACH PARTITION history.%I FOR VALUES FROM (%L) TO (%L)', name, part, first, next);
    END LOOP;
  END LOOP;
END $$`;

/** Parts of the function that records, about the update of a single row. */
interface SingleRow {
  readonly declared: string;
  readonly read: string;
  readonly recorded: string;
}

/** The function that records the changes of a table; updates of one row may have a shorter way. */
const recordFunction = (command: string, single: SingleRow): string =>
  `${command} FUNCTION history.record() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog SET timezone = 'UTC' SET datestyle = 'ISO' SET extra_float_digits = 1 AS $$
#variable_conflict use_column
DECLARE
  changed_table text := TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME;
  key_columns text[] := TG_ARGV[0];
  owner_columns text[] := TG_ARGV[1];
  omitted text[] := TG_ARGV[2];
  secret text[] := TG_ARGV[3];
  ignored text[] := TG_ARGV[4];
  left_out text[] := ignored || omitted;
  known text := nullif(current_setting('lintel.history_change', true), '');
  present uuid := coalesce(split_part(known, ' ', 1)::uuid, gen_random_uuid());
  moment timestamptz(3) := coalesce(substr(known, 38)::timestamptz, clock_timestamp());
  context jsonb;${single.declared}
BEGIN${single.read}
  IF TG_OP = 'INSERT' THEN
    INSERT INTO history.entry (recorded_at, change_id, source, key, owner_key, after)
    SELECT moment, present, changed_table, history.key_of(n.state, key_columns),
      history.key_of(n.state, owner_columns), n.state - omitted
    FROM (SELECT to_jsonb(r) AS state FROM new_rows r OFFSET 0) n;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO history.entry (recorded_at, change_id, source, key, owner_key, before)
    SELECT moment, present, changed_table, history.key_of(o.state, key_columns),
      history.key_of(o.state, owner_columns), o.state - omitted
    FROM (SELECT to_jsonb(r) AS state FROM old_rows r OFFSET 0) o;${single.recorded}
  ELSE
    WITH o AS MATERIALIZED (SELECT history.key_of(s.state, key_columns) AS key, s.state,
        coalesce(history.key_of(s.state, owner_columns), '') AS owner
        FROM (SELECT to_jsonb(r) AS state FROM old_rows r OFFSET 0) s),
      n AS MATERIALIZED (SELECT history.key_of(s.state, key_columns) AS key, s.state,
        coalesce(history.key_of(s.state, owner_columns), '') AS owner
        FROM (SELECT to_jsonb(r) AS state FROM new_rows r OFFSET 0) s)
    INSERT INTO history.entry (recorded_at, change_id, source, key, owner_key, before, after, secrets)
    SELECT moment, present, changed_table, coalesce(n.key, o.key), nullif(coalesce(n.owner, o.owner), ''),
      o.state - omitted, n.state - omitted,
      CASE WHEN cardinality(secret) > 0 THEN ARRAY(
        SELECT s FROM unnest(secret) s WHERE o.state -> s IS DISTINCT FROM n.state -> s) END
    FROM o FULL JOIN n ON n.key = o.key AND n.owner = o.owner
    WHERE o.state - left_out IS DISTINCT FROM n.state - left_out OR (cardinality(secret) > 0
      AND EXISTS (SELECT FROM unnest(secret) s WHERE o.state -> s IS DISTINCT FROM n.state -> s))
    ORDER BY n.key NULLS FIRST;
  END IF;
  IF FOUND AND known IS NULL THEN
    context := nullif(current_setting('lintel.history', true), '');
    INSERT INTO history.change
      (id, recorded_at, username, acting_service, client_id, session_id, trace_id, reason, database_user)
    VALUES (present, moment, context ->> 'username', context ->> 'actingService', context ->> 'clientId',
      context ->> 'sessionId', context ->> 'traceId', context ->> 'reason', session_user);
    PERFORM set_config('lintel.history_change', present || ' ' || moment, true);
  END IF;
  RETURN NULL;
END $$`;

/** Needs no join of the former and the present rows. */
const SINGLE_ROW: SingleRow = {
  declared: `
  old_row jsonb;
  new_row jsonb;
  is_single boolean;`,
  read: `
  IF TG_OP = 'UPDATE' AND cardinality(secret) = 0 THEN
    SELECT to_jsonb(o), to_jsonb(n), NOT EXISTS (SELECT FROM new_rows OFFSET 1) INTO old_row, new_row, is_single
    FROM old_rows o, new_rows n LIMIT 1;
    is_single := is_single AND history.key_of(old_row, key_columns) = history.key_of(new_row, key_columns)
      AND history.key_of(old_row, owner_columns) IS NOT DISTINCT FROM history.key_of(new_row, owner_columns);
  END IF;`,
  recorded: `
  ELSIF is_single THEN
    INSERT INTO history.entry (recorded_at, change_id, source, key, owner_key, before, after)
    SELECT moment, present, changed_table, history.key_of(new_row, key_columns),
      history.key_of(new_row, owner_columns), old_row - omitted, new_row - omitted
    WHERE old_row - left_out IS DISTINCT FROM new_row - left_out;`,
};

/**
 * Recorded changes (contract/history.md). `change` has one row for each transaction that changed something, `entry` one
 * for each changed row, with the row before and after as JSON. Triggers of the recorded tables call `record` once for
 * each statement, so nothing that is written bypasses them; rows of `entry` are only added and pruned. `key` and
 * `owner_key` are arrays of JSON, as text. The id of an entry is given while its row is locked: for one row, ids are in
 * the order of the changes. All entries of a transaction have the time of its first one, so that no point in time is
 * within it. A child that gets another owner leaves the one and is added to the other.
 */
export const HISTORY: readonly string[] = [
  'CREATE SCHEMA IF NOT EXISTS history',
  `CREATE TABLE history.change (
  id uuid NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  username text,
  acting_service text,
  client_id text,
  session_id text,
  trace_id text,
  reason text,
  database_user text NOT NULL,
  CONSTRAINT pk_change PRIMARY KEY (id, recorded_at)
) PARTITION BY RANGE (recorded_at)`,
  'CREATE INDEX ix_change__username ON history.change (username, recorded_at)',
  'CREATE SEQUENCE history.entry_id',
  `CREATE TABLE history.entry (
  id bigint NOT NULL DEFAULT nextval('history.entry_id'),
  recorded_at timestamptz(3) NOT NULL,
  change_id uuid NOT NULL,
  source text NOT NULL,
  key text NOT NULL,
  owner_key text,
  before jsonb,
  after jsonb,
  secrets text[],
  CONSTRAINT pk_entry PRIMARY KEY (id, recorded_at)
) PARTITION BY RANGE (recorded_at)`,
  'CREATE INDEX ix_entry__key ON history.entry (source, key, id)',
  'CREATE INDEX ix_entry__owner_key ON history.entry (source, owner_key, id) WHERE owner_key IS NOT NULL',
  'CREATE INDEX ix_entry__change_id ON history.entry (change_id)',
  'CREATE TABLE history.change_default PARTITION OF history.change DEFAULT',
  'CREATE TABLE history.entry_default PARTITION OF history.entry DEFAULT',
  makePartitions('CREATE', ['change', 'entry']),
  'SELECT history.make_partitions(2)',
  `CREATE FUNCTION history.key_of(state jsonb, columns text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(state -> columns[1]) <> 'null' THEN CASE cardinality(columns)
    WHEN 1 THEN '[' || (state -> columns[1])::text || ']'
    ELSE (SELECT jsonb_agg(state -> u.name ORDER BY u.at)::text FROM unnest(columns) WITH ORDINALITY u(name, at)) END END
$$`,
  recordFunction('CREATE', { declared: '', read: '', recorded: '' }),
  `CREATE FUNCTION history.state_at(of_source text, of_key text, upto bigint, present jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(present, '{}') || s.state FROM (
    (SELECT 1 AS rank, e.after AS state FROM history.entry e
      WHERE e.source = of_source AND e.key = of_key AND e.id <= upto ORDER BY e.id DESC LIMIT 1)
    UNION ALL
    (SELECT 2, e.before FROM history.entry e
      WHERE e.source = of_source AND e.key = of_key AND e.id > upto ORDER BY e.id LIMIT 1)
    UNION ALL SELECT 3, present
    ORDER BY rank LIMIT 1) s
$$`,
];

/** Changes are read in their order (contract/history.md#changes); a row of `entry` has the time of its change. */
export const HISTORY_IN_ORDER: readonly string[] = [
  'ALTER TABLE history.change DROP CONSTRAINT pk_change, ADD CONSTRAINT pk_change PRIMARY KEY (recorded_at, id)',
];

/** `key_of` without a subquery, so that PostgreSQL inlines it: a trigger takes half the time. */
export const HISTORY_KEYS: readonly string[] = [
  `CREATE FUNCTION history.long_key_of(state jsonb, columns text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_agg(state -> u.name ORDER BY u.at)::text FROM unnest(columns) WITH ORDINALITY u(name, at)
$$`,
  `CREATE OR REPLACE FUNCTION history.key_of(state jsonb, columns text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(state -> columns[1]) <> 'null' THEN CASE cardinality(columns)
    WHEN 1 THEN '[' || (state -> columns[1])::text || ']' ELSE history.long_key_of(state, columns) END END
$$`,
];

/** Updates of one row are recorded in less time. */
export const HISTORY_OF_ROWS: readonly string[] = [recordFunction('CREATE OR REPLACE', SINGLE_ROW)];

/**
 * Changes of values of dynamic attributes (contract/history.md#recorded). Before a write of such values, the service names
 * the attributes that are recorded, with the `source` of their entries: values of all entities are in one table, and have
 * the keys of their owners as texts. Other writes call nothing.
 */
export const HISTORY_OF_VALUES: readonly string[] = [
  `CREATE FUNCTION history.record_values() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog SET timezone = 'UTC' SET datestyle = 'ISO' SET extra_float_digits = 1 AS $$
DECLARE
  recorded jsonb := current_setting('lintel.history_values');
  known text := nullif(current_setting('lintel.history_change', true), '');
  present uuid := coalesce(split_part(known, ' ', 1)::uuid, gen_random_uuid());
  moment timestamptz(3) := coalesce(substr(known, 38)::timestamptz, clock_timestamp());
  context jsonb := nullif(current_setting('lintel.history', true), '');
BEGIN
  INSERT INTO history.entry (recorded_at, change_id, source, key, owner_key, before, after)
  SELECT moment, present, a.recorded ->> 'source', history.key_of(v.state, '{attribute_id,owner_key,position}'),
    CASE WHEN a.recorded ? 'isNumber' THEN '[' || (v.state ->> 'owner_key') || ']'
      ELSE history.key_of(v.state, '{owner_key}') END,
    CASE TG_OP WHEN 'DELETE' THEN v.state END, CASE TG_OP WHEN 'INSERT' THEN v.state END
  FROM (SELECT jsonb_strip_nulls(to_jsonb(c)) AS state FROM changed c OFFSET 0) v
  CROSS JOIN LATERAL (SELECT recorded -> (v.state ->> 'attribute_id') AS recorded) a WHERE a.recorded IS NOT NULL;
  IF FOUND AND known IS NULL THEN
    INSERT INTO history.change
      (id, recorded_at, username, acting_service, client_id, session_id, trace_id, reason, database_user)
    VALUES (present, moment, context ->> 'username', context ->> 'actingService', context ->> 'clientId',
      context ->> 'sessionId', context ->> 'traceId', context ->> 'reason', session_user);
    PERFORM set_config('lintel.history_change', present || ' ' || moment, true);
  END IF;
  RETURN NULL;
END $$`,
  'REVOKE ALL ON FUNCTION history.record_values FROM PUBLIC',
  ...(['INSERT', 'DELETE'] as const).map(
    (event) => `CREATE TRIGGER history_${event.toLowerCase()} AFTER ${event} ON dynat.attribute_value
REFERENCING ${event === 'INSERT' ? 'NEW' : 'OLD'} TABLE AS changed FOR EACH STATEMENT
WHEN (current_setting('lintel.history_values', true) <> '') EXECUTE FUNCTION history.record_values()`,
  ),
];

/**
 * Who has read which instances of marked entities (contract/access-log.md), one row for each entity and response, or for
 * a part of its ids. The service gives the ids of rows, so that none is stored twice when a write is repeated. The index
 * of ids has no pending list: emptying it would block readers for seconds.
 */
export const ACCESS_LOG: readonly string[] = [
  `CREATE TABLE history.access (
  id uuid NOT NULL,
  recorded_at timestamptz(3) NOT NULL,
  username text NOT NULL,
  seen_as text,
  acting_service text,
  client_id text,
  session_id text,
  trace_id text,
  operation text NOT NULL,
  entity text NOT NULL,
  ids text[],
  count integer NOT NULL,
  CONSTRAINT pk_access PRIMARY KEY (id, recorded_at)
) PARTITION BY RANGE (recorded_at)`,
  'CREATE INDEX ix_access__entity ON history.access (entity, recorded_at, id)',
  'CREATE INDEX ix_access__username ON history.access (username, recorded_at, id)',
  'CREATE INDEX ix_access__ids ON history.access USING gin (ids) WITH (fastupdate = off)',
  'CREATE TABLE history.access_default PARTITION OF history.access DEFAULT',
  makePartitions('CREATE OR REPLACE', ['change', 'entry', 'access']),
  'SELECT history.make_partitions(2)',
];

const KEYS = 'history.key_of(STATE, key_columns), history.key_of(STATE, owner_columns)';

/** The row before or after, as JSON, of each changed one. */
const each = (rows: 'old_rows' | 'new_rows'): string => `(SELECT to_jsonb(r) AS state FROM ${rows} r OFFSET 0) s`;

/** Adds the keys. */
const keyed = (rows: 'old_rows' | 'new_rows'): string => `(SELECT s.state, history.key_of(s.state, key_columns) AS key,
      coalesce(history.key_of(s.state, owner_columns), '') AS owner FROM ${each(rows)})`;

/**
 * Records in less time: an update of one row is one statement, only updates read what they alone need, and no entry is
 * found by its id.
 */
export const HISTORY_IN_LESS_TIME: readonly string[] = [
  'ALTER TABLE history.entry DROP CONSTRAINT pk_entry',
  `CREATE OR REPLACE FUNCTION history.key_of(state jsonb, columns text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN columns[2] IS NULL THEN '[' || nullif(state -> columns[1], 'null')::text || ']'
    WHEN jsonb_typeof(state -> columns[1]) <> 'null' THEN history.long_key_of(state, columns) END
$$`,
  `CREATE OR REPLACE FUNCTION history.record() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog SET timezone = 'UTC' SET datestyle = 'ISO' SET extra_float_digits = 1 AS $$
#variable_conflict use_column
DECLARE
  changed_table text := TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME;
  known text := current_setting('lintel.history_change', true);
  present uuid := coalesce(nullif(left(known, 36), '')::uuid, gen_random_uuid());
  moment timestamptz(3) := coalesce(nullif(substr(known, 38), '')::timestamptz, clock_timestamp());
  key_columns text[] := TG_ARGV[0];
  owner_columns text[] := TG_ARGV[1];
  omitted text[] := TG_ARGV[2];
  context jsonb;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO history.entry (recorded_at, change_id, source, key, owner_key, after)
    SELECT moment, present, changed_table, ${KEYS.replaceAll('STATE', 's.state')}, s.state - omitted FROM ${each('new_rows')};
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO history.entry (recorded_at, change_id, source, key, owner_key, before)
    SELECT moment, present, changed_table, ${KEYS.replaceAll('STATE', 's.state')}, s.state - omitted FROM ${each('old_rows')};
  ELSE
    DECLARE
      secret text[] := TG_ARGV[3];
      left_out text[] := TG_ARGV[4]::text[] || omitted;
    BEGIN
      IF secret = '{}' THEN
        -- One row needs no join of the former and the present ones.
        INSERT INTO history.entry (recorded_at, change_id, source, key, owner_key, before, after)
        SELECT moment, present, changed_table, ${KEYS.replaceAll('STATE', 's.n')}, s.o - omitted, s.n - omitted
        FROM (SELECT to_jsonb(o) AS o, to_jsonb(n) AS n FROM old_rows o, new_rows n LIMIT 1) s
        WHERE NOT EXISTS (SELECT FROM new_rows OFFSET 1) AND s.o - left_out <> s.n - left_out
          AND history.key_of(s.o, key_columns) = history.key_of(s.n, key_columns)
          AND history.key_of(s.o, owner_columns) IS NOT DISTINCT FROM history.key_of(s.n, owner_columns);
      END IF;
      IF secret <> '{}' OR NOT FOUND THEN
        WITH o AS MATERIALIZED ${keyed('old_rows')}, n AS MATERIALIZED ${keyed('new_rows')}
        INSERT INTO history.entry (recorded_at, change_id, source, key, owner_key, before, after, secrets)
        SELECT moment, present, changed_table, coalesce(n.key, o.key), nullif(coalesce(n.owner, o.owner), ''),
          o.state - omitted, n.state - omitted,
          CASE WHEN secret <> '{}' THEN ARRAY(
            SELECT u FROM unnest(secret) u WHERE o.state -> u IS DISTINCT FROM n.state -> u) END
        FROM o FULL JOIN n ON n.key = o.key AND n.owner = o.owner
        WHERE o.state - left_out IS DISTINCT FROM n.state - left_out OR (secret <> '{}'
          AND EXISTS (SELECT FROM unnest(secret) u WHERE o.state -> u IS DISTINCT FROM n.state -> u))
        ORDER BY n.key NULLS FIRST;
      END IF;
    END;
  END IF;
  IF FOUND AND coalesce(known, '') = '' THEN
    context := nullif(current_setting('lintel.history', true), '');
    INSERT INTO history.change
      (id, recorded_at, username, acting_service, client_id, session_id, trace_id, reason, database_user)
    VALUES (present, moment, context ->> 'username', context ->> 'actingService', context ->> 'clientId',
      context ->> 'sessionId', context ->> 'traceId', context ->> 'reason', session_user);
    PERFORM set_config('lintel.history_change', present || ' ' || moment, true);
  END IF;
  RETURN NULL;
END $$`,
];
