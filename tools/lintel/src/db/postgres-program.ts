import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment } from '@lintel/config/environment';
import { CommandError } from '../command-error.ts';

/** Connection string without its password, which other users could see among the parameters of a program. */
export function withoutPassword(url: string): { readonly url: string; readonly password: string | undefined } {
  const parsed = new URL(url);
  const password = parsed.password === '' ? undefined : decodeURIComponent(parsed.password);
  parsed.password = '';
  return { url: parsed.href, password };
}

/** Host, port and name of the database, for people. */
export function locationOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

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
  const { url, password } = withoutPassword(connection);
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
