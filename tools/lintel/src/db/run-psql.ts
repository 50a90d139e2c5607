import { type ApplicationOptions, withDatabase } from '../application-context.ts';
import type { ExitCode } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import { databaseOf } from './open-context.ts';
import { runPostgresProgram } from './postgres-program.ts';

/** Opens psql in the database. Returns 2 where psql ends with an error. */
export async function runPsql(
  parameters: readonly string[],
  options: ApplicationOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const context = await databaseOf(options);
  const code = await withDatabase(context, terminal, (url) => runPostgresProgram('psql', parameters, url));
  return code === 0 ? 0 : 2;
}
