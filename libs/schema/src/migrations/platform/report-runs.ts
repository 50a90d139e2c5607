import type { SchemaMigration } from '../schema-migration.ts';
import { createRole, grantTo, REPORT_RUNNER } from './fragments.ts';

/**
 * Runs of reports that continue without their client. The process that executes a run has a lease and renews it; a
 * process that lost the lease cannot store a result. The login of the reports service is a member of the role
 * `lintel_report_runner`, or owns the schema.
 */
export const REPORT_RUNS_MIGRATION: SchemaMigration = {
  name: '1763683200008-platform-report-runs',
  up: [
    'CREATE SCHEMA report_run',
    `CREATE TABLE report_run.run (
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
) WITH (autovacuum_vacuum_scale_factor = 0.02)`,
    `CREATE INDEX ix_run__unfinished ON report_run.run (status, lease_until, queued_at)
WHERE status IN ('QUEUED', 'RUNNING')`,
    'CREATE INDEX ix_run__finished_at ON report_run.run (finished_at) WHERE finished_at IS NOT NULL',
    createRole(REPORT_RUNNER),
    grantTo(REPORT_RUNNER, ['USAGE ON SCHEMA report_run', 'SELECT, INSERT, UPDATE, DELETE ON report_run.run']),
  ],
  down: ['DROP TABLE report_run.run', 'DROP SCHEMA report_run'],
};
