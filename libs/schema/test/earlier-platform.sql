BEGIN;
CREATE SCHEMA IF NOT EXISTS lintel;
CREATE TABLE IF NOT EXISTS lintel.migration (
  id serial NOT NULL,
  timestamp bigint NOT NULL,
  name varchar NOT NULL,
  CONSTRAINT pk_migration PRIMARY KEY (id)
);
ALTER TABLE lintel.migration ADD COLUMN IF NOT EXISTS checksum varchar(64);
ALTER TABLE lintel.migration ADD COLUMN IF NOT EXISTS executed_at timestamptz(3) DEFAULT now();

-- 1763683200000-platform-events
CREATE SCHEMA IF NOT EXISTS events;
CREATE TABLE events.outbox (
  position bigint GENERATED ALWAYS AS IDENTITY,
  id uuid NOT NULL,
  type text NOT NULL,
  subject text,
  envelope json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  published_at timestamptz(3),
  CONSTRAINT pk_outbox PRIMARY KEY (position)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX ix_outbox__unpublished ON events.outbox (position) WHERE published_at IS NULL;
CREATE INDEX ix_outbox__published_at ON events.outbox (published_at) WHERE published_at IS NOT NULL;
CREATE TABLE events.inbox (
  consumer text NOT NULL,
  event_id text NOT NULL,
  handled_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_inbox PRIMARY KEY (consumer, event_id)
);
CREATE INDEX ix_inbox__handled_at ON events.inbox (handled_at);
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200000, 'platform-events-1763683200000', 'c48a2b5ad7fbe2eafbcd1aa0cdfde09a01db02aba3a545c558ae36e60fbe431b');

