import { JmixRestConnection } from '@haulmont/jmix-rest';
import { baseUrl } from '../api.ts';

/**
 * The published JavaScript client of the reference, unmodified, as a page of the origin of the API uses it. In a
 * browser its relative addresses (`/oauth/token`) belong to that origin; `fetch` of Node.js has none, so they are
 * resolved here.
 */
const fetchOfNode = globalThis.fetch;
globalThis.fetch = (input, init) =>
  fetchOfNode(typeof input === 'string' ? new URL(input, `${baseUrl}/`) : input, init);

let connections = 0;

/** A client that nobody is logged in with. Each has a name of its own, as several in one page need. */
export function newConnection(locale = 'en', clientId = 'client'): JmixRestConnection {
  connections += 1;
  return new JmixRestConnection(`app-${connections}`, '/rest/', clientId, 'secret', locale);
}

/** A client that a demo user is logged in with; the password is the user name. */
export async function connectAs(username: string, locale?: string): Promise<JmixRestConnection> {
  const connection = newConnection(locale);
  await connection.login(username, username);
  return connection;
}
