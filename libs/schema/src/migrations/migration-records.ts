import type { Client } from 'pg';
import { checksumOf, nameOfRecord, recordedName, type SchemaMigration, timestampOf } from './schema-migration.ts';

/** Schema of the platform's own bookkeeping. */
export const PLATFORM_SCHEMA = 'lintel';
/** Table of executed migrations, in that schema. */
export const MIGRATION_TABLE = 'migration';
const TABLE = `${PLATFORM_SCHEMA}.${MIGRATION_TABLE}`;

/** The database's record of a migration. */
export interface MigrationRecord {
  readonly name: string;
  /** Checksum of the text that was run; null if it ran before checksums were recorded. */
  readonly checksum: string | null;
}

/** Creates the table of migrations, or upgrades that of earlier versions. */
export const RECORDS_SETUP: readonly string[] = [
  `CREATE SCHEMA IF NOT EXISTS ${PLATFORM_SCHEMA}`,
  `CREATE TABLE IF NOT EXISTS ${TABLE} (
  id serial NOT NULL,
  timestamp bigint NOT NULL,
  name varchar NOT NULL,
  CONSTRAINT pk_migration PRIMARY KEY (id)
)`,
  `ALTER TABLE ${TABLE} ADD COLUMN IF NOT EXISTS checksum varchar(64)`,
  `ALTER TABLE ${TABLE} ADD COLUMN IF NOT EXISTS executed_at timestamptz(3) DEFAULT now()`,
];

/**
 * Returns the records in the order in which the migrations were run; none if the database has no such table yet.
 * Changes nothing.
 */
export async function readRecords(client: Client): Promise<readonly MigrationRecord[]> {
  const { rows: found } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    TABLE,
  ]);
  if (found[0]?.exists !== true) return [];
  // Tables of earlier versions have no column for the checksum.
  const { rows } = await client.query<MigrationRecord>(
    `SELECT m.name, to_jsonb(m) ->> 'checksum' AS checksum FROM ${TABLE} m ORDER BY m.id`,
  );
  return rows.map(({ name, checksum }) => ({ name: nameOfRecord(name), checksum }));
}

/** The statement that remembers a migration. Its parts are digits, letters and hyphens. */
export const recordStatement = (migration: SchemaMigration): string =>
  `INSERT INTO ${TABLE} (timestamp, name, checksum) VALUES (${timestampOf(migration.name)}, '${recordedName(migration.name)}', '${checksumOf(migration)}')`;

/** The statement that forgets it again. */
export const forgetStatement = (migration: SchemaMigration): string =>
  `DELETE FROM ${TABLE} WHERE name = '${recordedName(migration.name)}'`;

/** Records the texts of migrations that have run; they replace the recorded ones. */
export async function recordChecksums(client: Client, migrations: readonly SchemaMigration[]): Promise<void> {
  for (const migration of migrations)
    await client.query(`UPDATE ${TABLE} SET checksum = $2 WHERE name = $1`, [
      recordedName(migration.name),
      checksumOf(migration),
    ]);
}
