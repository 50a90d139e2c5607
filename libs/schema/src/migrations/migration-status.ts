import { type MigrationRecord, readRecords } from './migration-records.ts';
import { withReadingSession } from './migration-session.ts';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';
import { checksumOf, inOrder, type SchemaMigration } from './schema-migration.ts';

/** The state of one migration in one database. */
export interface MigrationStatus {
  readonly name: string;
  /**
   * `unknown`: run on the database, but not among the migrations of this version. `changed`: the text that was run
   * differs from that of this version.
   */
  readonly state: 'executed' | 'pending' | 'changed' | 'unknown';
}

export interface StatusOptions {
  readonly url: string;
  readonly migrations: readonly SchemaMigration[];
}

/** The state of every migration in a database, in the order they run. Changes nothing. */
export async function migrationStatus(options: StatusOptions): Promise<readonly MigrationStatus[]> {
  const records = await withReadingSession(options.url, readRecords);
  const known = [...inOrder(PLATFORM_MIGRATIONS), ...inOrder(options.migrations)];
  const executed = new Set(records.map(({ name }) => name));
  const changed = new Set(changedMigrations(known, records));
  const stateOf = (migration: SchemaMigration): MigrationStatus['state'] => {
    if (changed.has(migration)) return 'changed';
    return executed.has(migration.name) ? 'executed' : 'pending';
  };
  return [
    ...known.map((migration): MigrationStatus => ({ name: migration.name, state: stateOf(migration) })),
    ...unknownNames(known, records).map((name): MigrationStatus => ({ name, state: 'unknown' })),
  ];
}

/** Those that have run with another text. */
export function changedMigrations(
  known: readonly SchemaMigration[],
  records: readonly MigrationRecord[],
): readonly SchemaMigration[] {
  const checksums = new Map(records.map(({ name, checksum }) => [name, checksum]));
  return known.filter((migration) => {
    const checksum = checksums.get(migration.name);
    return checksum !== undefined && checksum !== checksumOf(migration);
  });
}

/** Names of migrations that have run and are unknown to this version. */
export function unknownNames(
  known: readonly SchemaMigration[],
  records: readonly MigrationRecord[],
): readonly string[] {
  const names = new Set(known.map(({ name }) => name));
  return records.map(({ name }) => name).filter((name) => !names.has(name));
}
