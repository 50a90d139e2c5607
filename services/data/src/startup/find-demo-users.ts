import type { Application } from '@lintel/application';
import { quoteTable, tableOf } from '@lintel/metadata';
import { verifyPassword } from '@lintel/passwords';
import type { Database } from '@lintel/persistence';

/** Further users with published passwords, by name. */
const WELL_KNOWN = [['admin', 'admin']] as const;

/** Checked one after the other at each start; an application has a handful. */
const MAX_USERS = 100;

/** The active users of the demo data, and `admin`, that still have the published password. */
export async function findDemoUsers(
  { demoData }: Pick<Application, 'demoData'>,
  database: Pick<Database, 'query'>,
): Promise<readonly string[]> {
  const published = new Map<string, string>(WELL_KNOWN);
  for (const { entity, values } of demoData?.instances ?? []) {
    const { username, password } = values;
    if (entity === 'sec_User' && typeof username === 'string' && typeof password === 'string')
      published.set(username, password);
  }
  const rows = await database.query<{ readonly username: string; readonly password: string }>({
    text: `SELECT username, password FROM ${quoteTable(tableOf({ name: 'sec_User' }))}
WHERE username = ANY ($1::text[]) AND password IS NOT NULL AND active ORDER BY 1 LIMIT ${MAX_USERS}`,
    values: [[...published.keys()]],
  });
  const found: string[] = [];
  for (const { username, password } of rows)
    if ((await verifyPassword(password, published.get(username) ?? '')).ok) found.push(username);
  return found;
}
