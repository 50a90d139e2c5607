import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment } from '@lintel/config/environment';
import { CommandError } from '../command-error.ts';
import { programConnection } from './program-connection.ts';

/**
 * Runs a program of PostgreSQL in this terminal and returns its exit code. It finds the password in `PGPASSWORD`.
 *
 * @param variables of this process, with the `PATH` on which the program is searched
 * @throws CommandError where the program is not installed
 */
export async function runPostgresProgram(
  program: 'psql' | 'pg_dump',
  parameters: readonly string[],
  connection: string,
  variables: Readonly<Record<string, string | undefined>> = environment(),
): Promise<number> {
  const { url, password } = programConnection(connection);
  const child = spawn(program, [`--dbname=${url}`, ...parameters], {
    stdio: 'inherit',
    env: { ...variables, ...(password !== undefined && { PGPASSWORD: password }) },
  });
  // Ctrl-C is for the program: psql cancels a statement and stays.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? 1;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
    throw new CommandError(
      `${program} is not installed; the PostgreSQL of "npm start" is without it`,
      `Install the client of PostgreSQL ("apt install postgresql-client", "brew install libpq"), or use another one with ${url}`,
      { cause },
    );
  } finally {
    process.off('SIGINT', ignore);
  }
}
