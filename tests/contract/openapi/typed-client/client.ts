import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './schema.ts';

/**
 * The client that `openapi-fetch` makes of the generated types. These files are no test of their own: `typed-client.test.ts`
 * writes `schema.ts` beside them, checks their types and runs them.
 */
const baseUrl = process.env['LINTEL_BASE_URL'] ?? '';

/** Statuses by operation: what the test compares with the document. */
export const statuses: Record<string, number> = {};

/** Notes which operation of the document was called, and with which response. */
const notes: Middleware = {
  onResponse: ({ request, schemaPath, response }) => {
    statuses[`${request.method.toLowerCase()} ${schemaPath}`] = response.status;
  },
};

/** For the token endpoints. */
export const anonymous = createClient<paths>({ baseUrl });
anonymous.use(notes);

/** For the API, as the holder of a token. */
export function clientOf(accessToken: string): typeof anonymous {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${accessToken}` } });
  client.use(notes);
  return client;
}

/** Header of the demo client. */
export const asClient = { authorization: `Basic ${btoa('client:secret')}` };

/** The data of a response that must be there. */
export function dataOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

/** Fails the run where the types say something else than the values. */
export function expect(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`Not as expected: ${what}`);
}
