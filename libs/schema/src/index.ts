export { baselineMigrations } from './baseline/baseline.ts';
export { compareWithModel } from './comparison/compare-with-model.ts';
export { createSchemaFromModel } from './comparison/create-schema-from-model.ts';
export { createdTables, isOfColumn, type Rename, type SchemaDifference } from './comparison/schema-difference.ts';
export type { DriftFinding } from './drift/compare-catalogues.ts';
export type { BaselineFinding } from './drift/compare-for-baseline.ts';
export { detectDrift } from './drift/detect-drift.ts';
export { isHistoryTrigger } from './drift/kept-parts.ts';
export type {
  DatabaseSchema,
  FoundColumn,
  FoundConstraint,
  FoundForeignKey,
  FoundIndex,
  FoundTable,
} from './introspection/database-schema.ts';
export { readDatabaseSchema } from './introspection/read-database-schema.ts';
export { acceptChangedMigrations } from './migrations/accept-migrations.ts';
export { indexStatement } from './migrations/concurrent-indexes.ts';
export { copyDatabase, restoreDatabase } from './migrations/database-copy.ts';
export { migrationScript } from './migrations/migration-script.ts';
export { type MigrationStatus, migrationStatus } from './migrations/migration-status.ts';
export { type PendingDataLoss, pendingDataLosses } from './migrations/pending-data-losses.ts';
export { pendingMigrationNames } from './migrations/pending-migration-names.ts';
export { GROUPS_OF_LOGINS, REPORT_READER } from './migrations/platform/fragments.ts';
export { dataLossesOf } from './migrations/revert/data-losses.ts';
export { revertMigrations } from './migrations/revert/revert-migrations.ts';
export { revertScript } from './migrations/revert/revert-script.ts';
export { type MigrationProgress, runMigrations } from './migrations/run-migrations.ts';
export { isMigrationName, type SchemaMigration } from './migrations/schema-migration.ts';
export { unreachableReasonOf } from './migrations/unreachable-reason.ts';
export { assertTables } from './tables/assert-tables.ts';
export { constraintLookup } from './tables/expected/constraint-attributes.ts';
export { describeTables } from './tables/expected/describe-tables.ts';
export type { ConstraintOrigin } from './tables/expected/table-description.ts';
export { createReportLogin, grantReportReader } from './tables/grant-report-reader.ts';