-- 1763683200001-platform-security
CREATE SCHEMA IF NOT EXISTS sec;
CREATE TABLE sec."user" (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  username varchar(255) NOT NULL,
  password varchar(255),
  first_name varchar(255),
  last_name varchar(255),
  email varchar(255),
  active boolean,
  locale varchar(20),
  time_zone_id varchar(50),
  country varchar(2),
  CONSTRAINT pk_user PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_user__username ON sec."user" (username);
CREATE TABLE sec.role_assignment (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  username varchar(255) NOT NULL,
  role_code varchar(255) NOT NULL,
  role_type varchar(20) NOT NULL,
  CONSTRAINT pk_role_assignment PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_role_assignment__username__role_code__role_type
ON sec.role_assignment (username, role_code, role_type);
CREATE FUNCTION sec.replace_password_hash("user" uuid, old text, new text) RETURNS boolean
LANGUAGE sql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
  WITH replaced AS (UPDATE sec."user" SET password = $3 WHERE id = $1 AND password = $2 RETURNING 1)
  SELECT EXISTS (SELECT FROM replaced)
$$;
REVOKE ALL ON FUNCTION sec.replace_password_hash(uuid, text, text) FROM PUBLIC;
DO $$
BEGIN
  CREATE ROLE lintel_sec_reader NOLOGIN;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
  WHEN insufficient_privilege THEN RAISE NOTICE 'role lintel_sec_reader was not created: no privilege';
END $$;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lintel_sec_reader') THEN
    GRANT USAGE ON SCHEMA sec TO lintel_sec_reader;
    GRANT SELECT ON sec."user", sec.role_assignment TO lintel_sec_reader;
    GRANT EXECUTE ON FUNCTION sec.replace_password_hash(uuid, text, text) TO lintel_sec_reader;
  END IF;
END $$;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200001, 'platform-security-1763683200001', '979d251bff75e1612e6d873145ba03ec1d504c671b7f3f2abb16fe7601c7abfc');

-- 1763683200002-platform-auth
CREATE SCHEMA IF NOT EXISTS auth;
CREATE TABLE auth.oidc_model (
  model text NOT NULL,
  id text NOT NULL,
  payload jsonb NOT NULL,
  expires_at timestamptz(3),
  grant_id text,
  uid text,
  user_code text,
  CONSTRAINT pk_oidc_model PRIMARY KEY (model, id)
);
CREATE INDEX ix_oidc_model__grant_id ON auth.oidc_model (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX ix_oidc_model__uid ON auth.oidc_model (model, uid) WHERE uid IS NOT NULL;
CREATE INDEX ix_oidc_model__user_code ON auth.oidc_model (model, user_code) WHERE user_code IS NOT NULL;
CREATE INDEX ix_oidc_model__expires_at ON auth.oidc_model (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE auth.signing_key (
  kid text NOT NULL,
  algorithm text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_jwk_encrypted bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  retired_at timestamptz(3),
  CONSTRAINT pk_signing_key PRIMARY KEY (kid)
);
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200002, 'platform-auth-1763683200002', '655205d3cf26d768a17d590ba78d147e73dda4e3219a7f3480f212db1ffa036a');

-- 1763683200003-platform-dynamic-attributes
CREATE SCHEMA IF NOT EXISTS dynat;
CREATE TABLE dynat.category (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  deleted_date timestamp(3),
  deleted_by varchar(255),
  name varchar(255) NOT NULL,
  entity_type varchar(255) NOT NULL,
  is_default boolean,
  locale_names text,
  CONSTRAINT pk_category PRIMARY KEY (id)
);
CREATE TABLE dynat.category_attribute (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  deleted_date timestamp(3),
  deleted_by varchar(255),
  category_id uuid NOT NULL,
  category_entity_type varchar(255),
  name varchar(255) NOT NULL,
  code varchar(50) NOT NULL,
  description text,
  data_type varchar(50) NOT NULL,
  entity_class varchar(255),
  enumeration text,
  is_collection boolean,
  required boolean,
  order_no integer,
  locale_names text,
  locale_descriptions text,
  CONSTRAINT pk_category_attribute PRIMARY KEY (id),
  CONSTRAINT fk_category_attribute__category_id FOREIGN KEY (category_id) REFERENCES dynat.category (id)
);
CREATE INDEX ix_category_attribute__category_id ON dynat.category_attribute (category_id);
CREATE UNIQUE INDEX uq_category_attribute__category_entity_type__code__live
ON dynat.category_attribute (category_entity_type, code) WHERE deleted_date IS NULL;
CREATE TABLE dynat.attribute_value (
  attribute_id uuid NOT NULL,
  owner_key text NOT NULL,
  position integer NOT NULL,
  string_value text,
  integer_value integer,
  double_value double precision,
  decimal_value numeric,
  date_time_value timestamp(3),
  date_value date,
  boolean_value boolean,
  target_uuid uuid,
  target_number bigint,
  target_text text,
  CONSTRAINT pk_attribute_value PRIMARY KEY (attribute_id, owner_key, position),
  CONSTRAINT fk_attribute_value__attribute_id FOREIGN KEY (attribute_id)
    REFERENCES dynat.category_attribute (id) ON DELETE CASCADE,
  CONSTRAINT ck_attribute_value__one CHECK (num_nonnulls(string_value, integer_value, double_value, decimal_value,
    date_time_value, date_value, boolean_value, target_uuid, target_number, target_text) = 1)
);
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200003, 'platform-dynamic-attributes-1763683200003', 'eb5c2debb86599e65eff72c792346db962ec7aa7a1bd2b43b71a5e0b5cff142b');

-- 1763683200004-platform-idempotency
CREATE TABLE lintel.idempotent_request (
  principal text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  status smallint NOT NULL,
  headers json NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_idempotent_request PRIMARY KEY (principal, key)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX ix_idempotent_request__created_at ON lintel.idempotent_request (created_at);
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200004, 'platform-idempotency-1763683200004', '40a35f49818af7343c600a2b82cfa393a8e48a1c52ef57a1377943948692ec68');

-- 1763683200005-platform-roles
CREATE TABLE sec.resource_role (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  name varchar(255) NOT NULL,
  code varchar(255) NOT NULL,
  description text,
  CONSTRAINT pk_resource_role PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_resource_role__code ON sec.resource_role (code);
CREATE TABLE sec.resource_role_scopes (
  resource_role_id uuid NOT NULL,
  position integer NOT NULL,
  value varchar(10) NOT NULL,
  CONSTRAINT pk_resource_role_scopes PRIMARY KEY (resource_role_id, position),
  CONSTRAINT fk_resource_role_scopes__resource_role_id FOREIGN KEY (resource_role_id)
    REFERENCES sec.resource_role (id) ON DELETE CASCADE
);
CREATE TABLE sec.resource_role_child_roles (
  resource_role_id uuid NOT NULL,
  position integer NOT NULL,
  value varchar(255) NOT NULL,
  CONSTRAINT pk_resource_role_child_roles PRIMARY KEY (resource_role_id, position),
  CONSTRAINT fk_resource_role_child_roles__resource_role_id FOREIGN KEY (resource_role_id)
    REFERENCES sec.resource_role (id) ON DELETE CASCADE
);
CREATE TABLE sec.resource_policy (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  role_id uuid NOT NULL,
  type varchar(30) NOT NULL,
  policy_group varchar(255),
  resource varchar(500) NOT NULL,
  action varchar(30) NOT NULL,
  effect varchar(10) NOT NULL,
  CONSTRAINT pk_resource_policy PRIMARY KEY (id),
  CONSTRAINT fk_resource_policy__role_id FOREIGN KEY (role_id) REFERENCES sec.resource_role (id)
);
CREATE INDEX ix_resource_policy__role_id ON sec.resource_policy (role_id);
CREATE TABLE sec.row_level_role (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  name varchar(255) NOT NULL,
  code varchar(255) NOT NULL,
  description text,
  CONSTRAINT pk_row_level_role PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_row_level_role__code ON sec.row_level_role (code);
CREATE TABLE sec.row_level_policy (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  role_id uuid NOT NULL,
  type varchar(30) NOT NULL,
  entity_name varchar(255) NOT NULL,
  action varchar(100) NOT NULL,
  where_clause text,
  join_clause text,
  script text,
  CONSTRAINT pk_row_level_policy PRIMARY KEY (id),
  CONSTRAINT fk_row_level_policy__role_id FOREIGN KEY (role_id) REFERENCES sec.row_level_role (id)
);
CREATE INDEX ix_row_level_policy__role_id ON sec.row_level_policy (role_id);
CREATE VIEW sec.role_snapshot AS
SELECT md5(s.body::text) AS version, s.body
FROM (
  SELECT jsonb_build_object(
    'resourceRoles', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'code', r.code,
        'name', r.name,
        'description', r.description,
        'scopes', (
        SELECT coalesce(jsonb_agg(e.value ORDER BY e.position), '[]'::jsonb)
        FROM sec.resource_role_scopes e WHERE e.resource_role_id = r.id),
        'childRoles', (
        SELECT coalesce(jsonb_agg(e.value ORDER BY e.position), '[]'::jsonb)
        FROM sec.resource_role_child_roles e WHERE e.resource_role_id = r.id),
        'policies', (
          SELECT coalesce(jsonb_agg(jsonb_build_object(
            'type', p.type, 'resource', p.resource, 'action', p.action, 'effect', p.effect
          ) ORDER BY p.id), '[]'::jsonb)
          FROM sec.resource_policy p WHERE p.role_id = r.id)
      ) ORDER BY r.code), '[]'::jsonb)
      FROM sec.resource_role r),
    'rowLevelRoles', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'code', r.code,
        'name', r.name,
        'policies', (
          SELECT coalesce(jsonb_agg(jsonb_build_object(
            'type', p.type, 'entityName', p.entity_name, 'action', p.action,
            'whereClause', p.where_clause, 'joinClause', p.join_clause, 'script', p.script
          ) ORDER BY p.id), '[]'::jsonb)
          FROM sec.row_level_policy p WHERE p.role_id = r.id)
      ) ORDER BY r.code), '[]'::jsonb)
      FROM sec.row_level_role r)
  ) AS body
) s;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lintel_sec_reader') THEN
    GRANT SELECT ON sec.role_snapshot TO lintel_sec_reader;
  END IF;
END $$;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200005, 'platform-roles-1763683200005', 'ff6acb33ffbb31e3d134da301cd06cbdaaf594aa3299ce7fa9c29a49d463f752');

