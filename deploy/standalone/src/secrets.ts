import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Properties that every installation must have its own value for. */
const SECRET_PROPERTIES = [
  'svc.internal.secret',
  'svc.authserver.key-encryption-secret',
  'svc.rest.cursor-secret',
] as const;
const DATABASE_PASSWORD = 'database-password';

export interface Secrets {
  readonly properties: Readonly<Record<string, string>>;
  readonly databasePassword: string;
}

/** Reads the secrets of the home folder; those that are missing are made and kept, readable by the owner only. */
export function keepSecrets(home: string): Secrets {
  const file = join(home, 'secrets.json');
  const known: Record<string, string> = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
    : {};
  const names = [...SECRET_PROPERTIES, DATABASE_PASSWORD];
  const missing = names.filter((name) => known[name] === undefined);
  for (const name of missing) known[name] = randomBytes(32).toString('base64url');
  if (missing.length > 0) writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`, { mode: 0o600 });
  const properties = Object.fromEntries(SECRET_PROPERTIES.map((name) => [name, known[name] ?? '']));
  return { properties, databasePassword: known[DATABASE_PASSWORD] ?? '' };
}
