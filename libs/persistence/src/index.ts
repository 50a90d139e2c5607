export { type AssignedRoles, readAccount, readAssignedRoles, type StoredAccount } from './accounts/read-account.ts';
export { createDatabase } from './connection/create-database.ts';
export type { DatabaseOptions } from './connection/database-options.ts';
export type {
  Database,
  OutboxEvent,
  Statement,
  StatementDescription,
  StatementRunner,
  StreamOptions,
  Transaction,
} from './database.ts';
export type { DriftFinding } from './drift/compare-catalogues.ts';
export { type DriftOptions, type DriftReport, detectDrift } from './drift/detect-drift.ts';
export { type ConstraintLookup, constraintLookup } from './errors/constraint-attributes.ts';
export { DatabaseError, type DatabaseErrorDetails, databaseErrorDetailsOf } from './errors/database-error.ts';
export { isCollision, isIntegrityViolation } from './errors/is-collision.ts';
export { isPoolExhausted } from './errors/is-pool-exhausted.ts';
export {
  createIdempotencyStore,
  type IdempotencyStore,
  type IdempotentRequest,
  type StoredAnswer,
} from './idempotency/create-idempotency-store.ts';
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
export type { LockPatience } from './migrations/apply-migration.ts';
export { type IndexStatement, indexStatement } from './migrations/concurrent-indexes.ts';
export { ChangedMigrationError, MigrationError } from './migrations/migration-error.ts';
export { type MigrationScript, migrationScript } from './migrations/migration-script.ts';
export { type MigrationStatus, migrationStatus } from './migrations/migration-status.ts';
export { REPORT_READER } from './migrations/platform/fragments.ts';
export { dataLossesOf } from './migrations/revert/data-losses.ts';
export { type RevertOptions, revertMigrations } from './migrations/revert/revert-migrations.ts';
export { revertScript } from './migrations/revert/revert-script.ts';
export { type MigrateOptions, type MigrationProgress, runMigrations } from './migrations/run-migrations.ts';
export { isMigrationName, type SchemaMigration } from './migrations/schema-migration.ts';
export type { SlowQueryOptions } from './observing/slow-queries.ts';
export { createInboxStore, type EventInbox, type InboxStoreOptions } from './outbox/create-inbox-store.ts';
export {
  createOutboxReplay,
  type OutboxReplay,
  type OutboxReplayOptions,
  type ReplayCount,
  type ReplaySelection,
} from './outbox/create-outbox-replay.ts';
export {
  createOutboxStore,
  type EventOutbox,
  type OutboxStoreEntry,
  type OutboxStoreOptions,
} from './outbox/create-outbox-store.ts';
export {
  createPublishedEvents,
  type PublishedEvent,
  type PublishedEvents,
  type PublishedRange,
} from './outbox/create-published-events.ts';
export { observeOutbox } from './outbox/observe-outbox.ts';
export type { PoolMetrics } from './pool-metrics.ts';
export {
  createReplicas,
  type ReadReplica,
  type ReplicaOptions,
  type ReplicaState,
  type Replicas,
} from './replicas/create-replicas.ts';
export { COMMITTED_POSITION, GREATEST_POSITION, type LogPosition } from './replicas/log-position.ts';
export type { ReplicaProblem } from './replicas/replica.ts';
export { assertTables, MissingTablesError } from './schema/assert-tables.ts';
export { buildEntitySchemas } from './schema/build-entity-schemas.ts';
export { type CompareOptions, compareWithModel } from './schema/compare-with-model.ts';
export { createSchemaFromModel } from './schema/create-schema-from-model.ts';
export { describeTables } from './schema/describe-tables.ts';
export { createReportLogin, grantReportReader } from './schema/grant-report-reader.ts';
export type { SchemaDifference } from './schema/schema-difference.ts';
export type {
  ColumnDescription,
  ConstraintOrigin,
  ForeignKeyDescription,
  IndexDescription,
  TableDescription,
} from './schema/table-description.ts';
export { createLiveMessages } from './snapshots/create-live-messages.ts';
export { createLiveReports } from './snapshots/create-live-reports.ts';
export { createLiveRoles } from './snapshots/create-live-roles.ts';
export type { LiveSnapshotOptions, StoredSnapshot } from './snapshots/create-live-snapshot.ts';