-- 1763683200007-platform-messages
CREATE SCHEMA sys;
CREATE TABLE sys.message (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  key varchar(500) NOT NULL,
  locale varchar(20) NOT NULL,
  text text NOT NULL,
  CONSTRAINT pk_message PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_message__key__locale ON sys.message (key, locale);
CREATE VIEW sys.message_snapshot AS
SELECT md5(s.body::text) AS version, s.body
FROM (
  SELECT coalesce(
    jsonb_agg(jsonb_build_object('key', m.key, 'locale', m.locale, 'text', m.text) ORDER BY m.key, m.locale),
    '[]'::jsonb
  ) AS body
  FROM sys.message m
) s;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lintel_sec_reader') THEN
    GRANT USAGE ON SCHEMA sys TO lintel_sec_reader;
    GRANT SELECT ON sys.message_snapshot TO lintel_sec_reader;
  END IF;
END $$;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200007, 'platform-messages-1763683200007', '0606399df96ad98d262bb3c93fb86641aa25a4331d417421110307b27b8a80c3');

-- 1763683200008-platform-report-runs
CREATE SCHEMA report_run;
CREATE TABLE report_run.run (
  id uuid NOT NULL,
  username varchar(255) NOT NULL,
  report_id uuid NOT NULL,
  report_code varchar(255),
  report_name varchar(255) NOT NULL,
  template_code varchar(255),
  request text NOT NULL,
  locale varchar(20) NOT NULL,
  session_id varchar(255) NOT NULL,
  waiting_token text,
  status varchar(20) NOT NULL,
  phase varchar(20),
  rows_read bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  lease_id uuid,
  lease_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  queued_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  failure jsonb,
  result jsonb,
  CONSTRAINT pk_run PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX ix_run__unfinished ON report_run.run (status, lease_until, queued_at)
WHERE status IN ('QUEUED', 'RUNNING');
CREATE INDEX ix_run__finished_at ON report_run.run (finished_at) WHERE finished_at IS NOT NULL;
DO $$
BEGIN
  CREATE ROLE lintel_report_runner NOLOGIN;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
  WHEN insufficient_privilege THEN RAISE NOTICE 'role lintel_report_runner was not created: no privilege';
END $$;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lintel_report_runner') THEN
    GRANT USAGE ON SCHEMA report_run TO lintel_report_runner;
    GRANT SELECT, INSERT, UPDATE, DELETE ON report_run.run TO lintel_report_runner;
  END IF;
END $$;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200008, 'platform-report-runs-1763683200008', '17f260cfedfcf8a53e8e7456bdd9add142aa8b64d75f7592f7ebbb43cc57f958');

-- 1763683200009-platform-reports
CREATE SCHEMA report;
CREATE TABLE report.report_group (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  title varchar(255) NOT NULL,
  code varchar(255),
  locale_names text,
  CONSTRAINT pk_report_group PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_report_group__title ON report.report_group (title);
CREATE UNIQUE INDEX uq_report_group__code ON report.report_group (code);
INSERT INTO report.report_group (id, version, title, code)
VALUES ('4e083530-0b9c-11e1-9b41-6bdaa41bff94', 1, 'General', 'ReportGroup.default');
CREATE TABLE report.report (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  deleted_date timestamp(3),
  deleted_by varchar(255),
  name varchar(255) NOT NULL,
  code varchar(255) NOT NULL,
  locale_names text,
  description varchar(500),
  group_id uuid,
  rest_access boolean NOT NULL,
  definition text NOT NULL,
  CONSTRAINT pk_report PRIMARY KEY (id),
  CONSTRAINT fk_report__group_id FOREIGN KEY (group_id) REFERENCES report.report_group (id)
);
CREATE INDEX ix_report__group_id ON report.report (group_id);
CREATE UNIQUE INDEX uq_report__code__live ON report.report (code) WHERE deleted_date IS NULL;
CREATE UNIQUE INDEX uq_report__name__live ON report.report (name) WHERE deleted_date IS NULL;
CREATE TABLE report.report_template (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  deleted_date timestamp(3),
  deleted_by varchar(255),
  report_id uuid NOT NULL,
  code varchar(255) NOT NULL,
  report_output_type integer NOT NULL,
  is_default boolean NOT NULL,
  name varchar(255) NOT NULL,
  content text NOT NULL,
  output_name_pattern varchar(255),
  CONSTRAINT pk_report_template PRIMARY KEY (id),
  CONSTRAINT fk_report_template__report_id FOREIGN KEY (report_id) REFERENCES report.report (id)
);
CREATE UNIQUE INDEX uq_report_template__report_id__code__live
ON report.report_template (report_id, code) WHERE deleted_date IS NULL;
CREATE INDEX ix_report_template__report_id ON report.report_template (report_id);
CREATE TABLE report.report_execution (
  id uuid NOT NULL,
  report_id uuid,
  report_name varchar(255) NOT NULL,
  report_code varchar(255),
  username varchar(255) NOT NULL,
  start_time timestamp(3) NOT NULL,
  finish_time timestamp(3),
  success boolean,
  cancelled boolean,
  params text,
  error_message text,
  output_document text,
  CONSTRAINT pk_report_execution PRIMARY KEY (id),
  CONSTRAINT fk_report_execution__report_id FOREIGN KEY (report_id) REFERENCES report.report (id)
);
CREATE INDEX ix_report_execution__report_id ON report.report_execution (report_id);
CREATE INDEX ix_report_execution__start_time ON report.report_execution (start_time);
CREATE VIEW report.report_snapshot AS
SELECT md5(s.body::text) AS version, s.body
FROM (
  SELECT jsonb_build_object(
    'groups', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'id', g.id, 'title', g.title, 'code', g.code, 'localeNames', g.locale_names
      ) ORDER BY g.title), '[]'::jsonb)
      FROM report.report_group g),
    'reports', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'id', r.id,
        'name', r.name,
        'code', r.code,
        'localeNames', r.locale_names,
        'group', r.group_id,
        'restAccess', r.rest_access,
        'definition', r.definition,
        'templates', (
          SELECT coalesce(jsonb_agg(jsonb_build_object(
            'code', t.code, 'outputType', t.report_output_type, 'isDefault', t.is_default,
            'name', t.name, 'content', t.content, 'outputNamePattern', t.output_name_pattern
          ) ORDER BY t.code), '[]'::jsonb)
          FROM report.report_template t WHERE t.report_id = r.id AND t.deleted_date IS NULL)
      ) ORDER BY r.name), '[]'::jsonb)
      FROM report.report r WHERE r.deleted_date IS NULL)
  ) AS body
) s;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lintel_sec_reader') THEN
    GRANT USAGE ON SCHEMA report TO lintel_sec_reader;
    GRANT SELECT ON report.report_snapshot TO lintel_sec_reader;
  END IF;
