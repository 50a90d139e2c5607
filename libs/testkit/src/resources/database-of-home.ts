import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The connection string of the embedded database of a system with this `LINTEL_HOME`. */
export function databaseOfHome(home: string): string {
  const secrets = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as Record<string, string>;
  const location = join(home, 'location');
  const shared = existsSync(location) ? readFileSync(location, 'utf8').trim() : home;
  const port = readFileSync(join(shared, 'database', 'data', 'postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://lintel:${encodeURIComponent(secrets['database-password'] ?? '')}@127.0.0.1:${port}/lintel`;
}
