export { createDatabase } from './connection/create-database.ts';
export type { DatabaseOptions } from './connection/database-options.ts';
export type { Database, OutboxEvent, Statement, StatementRunner, Transaction } from './database.ts';
export { DatabaseError, type DatabaseErrorDetails, databaseErrorDetailsOf } from './errors/database-error.ts';
export { MigrationError, type SchemaMigration } from './migrations/migration-class.ts';
export { type MigrateOptions, runMigrations } from './migrations/run-migrations.ts';
export type { PoolMetrics } from './pool-metrics.ts';
export { buildEntitySchemas } from './schema/build-entity-schemas.ts';
export { createSchemaFromModel } from './schema/create-schema-from-model.ts';
export { describeTables } from './schema/describe-tables.ts';
export type {
  ColumnDescription,
  ConstraintOrigin,
  ForeignKeyDescription,
  IndexDescription,
  TableDescription,
} from './schema/table-description.ts';
