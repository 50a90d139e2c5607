import { StartError } from '@lintel/errors';
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
  /** Checksum of the text that was run. */
  readonly checksum: string;
}

/** Creates the table of migrations. */
export const RECORDS_SETUP: readonly string[] = [
  `CREATE SCHEMA IF NOT EXISTS ${PLATFORM_SCHEMA}`,
  `CREATE TABLE IF NOT EXISTS ${TABLE} (
  id serial NOT NULL,
  timestamp bigint NOT NULL,
  name varchar NOT NULL,
  checksum varchar(64),
  executed_at timestamptz(3) DEFAULT now(),
  CONSTRAINT pk_migration PRIMARY KEY (id)
)`,
];

/** Names of the platform's migrations that its baseline replaces. */
export const replacedNames = (records: readonly { readonly name: string }[]): readonly string[] =>
  records.map(({ name }) => name).filter((name) => /^17636832000\d\d-platform-/.test(name));

/** @throws StartError for a database that was migrated before the platform had a baseline */
export function assertBaseline(records: readonly { readonly name: string }[]): void {
  if (replacedNames(records).length > 0)
    throw new StartError(
      'The database was migrated before the migrations of the platform were one baseline: "lintel migrate baseline" records the baseline instead of them.',
    );
}

/**
 * Returns the records in the order in which the migrations were run; none if the database has no such table yet.
 * Changes nothing.
 *
 * @throws StartError for a database that was migrated before the platform had a baseline
 */
export async function readRecords(client: Client): Promise<readonly MigrationRecord[]> {
  const records = await readAllRecords(client);
  assertBaseline(records);
  return records;
}

/** Returns the records, also those of migrations that the platform's baseline replaces. */
export async function readAllRecords(client: Client): Promise<readonly MigrationRecord[]> {
  const { rows: found } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    TABLE,
  ]);
  if (found[0]?.exists !== true) return [];
  const { rows } = await client.query<MigrationRecord>(`SELECT name, checksum FROM ${TABLE} ORDER BY id`);
  return rows.map(({ name, checksum }) => ({ name: nameOfRecord(name), checksum }));
}

/** The statement that remembers a migration. Its parts are digits, letters and hyphens. */
export const recordStatement = (migration: SchemaMigration): string =>
  `INSERT INTO ${TABLE} (timestamp, name, checksum) VALUES (${timestampOf(migration.name)}, '${recordedName(migration.name)}', '${checksumOf(migration)}')`;

/** The statement that forgets it again. */
export const forgetStatement = ({ name }: Pick<SchemaMigration, 'name'>): string =>
  `DELETE FROM ${TABLE} WHERE name = '${recordedName(name)}'`;

/** Records the texts of migrations that have run; they replace the recorded ones. */
export async function recordChecksums(client: Client, migrations: readonly SchemaMigration[]): Promise<void> {
  for (const migration of migrations)
    await client.query(`UPDATE ${TABLE} SET checksum = $2 WHERE name = $1`, [
      recordedName(migration.name),
      checksumOf(migration),
    ]);
}