END $$;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lintel_report_runner') THEN
    GRANT USAGE ON SCHEMA report TO lintel_report_runner;
    GRANT SELECT ON report.report_snapshot TO lintel_report_runner;
    GRANT SELECT, INSERT, UPDATE, DELETE ON report.report_execution TO lintel_report_runner;
  END IF;
END $$;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200009, 'platform-reports-1763683200009', '56542496ce054a7bb05a16c24de8d03c935b733a94f5ce11a54c4ded39bf3b20');

-- 1763683200010-platform-report-reader
DO $$
BEGIN
  CREATE ROLE lintel_report_reader NOLOGIN;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
  WHEN insufficient_privilege THEN RAISE NOTICE 'role lintel_report_reader was not created: no privilege';
END $$;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200010, 'platform-report-reader-1763683200010', '1d54220fda030aae4661f29241ae0f49113271eb1be0af2a06f33a8ddf1e70f8');

-- 1763683200011-platform-event-positions
CREATE SEQUENCE events.published_position;
ALTER TABLE events.outbox ADD COLUMN published_position bigint;
CREATE FUNCTION events.number_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.published_position := nextval('events.published_position');
  RETURN NEW;
END $$;
CREATE TRIGGER outbox_number_published BEFORE UPDATE OF published_at ON events.outbox FOR EACH ROW
WHEN (NEW.published_at IS NOT NULL AND NEW.published_position IS NULL AND OLD.published_at IS NULL)
EXECUTE FUNCTION events.number_published();
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200011, 'platform-event-positions-1763683200011', '67cb7f3e3cf1045b6bac722799b80023116de76bc990da05e0f57319a6729488');

-- 1763683200012-platform-event-positions-index
CREATE UNIQUE INDEX uq_outbox__published_position ON events.outbox (published_position)
WHERE published_position IS NOT NULL;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200012, 'platform-event-positions-index-1763683200012', 'dd6a9255a91e539109199a026e311358111180931b3da86f8c59e9c493f5f94a');

-- 1763683200013-platform-webhooks
CREATE TABLE sys.webhook (
  id uuid NOT NULL,
  version integer NOT NULL,
  created_date timestamp(3),
  created_by varchar(255),
  last_modified_date timestamp(3),
  last_modified_by varchar(255),
  name varchar(255) NOT NULL,
  url varchar(2000) NOT NULL,
  entity_name varchar(255) NOT NULL,
  changes varchar(50) NOT NULL,
  filter text,
  active boolean NOT NULL,
  owner varchar(255) NOT NULL,
  secret varchar(1000) NOT NULL,
  previous_secret varchar(1000),
  previous_secret_until timestamp(3),
  replay_from timestamp(3),
  CONSTRAINT pk_webhook PRIMARY KEY (id)
);
CREATE TABLE sys.webhook_delivery (
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  webhook_id uuid NOT NULL,
  webhook_name varchar(255) NOT NULL,
  event_id varchar(255) NOT NULL,
  entity_name varchar(255) NOT NULL,
  entity_id text NOT NULL,
  change varchar(10) NOT NULL,
  changed_attributes text,
  changed_at timestamp(3) NOT NULL,
  lane varchar(32) NOT NULL,
  state varchar(20) NOT NULL,
  attempts integer NOT NULL,
  queued_at timestamp(3) NOT NULL,
  next_attempt timestamp(3),
  last_attempt timestamp(3),
  last_status integer,
  last_error varchar(1000),
  duration integer,
  finished_at timestamp(3),
  lease_id uuid,
  lease_until timestamp(3),
  CONSTRAINT pk_webhook_delivery PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE UNIQUE INDEX uq_webhook_delivery__webhook_id__event_id ON sys.webhook_delivery (webhook_id, event_id);
CREATE INDEX ix_webhook_delivery__webhook_id__changed_at ON sys.webhook_delivery (webhook_id, changed_at);
CREATE INDEX ix_webhook_delivery__finished_at ON sys.webhook_delivery (finished_at);
CREATE INDEX ix_webhook_delivery__webhook_id__state__next_attempt
ON sys.webhook_delivery (webhook_id, state, next_attempt);
CREATE INDEX ix_webhook_delivery__webhook_id__state__lane ON sys.webhook_delivery (webhook_id, state, lane);
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200013, 'platform-webhooks-1763683200013', 'b413cdc5c4bd0b39b9374a0568d2cbad0c8174e95393b26921d1e48627da7b26');

-- 1763683200014-platform-row-policy-actions
UPDATE sec.row_level_policy SET action = 'read' WHERE type = 'query' AND action <> 'read';
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200014, 'platform-row-policy-actions-1763683200014', '491f50f86eebb8ff11578d5d5830e8283b2abc0221dc909078b6f3e73174e6b3');

-- 1763683200015-platform-report-codes
ALTER TABLE report.report ALTER COLUMN code DROP NOT NULL;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200015, 'platform-report-codes-1763683200015', '36688ae3524fe3bd82d95d38edcc89108ad7b065f5a2e45f6ca25eab392dc29c');

-- 1763683200016-platform-no-inbox
DROP TABLE events.inbox;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200016, 'platform-no-inbox-1763683200016', 'ba7f0ad4735ffaa70e796000939ef88b262f29799ed8c09bf0d87e8a127c3978');

