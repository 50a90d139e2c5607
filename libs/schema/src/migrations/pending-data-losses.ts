import { migrationStatus, type StatusOptions } from './migration-status.ts';
import { dataLossesOf } from './revert/data-losses.ts';
import { inOrder } from './schema-migration.ts';

/** A migration of the application that has not run, with its statements that can lose data. */
export interface PendingDataLoss {
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * The pending migrations with statements that can lose data. None in a database in which no migration of the
 * application has run: it has no data.
 */
export async function pendingDataLosses(options: StatusOptions): Promise<readonly PendingDataLoss[]> {
  const states = new Map((await migrationStatus(options)).map(({ name, state }) => [name, state]));
  if (options.migrations.every(({ name }) => states.get(name) === 'pending')) return [];
  return inOrder(options.migrations)
    .filter(({ name }) => states.get(name) === 'pending')
    .map(({ name, up, down }) => ({
      name,
      statements: up.filter((statement) => dataLossesOf([statement], down).length > 0),
    }))
    .filter(({ statements }) => statements.length > 0);
}
