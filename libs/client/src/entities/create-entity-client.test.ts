import { createConnection } from '../connection/create-connection.ts';
import type { FetchLike } from '../platform.ts';
import { createEntityClient } from './create-entity-client.ts';

test.each<[string | false | undefined, number]>([
  [undefined, 2],
  ['mine', 2],
  ['', 1],
  [false, 1],
])('a write with the idempotency key %j is sent %d times', async (idempotencyKey, attempts) => {
  const keys: (string | undefined)[] = [];
  const fetch: FetchLike = async (_url, { headers }) => {
    keys.push(headers['idempotency-key']);
    return new Response('', { status: 503, headers: { 'retry-after': '0' } });
  };
  const client = createEntityClient(createConnection({ baseUrl: 'http://server', fetch, maxRetries: 1 }));
  await expect(client.create('E', {}, { idempotencyKey })).rejects.toMatchObject({ status: 503 });
  expect(keys).toHaveLength(attempts);
  expect(keys.every((key) => (key !== undefined) === attempts > 1)).toBe(true);
});