-- 1763683200020-platform-federation
CREATE TABLE auth.federated_user (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_federated_user PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX uq_federated_user__user_id ON auth.federated_user (user_id, issuer);
CREATE TABLE auth.federated_login (
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
);
CREATE INDEX ix_federated_login__subject ON auth.federated_login (issuer, subject);
CREATE INDEX ix_federated_login__sid ON auth.federated_login (issuer, sid) WHERE sid IS NOT NULL;
CREATE INDEX ix_federated_login__expires_at ON auth.federated_login (expires_at);
CREATE TABLE auth.federated_grant (
  grant_id text NOT NULL,
  login_id text NOT NULL,
  CONSTRAINT pk_federated_grant PRIMARY KEY (grant_id),
  CONSTRAINT fk_federated_grant__login FOREIGN KEY (login_id) REFERENCES auth.federated_login (id) ON DELETE CASCADE
);
CREATE INDEX ix_federated_grant__login_id ON auth.federated_grant (login_id);
CREATE TABLE sec.federated_assignment (
  assignment_id uuid NOT NULL,
  source text NOT NULL,
  CONSTRAINT pk_federated_assignment PRIMARY KEY (assignment_id, source),
  CONSTRAINT fk_federated_assignment__assignment FOREIGN KEY (assignment_id)
    REFERENCES sec.role_assignment (id) ON DELETE CASCADE
);
CREATE FUNCTION sec.publish_federated_change(type text, subject text, data jsonb) RETURNS void
LANGUAGE sql VOLATILE STRICT SET search_path = pg_catalog
AS $$
  INSERT INTO events.outbox (id, type, subject, envelope)
  SELECT event.id, $1, $2, jsonb_build_object('specversion', '1.0', 'id', event.id, 'source', '/lintel/data',
    'type', $1, 'subject', $2, 'time', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'datacontenttype', 'application/json', 'data', $3)::json
  FROM (SELECT gen_random_uuid() AS id) AS event
$$;
CREATE FUNCTION sec.create_federated_user(
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
$$;
CREATE FUNCTION sec.follow_federated_roles(
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
$$;
REVOKE ALL ON FUNCTION sec.publish_federated_change(text, text, jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION sec.create_federated_user(uuid, text, text, text, text, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION sec.follow_federated_roles(text, text, text[], text[]) FROM PUBLIC;
DO $$
BEGIN
  CREATE ROLE lintel_federation NOLOGIN;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
  WHEN insufficient_privilege THEN RAISE NOTICE 'role lintel_federation was not created: no privilege';
END $$;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lintel_federation') THEN
    GRANT USAGE ON SCHEMA sec TO lintel_federation;
    GRANT EXECUTE ON FUNCTION sec.create_federated_user(uuid, text, text, text, text, text, text) TO lintel_federation;
    GRANT EXECUTE ON FUNCTION sec.follow_federated_roles(text, text, text[], text[]) TO lintel_federation;
  END IF;
END $$;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200020, 'platform-federation-1763683200020', 'c30d56b6da8e490d4f874c2a973e135981faa1f2f2bce773c9aaf93bca425b29');

-- 1763683200021-platform-login-history
CREATE TABLE auth.login_attempt (
  id bigint GENERATED ALWAYS AS IDENTITY,
  username text NOT NULL,
  outcome text NOT NULL,
  client_id text NOT NULL,
  address text NOT NULL,
  attempted_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_login_attempt PRIMARY KEY (id)
);
CREATE INDEX ix_login_attempt__username ON auth.login_attempt (username, id DESC);
CREATE INDEX ix_login_attempt__attempted_at ON auth.login_attempt (attempted_at);
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200021, 'platform-login-history-1763683200021', '8c004717fd2189eaf3dd581277fbafde8b7140584067d1b69e3c9ce95d779baf');

-- 1763683200024-platform-clients
CREATE TABLE auth.client (
  client_id text NOT NULL,
  metadata jsonb NOT NULL,
  enabled boolean NOT NULL,
  expires_at timestamptz(3),
  registration_token_hash text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  CONSTRAINT pk_client PRIMARY KEY (client_id)
);
CREATE INDEX ix_client__updated_at ON auth.client (updated_at);
CREATE TABLE auth.client_secret (
  id uuid NOT NULL,
  client_id text NOT NULL,
  hash text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  CONSTRAINT pk_client_secret PRIMARY KEY (id),
  CONSTRAINT fk_client_secret__client FOREIGN KEY (client_id) REFERENCES auth.client (client_id) ON DELETE CASCADE
);
CREATE INDEX ix_client_secret__client_id ON auth.client_secret (client_id);
CREATE INDEX ix_oidc_model__login_client ON auth.oidc_model ((payload->>'clientId')) WHERE model = 'Login';
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200024, 'platform-clients-1763683200024', 'd4301b3188333f9ee0fa06d81e565fae311edc5ffc0cec073cc477069e4024f5');

-- 1763683200025-platform-api-keys
CREATE TABLE auth.api_key (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  username text NOT NULL,
  name text NOT NULL,
  hint text NOT NULL,
  hash text NOT NULL,
  resource_roles text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  CONSTRAINT pk_api_key PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_api_key__hash ON auth.api_key (hash);
CREATE INDEX ix_api_key__user_id ON auth.api_key (user_id);
CREATE INDEX ix_api_key__username ON auth.api_key (username);
CREATE INDEX ix_api_key__expires_at ON auth.api_key (expires_at);
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200025, 'platform-api-keys-1763683200025', '2001fa3f0883c35ac916fb8b11d09d4f5835b89f626b1a7c3518a492358ae6ca');

-- 1763683200027-platform-passwords
CREATE TABLE auth.own_password (
  user_id uuid NOT NULL,
  credential text NOT NULL,
  chosen_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_own_password PRIMARY KEY (user_id)
);
CREATE TABLE auth.password_history (
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL,
  password_hash text NOT NULL,
  CONSTRAINT pk_password_history PRIMARY KEY (id)
);
CREATE INDEX ix_password_history__user_id ON auth.password_history (user_id, id DESC);
CREATE FUNCTION sec.change_password("user" uuid, old text, new text, source text) RETURNS boolean
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
$$;
REVOKE ALL ON FUNCTION sec.change_password(uuid, text, text, text) FROM PUBLIC;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lintel_sec_reader') THEN
    GRANT EXECUTE ON FUNCTION sec.change_password(uuid, text, text, text) TO lintel_sec_reader;
  END IF;
END $$;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200027, 'platform-passwords-1763683200027', 'a6688b7f995f6d8e1aa0fa36abc47761cdc903fc5e061ac929499dc93ab79edc');

-- 1763683200028-platform-password-resets
CREATE TABLE auth.password_reset (
  token_hash text NOT NULL,
  user_id uuid NOT NULL,
  username text NOT NULL,
  credential text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT pk_password_reset PRIMARY KEY (token_hash)
);
CREATE INDEX ix_password_reset__user_id ON auth.password_reset (user_id);
CREATE INDEX ix_password_reset__expires_at ON auth.password_reset (expires_at);
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200028, 'platform-password-resets-1763683200028', '7c868ff642d69338b1632be1b90172f85abe3791f73a5cc01f5fbba31dba1b42');

