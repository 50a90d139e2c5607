import { Client } from 'pg';

/** Runs statements one after the other. */
export async function runStatements(databaseUrl: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'lintel-bench' });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The parts of a connection string, for programs that want them by themselves. */
export function partsOf(databaseUrl: string) {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  return {
    host: hostname,
    port: port || '5432',
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
  };
}
