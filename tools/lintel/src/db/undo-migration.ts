import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { environment } from '@lintel/config/environment';
import { restoreDatabase } from '@lintel/schema';
import { configuredDatabaseUrl, withDatabase } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import type { UndoOptions } from './db.command.ts';
import { databaseOf } from './open-context.ts';

/**
 * Replaces the database by its copy from before the latest migrations that lose data.
 *
 * @throws CommandError if there is no copy, if others are connected, and if it is not confirmed
 */
export async function undoMigration(options: UndoOptions, terminal: Terminal): Promise<void> {
  // A model with mistakes may be the reason for the command: then its properties do not name the database.
  const database = await databaseOf(options).catch((error: unknown) => {
    if (!existsSync(resolve(environment()['LINTEL_HOME'] ?? '.lintel', 'secrets.json'))) throw error;
    return { databaseUrl: configuredDatabaseUrl(options) };
  });
  await withDatabase(database, terminal, async (url) => {
    if (options.yes !== true) {
      const what = 'All changes since the migrations that lose data are lost';
      if (!terminal.isInteractive) throw new CommandError(what, 'Add --yes to confirm');
      if (!(await terminal.askYes(`${what}. Restore the copy?`))) throw new CommandError('Nothing was changed', what);
    }
    const outcome = await restoreDatabase(url);
    if (outcome === 'in use')
      throw new CommandError('Others are connected to the database', 'Stop them first, for example "npm run dev"');
    if (outcome === 'no copy')
      throw new CommandError(
        'There is no copy of the database',
        '"lintel dev" and "lintel migrate run" make one before migrations that lose data',
      );
  });
  if (options.json === true) terminal.print(JSON.stringify({ restored: true }));
  else terminal.print('The database is the one from before the migrations that lose data.');
}