-- 1763683200029-platform-second-factors
CREATE TABLE auth.second_factor (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  secret_encrypted bytea,
  last_step bigint,
  credential_id text,
  public_key bytea,
  sign_count bigint,
  transports text[],
  CONSTRAINT pk_second_factor PRIMARY KEY (id),
  CONSTRAINT ck_second_factor__kind CHECK (
    kind = 'totp' AND secret_encrypted IS NOT NULL
    OR kind = 'passkey' AND credential_id IS NOT NULL AND public_key IS NOT NULL AND sign_count IS NOT NULL)
);
CREATE INDEX ix_second_factor__user_id ON auth.second_factor (user_id);
CREATE UNIQUE INDEX uq_second_factor__credential_id ON auth.second_factor (credential_id);
CREATE TABLE auth.recovery_code (
  user_id uuid NOT NULL,
  digest text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_recovery_code PRIMARY KEY (user_id, digest)
);
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200029, 'platform-second-factors-1763683200029', 'd3b33b664ee0b97419563ebefb29e2bdef287c51ffc3e5bf4b917f3a96882d59');

-- 1763683200032-platform-login-methods
ALTER TABLE auth.login_attempt ADD COLUMN method text NOT NULL DEFAULT 'password', ADD COLUMN provider text,
  ALTER COLUMN address DROP NOT NULL;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200032, 'platform-login-methods-1763683200032', 'c20413cc462dd2eda94cba0cd0e38edbc99f5ea450a154ecfd805001a75095ab');

-- 1763683200033-platform-provisioning
CREATE TABLE auth.scim_user (
  user_id uuid NOT NULL,
  external_id text,
  display_name text,
  revision integer NOT NULL DEFAULT 0,
  is_removed boolean NOT NULL DEFAULT false,
  role_table text,
  CONSTRAINT pk_scim_user PRIMARY KEY (user_id)
);
CREATE INDEX ix_scim_user__external_id ON auth.scim_user (external_id) WHERE external_id IS NOT NULL;
CREATE TABLE auth.scim_group (
  id uuid NOT NULL,
  display_name text NOT NULL,
  external_id text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_scim_group PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_scim_group__display_name ON auth.scim_group (lower(display_name));
CREATE TABLE auth.scim_member (
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT pk_scim_member PRIMARY KEY (group_id, user_id),
  CONSTRAINT fk_scim_member__group FOREIGN KEY (group_id) REFERENCES auth.scim_group (id) ON DELETE CASCADE
);
CREATE INDEX ix_scim_member__user_id ON auth.scim_member (user_id);
CREATE INDEX ix_user__username_lower ON sec."user" (lower(username));
CREATE FUNCTION sec.end_assignments(username text, source text) RETURNS void
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
$$;
CREATE FUNCTION sec.change_provisioned_user(id uuid, changes jsonb, source text) RETURNS boolean
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
$$;
CREATE FUNCTION sec.remove_provisioned_user(id uuid, source text) RETURNS boolean
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
$$;
CREATE FUNCTION sec.follow_provisioned_roles(usernames text[], expected jsonb, source text) RETURNS text[]
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
$$;
REVOKE ALL ON FUNCTION sec.end_assignments(text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION sec.change_provisioned_user(uuid, jsonb, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION sec.remove_provisioned_user(uuid, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION sec.follow_provisioned_roles(text[], jsonb, text) FROM PUBLIC;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lintel_federation') THEN
    GRANT EXECUTE ON FUNCTION sec.change_provisioned_user(uuid, jsonb, text) TO lintel_federation;
    GRANT EXECUTE ON FUNCTION sec.remove_provisioned_user(uuid, text) TO lintel_federation;
    GRANT EXECUTE ON FUNCTION sec.follow_provisioned_roles(text[], jsonb, text) TO lintel_federation;
  END IF;
END $$;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200033, 'platform-provisioning-1763683200033', '2a426bc6a8583eb99f1b39e3a08ebcd1d1eee8c71d44864a37517d490b390073');

-- 1763683200034-platform-list-views
CREATE TABLE sys.list_view (
  id uuid NOT NULL,
  owner text NOT NULL,
  entity_name text NOT NULL,
  name text NOT NULL,
  content text NOT NULL,
  is_shared boolean NOT NULL,
  role_code text,
  CONSTRAINT pk_list_view PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_list_view__owner__entity_name__name ON sys.list_view (owner, entity_name, name);
CREATE INDEX ix_list_view__entity_name ON sys.list_view (entity_name) WHERE is_shared;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200034, 'platform-list-views-1763683200034', '861ef9516bc95e9dec2203eb8ded42c32266d89910dc1a6e7d40dbbd8b830d03');

-- 1763683200035-platform-security-events
CREATE TABLE auth.security_event (
  id bigint GENERATED ALWAYS AS IDENTITY,
  recorded_at timestamptz(3) NOT NULL,
  type text NOT NULL,
  username text,
  by_username text,
  client_id text,
  address text,
  provider text,
  reason text,
  attributes text[],
  amount bigint,
  count bigint NOT NULL,
  CONSTRAINT pk_security_event PRIMARY KEY (id)
);
CREATE INDEX ix_security_event__type ON auth.security_event (type, recorded_at DESC, id DESC);
CREATE INDEX ix_security_event__username ON auth.security_event (username, type, recorded_at DESC, id DESC)
  WHERE username IS NOT NULL;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200035, 'platform-security-events-1763683200035', '895b47e29391236070631cddfe0440c99aa259b96c992b5d4bb585eb57cca9d5');

-- 1763683200036-platform-report-versions
CREATE TABLE report.report_version (
  report_id uuid NOT NULL,
  number integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  username varchar(255),
  comment varchar(1000),
  content jsonb NOT NULL,
  CONSTRAINT pk_report_version PRIMARY KEY (report_id, number),
  CONSTRAINT fk_report_version__report_id FOREIGN KEY (report_id) REFERENCES report.report (id) ON DELETE CASCADE
);
CREATE TABLE report.version_limit (kept integer NOT NULL);
INSERT INTO report.version_limit (kept) VALUES (50);
CREATE TABLE report.released_file (
  id bigint GENERATED ALWAYS AS IDENTITY,
  file_ref text NOT NULL,
  released_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT pk_released_file PRIMARY KEY (id)
);
CREATE TABLE sys.removed_file (
  file_key text NOT NULL,
  removed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX ix_removed_file__file_key ON sys.removed_file USING hash (file_key);
CREATE FUNCTION report.version_content(report uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'name', r.name,
    'code', r.code,
    'localeNames', r.locale_names,
    'description', r.description,
    'group', r.group_id,
    'restAccess', r.rest_access,
    'definition', r.definition,
    'templates', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'code', t.code, 'reportOutputType', t.report_output_type, 'isDefault', t.is_default,
        'name', t.name, 'content', t.content, 'outputNamePattern', t.output_name_pattern
      ) ORDER BY t.code), '[]'::jsonb)
      FROM report.report_template t WHERE t.report_id = r.id AND t.deleted_date IS NULL))
  FROM report.report r WHERE r.id = report
