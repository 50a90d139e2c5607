export { type Baseline, type BaselineOptions, baselineMigrations } from './baseline/baseline.ts';
export { type CompareOptions, compareWithModel } from './comparison/compare-with-model.ts';
export { createSchemaFromModel } from './comparison/create-schema-from-model.ts';
export { createdTables, isOfColumn, type Rename, type SchemaDifference } from './comparison/schema-difference.ts';
export type { DriftFinding } from './drift/compare-catalogues.ts';
export type { BaselineFinding } from './drift/compare-for-baseline.ts';
export { type DriftOptions, type DriftReport, detectDrift } from './drift/detect-drift.ts';
export { isHistoryTrigger } from './drift/kept-parts.ts';
export type {
  DatabaseSchema,
  FoundAutomatism,
  FoundColumn,
  FoundConstraint,
  FoundForeignKey,
  FoundIndex,
  FoundTable,
} from './introspection/database-schema.ts';
export { readDatabaseSchema } from './introspection/read-database-schema.ts';
export { acceptChangedMigrations } from './migrations/accept-migrations.ts';
export type { LockPatience } from './migrations/apply-migration.ts';
export { type IndexStatement, indexStatement } from './migrations/concurrent-indexes.ts';
export { type CopyOutcome, copyDatabase, restoreDatabase } from './migrations/database-copy.ts';
export { ChangedMigrationError, MigrationError } from './migrations/migration-error.ts';
export { type MigrationScript, migrationScript } from './migrations/migration-script.ts';
export { type MigrationStatus, migrationStatus } from './migrations/migration-status.ts';
export { type PendingDataLoss, pendingDataLosses } from './migrations/pending-data-losses.ts';
export { pendingMigrationNames } from './migrations/pending-migration-names.ts';
export { GROUPS_OF_LOGINS, REPORT_READER } from './migrations/platform/fragments.ts';
export { dataLossesOf } from './migrations/revert/data-losses.ts';
export { type RevertOptions, revertMigrations } from './migrations/revert/revert-migrations.ts';
export { revertScript } from './migrations/revert/revert-script.ts';
export { type MigrateOptions, type MigrationProgress, runMigrations } from './migrations/run-migrations.ts';
export { isMigrationName, type SchemaMigration } from './migrations/schema-migration.ts';
export { unreachableReasonOf } from './migrations/unreachable-reason.ts';
export { assertTables, MissingTablesError } from './tables/assert-tables.ts';
export { constraintLookup } from './tables/expected/constraint-attributes.ts';
export { describeTables } from './tables/expected/describe-tables.ts';
export type {
  ColumnDescription,
  ConstraintOrigin,
  ForeignKeyDescription,
  IndexDescription,
  TableDescription,
} from './tables/expected/table-description.ts';
export { createReportLogin, grantReportReader } from './tables/grant-report-reader.ts';
