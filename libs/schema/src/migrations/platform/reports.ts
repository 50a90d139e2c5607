import { AUDIT_COLUMNS, DELETION_COLUMNS } from './fragments.ts';

/**
 * Runs of reports that continue without their client: the process that executes a run has a lease and renews it, and
 * cannot store a result without it. Reports that administrators store, as entities of `report` describe them, the view of
 * one row from which the reports service reads them, and the history of runs.
 */
export const REPORTS: readonly string[] = [
  'CREATE SCHEMA report_run',
  `CREATE TABLE report_run.run (
  id uuid NOT NULL,
  username text NOT NULL,
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
) WITH (autovacuum_vacuum_scale_factor = 0.02)`,
  `CREATE INDEX ix_run__unfinished ON report_run.run (status, lease_until, queued_at)
WHERE status IN ('QUEUED', 'RUNNING')`,
  'CREATE INDEX ix_run__finished_at ON report_run.run (finished_at) WHERE finished_at IS NOT NULL',
  'CREATE INDEX ix_run__username ON report_run.run (username, created_at DESC)',
  'CREATE SCHEMA report',
  `CREATE TABLE report.report_group (
  id uuid NOT NULL,${AUDIT_COLUMNS}
  title varchar(255) NOT NULL,
  code varchar(255),
  locale_names text,
  CONSTRAINT pk_report_group PRIMARY KEY (id)
)`,
  'CREATE UNIQUE INDEX uq_report_group__title ON report.report_group (title)',
  'CREATE UNIQUE INDEX uq_report_group__code ON report.report_group (code)',
  // The group that is always there (contract/reports.md#report-info).
  `INSERT INTO report.report_group (id, version, title, code)
VALUES ('4e083530-0b9c-11e1-9b41-6bdaa41bff94', 1, 'General', 'ReportGroup.default')`,
  `CREATE TABLE report.report (
  id uuid NOT NULL,${AUDIT_COLUMNS}${DELETION_COLUMNS}
  name varchar(255) NOT NULL,
  code varchar(255),
  locale_names text,
  description varchar(500),
  group_id uuid,
  rest_access boolean NOT NULL,
  definition text NOT NULL,
  CONSTRAINT pk_report PRIMARY KEY (id),
  CONSTRAINT fk_report__group_id FOREIGN KEY (group_id) REFERENCES report.report_group (id)
)`,
  'CREATE INDEX ix_report__group_id ON report.report (group_id)',
  'CREATE UNIQUE INDEX uq_report__code__live ON report.report (code) WHERE deleted_date IS NULL',
  'CREATE UNIQUE INDEX uq_report__name__live ON report.report (name) WHERE deleted_date IS NULL',
  `CREATE TABLE report.report_template (
  id uuid NOT NULL,${AUDIT_COLUMNS}${DELETION_COLUMNS}
  report_id uuid NOT NULL,
  code varchar(255) NOT NULL,
  report_output_type integer NOT NULL,
  is_default boolean NOT NULL,
  name varchar(255) NOT NULL,
  content text NOT NULL,
  output_name_pattern varchar(255),
  CONSTRAINT pk_report_template PRIMARY KEY (id),
  CONSTRAINT fk_report_template__report_id FOREIGN KEY (report_id) REFERENCES report.report (id)
)`,
  `CREATE UNIQUE INDEX uq_report_template__report_id__code__live
ON report.report_template (report_id, code) WHERE deleted_date IS NULL`,
  'CREATE INDEX ix_report_template__report_id ON report.report_template (report_id)',
  `CREATE TABLE report.report_execution (
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
)`,
  'CREATE INDEX ix_report_execution__report_id ON report.report_execution (report_id)',
  'CREATE INDEX ix_report_execution__start_time ON report.report_execution (start_time)',
  `CREATE VIEW report.report_snapshot AS
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
) s`,
  'CREATE INDEX ix_report_template__content__search ON report.report_template (lower((content)::text) text_pattern_ops)',
  'CREATE INDEX ix_report_execution__output_document__search ON report.report_execution (lower((output_document)::text) text_pattern_ops)',
];