$$;
CREATE FUNCTION report.keep_version_of(report uuid, changed_by varchar) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  saved_version integer;
  current_content jsonb;
  latest report.report_version%ROWTYPE;
BEGIN
  SELECT r.version INTO saved_version FROM report.report r
  WHERE r.id = report AND r.deleted_date IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  current_content := report.version_content(report);
  SELECT v.* INTO latest FROM report.report_version v WHERE v.report_id = report ORDER BY v.number DESC LIMIT 1;
  IF latest.content = current_content THEN
    RETURN;
  END IF;
  INSERT INTO report.report_version (report_id, number, username, content)
  VALUES (report, greatest(coalesce(latest.number, 0) + 1, saved_version), changed_by, current_content);
  DELETE FROM report.report_version v WHERE v.report_id = report AND v.number IN (
    SELECT o.number FROM report.report_version o WHERE o.report_id = report
    ORDER BY o.number DESC OFFSET (SELECT kept FROM report.version_limit LIMIT 1));
END $$;
CREATE FUNCTION report.keep_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'report' THEN
    PERFORM report.keep_version_of(NEW.id, coalesce(NEW.last_modified_by, NEW.created_by));
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM report.keep_version_of(OLD.report_id, NULL) WHERE TG_OP = 'DELETE' OR OLD.report_id <> NEW.report_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM report.keep_version_of(NEW.report_id, coalesce(NEW.deleted_by, NEW.last_modified_by, NEW.created_by));
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION report.release_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report.released_file (file_ref)
  SELECT DISTINCT t ->> 'content' FROM jsonb_array_elements(OLD.content -> 'templates') t;
  RETURN NULL;
END $$;
INSERT INTO report.report_version (report_id, number, created_at, username, content)
SELECT r.id, greatest(r.version, 1), coalesce(r.last_modified_date, r.created_date, clock_timestamp()),
  coalesce(r.last_modified_by, r.created_by), report.version_content(r.id)
FROM report.report r WHERE r.deleted_date IS NULL;
CREATE CONSTRAINT TRIGGER report_keep_version AFTER INSERT OR UPDATE ON report.report
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION report.keep_version();
CREATE CONSTRAINT TRIGGER report_template_keep_version AFTER INSERT OR UPDATE OR DELETE ON report.report_template
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION report.keep_version();
CREATE TRIGGER report_version_release_files AFTER DELETE ON report.report_version
FOR EACH ROW EXECUTE FUNCTION report.release_files();
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200036, 'platform-report-versions-1763683200036', '63ff185aa0834371aee8e46a0fe3fd5ac940b99d949c463d80a6ea97dcf3ca50');

-- 1763683200038-platform-report-version-previews
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lintel_report_runner') THEN
    GRANT SELECT ON report.report_version TO lintel_report_runner;
  END IF;
END $$;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200038, 'platform-report-version-previews-1763683200038', '21d6bd50a867b29f430d83d61a40935467fa7fbb5eed23b09bed2ade145f2dfa');

-- 1763683200039-platform-names-of-users
CREATE INDEX ix_run__username ON report_run.run (username, created_at DESC);
DROP INDEX sys.uq_list_view__owner__entity_name__name;
CREATE UNIQUE INDEX uq_list_view__owner__entity_name__name ON sys.list_view (owner, entity_name, name)
WHERE owner <> '';
CREATE FUNCTION sec.release_name(username text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
BEGIN
  DELETE FROM auth.login_attempt AS a WHERE a.username = $1;
  DELETE FROM report_run.run AS r WHERE r.username = $1;
  DELETE FROM sys.list_view AS v WHERE v.owner = $1 AND NOT v.is_shared;
  UPDATE sys.list_view AS v SET owner = '' WHERE v.owner = $1;
  UPDATE sys.webhook AS w SET owner = '', active = false WHERE w.owner = $1;
END
$$;
CREATE FUNCTION sec.follow_name() RETURNS trigger
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
$$;
REVOKE EXECUTE ON FUNCTION sec.release_name(text) FROM PUBLIC;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'lintel_federation') THEN
    GRANT EXECUTE ON FUNCTION sec.release_name(text) TO lintel_federation;
  END IF;
END $$;
CREATE TRIGGER user_follow_name AFTER INSERT OR DELETE ON sec."user"
FOR EACH ROW EXECUTE FUNCTION sec.follow_name();
CREATE TRIGGER user_follow_new_name AFTER UPDATE OF username ON sec."user"
FOR EACH ROW WHEN (OLD.username IS DISTINCT FROM NEW.username) EXECUTE FUNCTION sec.follow_name();
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200039, 'platform-names-of-users-1763683200039', 'f6cd6a61da39a46054535f6e00cacc2e93af4fd47bb92bb7017ae3a02cf1d118');

