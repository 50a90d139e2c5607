import { migrationStatus, type StatusOptions } from './migration-status.ts';
import { PLATFORM_MIGRATIONS } from './platform/index.ts';
import { dataLossesOf } from './revert/data-losses.ts';
import { inOrder, type SchemaMigration } from './schema-migration.ts';

/** A migration that has not run, with its statements that can lose data. */
export interface PendingDataLoss {
  readonly name: string;
  readonly statements: readonly string[];
}

/** The pending migrations of the platform and of the application with statements that can lose data. */
export async function pendingDataLosses(options: StatusOptions): Promise<readonly PendingDataLoss[]> {
  const done = (await migrationStatus(options)).filter(({ state }) => state !== 'pending').map(({ name }) => name);
  return lossesAmong([PLATFORM_MIGRATIONS, options.migrations], new Set(done));
}

/** None of an owner of whose migrations none has run in the database: the owner has no data there. Pure. */
export const lossesAmong = (
  owners: readonly (readonly SchemaMigration[])[],
  done: ReadonlySet<string>,
): readonly PendingDataLoss[] =>
  owners
    .filter((migrations) => migrations.some(({ name }) => done.has(name)))
    .flatMap(inOrder)
    .filter(({ name }) => !done.has(name))
    .map(({ name, up, down }) => ({
      name,
      statements: up.filter((statement) => dataLossesOf([statement], down).length > 0),
    }))
    .filter(({ statements }) => statements.length > 0);
