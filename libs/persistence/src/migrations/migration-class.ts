import { StartError } from '@lintel/errors';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One step of the schema: the same shape as `Migration` of `@lintel/application`. */
export interface SchemaMigration {
  /** `<timestamp>-<words>`; the timestamp (13 digits, milliseconds) orders the steps. */
  readonly name: string;
  readonly up: readonly string[];
  readonly down: readonly string[];
}

export type MigrationClass = new () => MigrationInterface;

const NAME = /^(\d{13})-([A-Za-z0-9][A-Za-z0-9-]*)$/;

/** A statement of a migration that the database refused. */
export class MigrationError extends StartError {
  readonly migration: string;

  constructor(migration: string, statement: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Migration ${migration} failed: ${reason}\n  in: ${statement}`, { cause });
    this.name = 'MigrationError';
    this.migration = migration;
  }
}

/** Whether a migration's name has the form that orders it. */
export const isMigrationName = (name: string): boolean => NAME.test(name);

async function execute(runner: QueryRunner, migration: SchemaMigration, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    try {
      await runner.query(statement);
    } catch (error) {
      throw new MigrationError(migration.name, statement, error);
    }
  }
}

/** TypeORM takes classes whose name ends in the timestamp. */
export function toMigrationClass(migration: SchemaMigration): MigrationClass {
  const [, timestamp, words] = NAME.exec(migration.name) ?? [];
  if (timestamp === undefined || words === undefined) {
    throw new Error(`The migration name ${migration.name} is not <timestamp of 13 digits>-<words>`);
  }
  return class implements MigrationInterface {
    readonly name = typeOrmName(migration.name);
    up(runner: QueryRunner): Promise<void> {
      return execute(runner, migration, migration.up);
    }
    down(runner: QueryRunner): Promise<void> {
      return execute(runner, migration, migration.down);
    }
  };
}

/** `1763700000000-initial` → `initial-1763700000000`: how TypeORM records it. */
export const typeOrmName = (name: string): string => name.replace(NAME, '$2-$1');

/** Back from TypeORM's form. */
export const fromTypeOrmName = (name: string): string => name.replace(/^(.*)-(\d{13})$/, '$2-$1');
