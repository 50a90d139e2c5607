import { createHash } from 'node:crypto';
import { MigrationError } from './migration-error.ts';

/** One step of the schema: the same shape as `Migration` of `@lintel/application`. */
export interface SchemaMigration {
  /** `<timestamp>-<words>`; the timestamp (13 digits, milliseconds) orders the steps. */
  readonly name: string;
  readonly up: readonly string[];
  readonly down: readonly string[];
}

const NAME = /^(\d{13})-([A-Za-z0-9][A-Za-z0-9-]*)$/;

/** Whether a migration's name has the form that orders it. */
export const isMigrationName = (name: string): boolean => NAME.test(name);

/** The 13 digits that begin the name, in milliseconds. */
export const timestampOf = (name: string): string => name.slice(0, name.indexOf('-'));

/** `1763700000000-initial` → `initial-1763700000000`: how the table of migrations has it. */
export const recordedName = (name: string): string => name.replace(NAME, '$2-$1');

/** Back from the form of the table. */
export const nameOfRecord = (name: string): string => name.replace(/^(.*)-(\d{13})$/, '$2-$1');

/** In the order in which they run. */
export const inOrder = (migrations: readonly SchemaMigration[]): readonly SchemaMigration[] =>
  [...migrations].sort((left, right) => (left.name < right.name ? -1 : 1));

/**
 * The checksum of a migration's statements, without regard to white space: migrations with the same checksum are equal.
 * The `down` statements are not included.
 */
export const checksumOf = (migration: SchemaMigration): string =>
  createHash('sha256')
    .update(migration.up.map((statement) => statement.replaceAll(/\s+/g, ' ').trim()).join(';\n'))
    .digest('hex');

/** @throws MigrationError naming one without the form that orders it, or two of one name */
export function assertMigrationNames(migrations: readonly SchemaMigration[]): void {
  const seen = new Set<string>();
  for (const { name } of migrations) {
    if (!isMigrationName(name))
      throw new MigrationError(name, `The migration name ${name} is not <timestamp of 13 digits>-<words>`);
    if (seen.has(name)) throw new MigrationError(name, `There are two migrations ${name}`);
    seen.add(name);
  }
}
