import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '@lintel/errors';

/** Properties that need a different value in each installation. */
export const SECRET_PROPERTIES = ['svc.internal.secret', 'svc.authserver.key-encryption-secret'] as const;
/** Of security tokens, where they are required; a configured key comes first, and production needs one. */
export const TOKEN_KEY_PROPERTY = 'svc.core.entity-serialization-token-encryption-key';
const DATABASE_PASSWORD = 'database-password';

export interface Secrets {
  readonly properties: Readonly<Record<string, string>>;
  readonly databasePassword: string;
}

/** The file of secrets cannot be used, and data that is encrypted with them cannot be read without it. */
class SecretsError extends StartError {
  constructor(file: string, reason: string) {
    super(
      `The secrets in ${file} cannot be used (${reason}): restore the file, or move its folder away to begin with a new database.`,
    );
    this.name = 'SecretsError';
  }
}

/**
 * Reads the secrets of the home folder; creates and stores missing ones, readable only by the owner.
 *
 * @param hasDatabase whether there is a database already, for which new secrets would be wrong
 * @throws SecretsError
 */
export function keepSecrets(home: string, hasDatabase: boolean): Secrets {
  const file = join(home, 'secrets.json');
  if (hasDatabase && !existsSync(file)) throw new SecretsError(file, 'the file is missing, and the database is there');
  const known = readSecrets(file);
  const names = [...SECRET_PROPERTIES, TOKEN_KEY_PROPERTY, DATABASE_PASSWORD];
  const missing = names.filter((name) => known[name] === undefined);
  for (const name of missing) known[name] = randomBytes(32).toString('base64url');
  if (missing.length > 0) writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`, { mode: 0o600 });
  const properties = Object.fromEntries(
    [...SECRET_PROPERTIES, TOKEN_KEY_PROPERTY].map((name) => [name, known[name] ?? '']),
  );
  return { properties, databasePassword: known[DATABASE_PASSWORD] ?? '' };
}

function readSecrets(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    throw new SecretsError(file, error instanceof Error ? error.message : String(error));
  }
}
