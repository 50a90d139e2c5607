import type { SchemaMigration } from '../schema-migration.ts';
import { grantTo, REPORT_RUNNER } from './fragments.ts';

/** The login of the reports service reads versions of reports, to run one without restoring it (ADR 79). */
export const REPORT_VERSION_PREVIEWS_MIGRATION: SchemaMigration = {
  name: '1763683200038-platform-report-version-previews',
  up: [grantTo(REPORT_RUNNER, ['SELECT ON report.report_version'])],
  // An administrator may have removed the role.
  down: [
    `DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${REPORT_RUNNER}') THEN
    REVOKE SELECT ON report.report_version FROM ${REPORT_RUNNER};
  END IF;
END $$`,
  ],
};
