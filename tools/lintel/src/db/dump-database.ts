import { resolve } from 'node:path';
import { withDatabase } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import type { ExitCode } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import type { DumpOptions } from './db.command.ts';
import { databaseOf } from './open-context.ts';
import { runPostgresProgram } from './postgres-program.ts';

/**
 * Writes a dump of the database. Returns 2 where pg_dump ends with an error, such as a server that is newer than it.
 *
 * @throws CommandError where the result would be mixed with the dump
 */
export async function dumpDatabase(
  parameters: readonly string[],
  options: DumpOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.json === true && options.output === undefined)
    throw new CommandError('The dump and the result cannot both go to standard output', 'Name a file with --output');
  const output = options.output === undefined ? undefined : resolve(options.output);
  const context = await databaseOf(options);
  const code = await withDatabase(context, terminal, (url) =>
    runPostgresProgram('pg_dump', [...(output === undefined ? [] : [`--file=${output}`]), ...parameters], url),
  );
  if (code !== 0) return 2;
  if (options.json === true) terminal.print(JSON.stringify({ output }, null, 2));
  else if (output !== undefined) terminal.print(`Wrote ${output}.`);
  return 0;
}