-- 1763683200042-platform-user-names
CREATE FUNCTION sec.name_key(name text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
  SELECT normalize(translate(replace(normalize($1, NFKC), 'İ', 'i̇'),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĴĶĹĻĽŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẞẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸỺỼỾἈἉἊἋἌἍἎἏἘἙἚἛἜἝἨἩἪἫἬἭἮἯἸἹἺἻἼἽἾἿὈὉὊὋὌὍὙὛὝὟὨὩὪὫὬὭὮὯᾸᾹᾺῈῊῘῙῚῨῩῪῬῸῺℲↃⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡',
    'abcdefghijklmnopqrstuvwxyzàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĵķĺļľłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳάέήίόύώαβγδεζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕßạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹỻỽỿἀἁἂἃἄἅἆἇἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὑὓὕὗὠὡὢὣὤὥὦὧᾰᾱὰὲὴῐῑὶῠῡὺῥὸὼⅎↄⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃'), NFC)
$$;
CREATE INDEX ix_user__name_key ON sec."user" (sec.name_key(username));
CREATE TABLE auth.configured_client (client_id text NOT NULL, CONSTRAINT pk_configured_client PRIMARY KEY (client_id));
CREATE FUNCTION sec.check_name() RETURNS trigger
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
$$;
CREATE TRIGGER user_check_name BEFORE INSERT ON sec."user" FOR EACH ROW EXECUTE FUNCTION sec.check_name();
CREATE TRIGGER user_check_new_name BEFORE UPDATE OF username ON sec."user"
FOR EACH ROW WHEN (OLD.username IS DISTINCT FROM NEW.username) EXECUTE FUNCTION sec.check_name();
CREATE OR REPLACE FUNCTION sec.create_federated_user(
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
$$;
CREATE OR REPLACE FUNCTION sec.change_provisioned_user(id uuid, changes jsonb, source text) RETURNS boolean
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
$$;
ALTER TABLE report_run.run ALTER COLUMN username TYPE text;
UPDATE report_run.run AS r
SET username = CASE r.username WHEN 'anonymous' THEN 'anonymous' ELSE 'client' END || ':' || r.username
WHERE NOT EXISTS (SELECT FROM sec."user" AS u WHERE u.username = r.username);
CREATE OR REPLACE FUNCTION sec.release_name(username text) RETURNS void
LANGUAGE plpgsql VOLATILE STRICT SECURITY DEFINER SET search_path = pg_catalog
AS $$
BEGIN
  DELETE FROM auth.login_attempt AS a WHERE a.username = $1;
  DELETE FROM report_run.run AS r WHERE r.username = (CASE WHEN $1 ~ '^(user|client|anonymous):' THEN 'user:' || $1 ELSE $1 END);
  DELETE FROM sys.list_view AS v WHERE v.owner = $1 AND NOT v.is_shared;
  UPDATE sys.list_view AS v SET owner = '' WHERE v.owner = $1;
  UPDATE sys.webhook AS w SET owner = '', active = false WHERE w.owner = $1;
END
$$;
CREATE OR REPLACE FUNCTION sec.follow_name() RETURNS trigger
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
    UPDATE report_run.run AS r SET username = (CASE WHEN NEW.username ~ '^(user|client|anonymous):' THEN 'user:' || NEW.username ELSE NEW.username END) WHERE r.username = (CASE WHEN OLD.username ~ '^(user|client|anonymous):' THEN 'user:' || OLD.username ELSE OLD.username END);
    UPDATE sys.list_view AS v SET owner = NEW.username WHERE v.owner = OLD.username;
    UPDATE sys.webhook AS w SET owner = NEW.username WHERE w.owner = OLD.username;
  END IF;
  RETURN NULL;
END
$$;
DO $$
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
$$;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200042, 'platform-user-names-1763683200042', 'abcbdb709b88f29344a191f83a079990062776a437ca229e7667e3ed0eb58910');

-- 1763683200043-platform-sent-values
ALTER TABLE auth.scim_user ADD COLUMN is_primary boolean NOT NULL DEFAULT true, ADD COLUMN formatted_name text;
ALTER TABLE auth.scim_member ADD COLUMN display text;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200043, 'platform-sent-values-1763683200043', '0aa95e9452c0050cb680bcab0c920072a141176698cb9ec704e21ccce6d84d57');

-- 1763683200044-platform-security-event-actors
ALTER TABLE auth.security_event ADD COLUMN by_client_id text, ADD COLUMN role text, ADD COLUMN trace_id text;
CREATE INDEX ix_security_event__client_id ON auth.security_event (client_id, type, recorded_at DESC, id DESC)
  WHERE client_id IS NOT NULL;
CREATE INDEX ix_security_event__role ON auth.security_event (role, type, recorded_at DESC, id DESC)
  WHERE role IS NOT NULL;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200044, 'platform-security-event-actors-1763683200044', 'ce4d2dc28fe4b30a0b65592bac55c1ade92b274f18684f78fa30871d412f1ec1');

-- 1763683200045-platform-file-searches
CREATE INDEX ix_report_template__content__search ON report.report_template (lower((content)::text) text_pattern_ops);
CREATE INDEX ix_report_execution__output_document__search ON report.report_execution (lower((output_document)::text) text_pattern_ops);
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200045, 'platform-file-searches-1763683200045', '8446565f6fd0fc00fe9de1a69a8d8d60b5ddbbc6663c55134d6768c6c7cef7f3');

-- 1763683200046-platform-security-event-sources
CREATE OR REPLACE FUNCTION sec.publish_federated_change(type text, subject text, data jsonb) RETURNS void
LANGUAGE sql VOLATILE STRICT SET search_path = pg_catalog
AS $$
  INSERT INTO events.outbox (id, type, subject, envelope)
  SELECT event.id, $1, $2, (jsonb_build_object('specversion', '1.0', 'id', event.id, 'source', '/lintel/data',
    'type', $1, 'subject', $2, 'time', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'datacontenttype', 'application/json', 'data', $3 || CASE WHEN $1 = 'data.entity.changed.v1' THEN '{}' ELSE event.work - 'traceparent' END) || event.work - 'actor')::json
  FROM (SELECT gen_random_uuid() AS id, coalesce(nullif(current_setting('lintel.work', true), ''), '{}')::jsonb AS work) AS event WHERE $1 <> 'data.assignment.changed.v1' OR $3 ? 'role' OR event.work = '{}'
$$;
CREATE FUNCTION sec.publish_assignment() RETURNS trigger
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
$$;
CREATE TRIGGER role_assignment_publish AFTER INSERT OR UPDATE OR DELETE ON sec.role_assignment
FOR EACH ROW WHEN (current_setting('lintel.work', true) <> '') EXECUTE FUNCTION sec.publish_assignment();
CREATE OR REPLACE FUNCTION sec.change_provisioned_user(id uuid, changes jsonb, source text) RETURNS boolean
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
$$;
INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1763683200046, 'platform-security-event-sources-1763683200046', '6b8fd80b05ce4c27e2b83aff00a59e346f5da9c304fdbbf093c9b9ae3be85c19');
COMMIT;
