import type { SchemaMigration } from '../schema-migration.ts';

/** A report of the database may have no code: it is run by its id only (contract/reports.md#report-info). */
export const REPORT_CODES_MIGRATION: SchemaMigration = {
  name: '1763683200015-platform-report-codes',
  up: ['ALTER TABLE report.report ALTER COLUMN code DROP NOT NULL'],
  down: [
    'UPDATE report.report SET code = id::text WHERE code IS NULL',
    'ALTER TABLE report.report ALTER COLUMN code SET NOT NULL',
  ],
};
