import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CommandError } from '../command-error.ts';

/** The login of one server, as it is stored. */
export interface StoredLogin {
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** The logins of the user of this machine, by the address of the server. */
export type StoredLogins = Readonly<Record<string, StoredLogin>>;

type Variables = Readonly<Record<string, string | undefined>>;

/** `credentials.json` in the folder of the user for configuration. */
export function credentialsFile(variables: Variables): string {
  const named = variables['XDG_CONFIG_HOME'] ?? '';
  // The specification of the variable: a relative path is ignored, otherwise tokens would be in the working directory.
  const folder = isAbsolute(named) ? named : (variables['APPDATA'] ?? join(homedir(), '.config'));
  return join(folder, 'lintel', 'credentials.json');
}

/** @throws CommandError for a file that is not what `saveLogins` writes */
export function readLogins(file: string): StoredLogins {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
  try {
    return (JSON.parse(text) as { readonly logins: StoredLogins }).logins;
  } catch (cause) {
    throw new CommandError(`${file} cannot be read`, 'Remove it and log in again', { cause });
  }
}

/** Replaces the file at once; only the user can read it, also where it was there before with other rights. */
export function saveLogins(file: string, logins: StoredLogins): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify({ logins }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
}
