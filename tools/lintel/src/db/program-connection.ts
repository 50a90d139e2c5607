import { readFileSync } from 'node:fs';
import { CommandError } from '../command-error.ts';

/** How a program of PostgreSQL connects. */
export interface ProgramConnection {
  /** Without the password, which other users could see among the parameters of a program. */
  readonly url: string;
  readonly password: string | undefined;
}

/** Scheme, user, password, servers, database, parameters. URLs of several servers are no URLs of the web. */
const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#@:]*)(?::([^/?#@]*))?@)?([^/?#]*)([^?#]*)(?:\?(.*))?$/s;

/** Parameters of the platform that libpq does not know. */
const OWN_PARAMETERS = ['password_file', 'uselibpqcompat'];

/** @throws CommandError where it is no PostgreSQL URL, or its file with the password cannot be read */
export function programConnection(connection: string): ProgramConnection {
  const [scheme, user, password, servers, database, query] = partsOf(connection);
  const parameters = new URLSearchParams(query);
  const file = parameters.get('password_file');
  for (const name of OWN_PARAMETERS) parameters.delete(name);
  const login = user === '' ? '' : `${user}@`;
  // libpq takes "+" as it is.
  const rest = parameters.size === 0 ? '' : `?${String(parameters).replaceAll('+', '%20')}`;
  return {
    url: `${scheme}${login}${servers}${database}${rest}`,
    password: password === '' ? passwordIn(file) : decodeURIComponent(password),
  };
}

/** Servers and name of the database, for people. */
export function locationOf(connection: string): string {
  const [, , , servers, database] = partsOf(connection);
  return `${servers}${database}`;
}

type Parts = readonly [string, string, string, string, string, string];

function partsOf(connection: string): Parts {
  const [whole, ...parts] = PARTS.exec(connection) ?? [];
  if (whole === undefined)
    throw new CommandError(
      'The address of the database is no PostgreSQL URL',
      'It has the form postgres://user:password@host:5432/database',
    );
  return parts.map((part) => part ?? '') as unknown as Parts;
}

function passwordIn(file: string | null): string | undefined {
  if (file === null) return undefined;
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0];
  } catch (cause) {
    throw new CommandError(
      `The file with the password cannot be read (${cause instanceof Error ? cause.message : String(cause)})`,
      'Check svc.datasource.password-file',
      { cause },
    );
  }
}
