import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@lintel/errors';
import { copyDatabase, type PendingDataLoss, pendingDataLosses, type SchemaMigration } from '@lintel/schema';

const POLL_MS = 1_000;

export interface ConfirmationParts {
  /** Called once with the statements, if there are any. */
  readonly ask: (text: string) => void;
  /** Resolves when the user has confirmed. */
  readonly confirmed: Promise<void>;
}

/**
 * Waits until no pending migration loses data that the user has not confirmed: the user confirms the statements, and the
 * database is copied, or another program runs them.
 */
export async function confirmLosses(
  database: { readonly url: string; readonly migrations: readonly SchemaMigration[] },
  { ask, confirmed }: ConfirmationParts,
): Promise<void> {
  const losses = await pendingDataLosses(database);
  if (losses.length === 0) return;
  ask(textOf(losses));
  for (;;) {
    const isConfirmed = await Promise.race([confirmed.then(() => true), sleep(POLL_MS, false)]);
    if (isConfirmed) return copy(database.url);
    if ((await pendingDataLosses(database)).length === 0) return;
  }
}

async function copy(url: string): Promise<void> {
  if ((await copyDatabase(url)) === 'in use')
    throw new StartError('Others are connected to the database, so it cannot be copied: close their connections first');
}

const textOf = (losses: readonly PendingDataLoss[]): string =>
  [
    'Migrations that have not run lose data:',
    ...losses.flatMap(({ name, statements }) => ['', `  ${name}`, ...statements.map((each) => `    ${each}`)]),
    '',
    'The database is copied before they run, and "lintel db undo" restores the copy.',
  ].join('\n');
