import { runMigrate } from '@lintel/migrate';
import { applicationEnvironment, openDatabaseOfFolder } from '../application-context.ts';
import type { ExitCode } from '../run.ts';
import type { Terminal } from '../terminal.ts';

/** Runs a command of the migration tool. */
export const migrate = (parameters: readonly string[], terminal: Terminal): Promise<ExitCode> =>
  runMigrate(
    parameters,
    { print: terminal.print, printError: terminal.note },
    {
      environment: applicationEnvironment(),
      openDatabase: () => openDatabaseOfFolder(terminal),
      ...(terminal.isInteractive ? { ask: terminal.askYes } : {}),
    },
  );
