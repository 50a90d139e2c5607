import { setTimeout as sleep } from 'node:timers/promises';
import { createIdempotencyStore } from '@lintel/persistence';
import { eventually } from '@lintel/testkit';
import { type DataFixture, startData, type TestResponse } from '../../data-fixture.ts';
import { shop } from '../../shop-application.ts';

let data: DataFixture;
beforeAll(async () => {
  data = await startData(shop, {
    admin: { resourceRoles: ['system-full-access'] },
    other: { resourceRoles: ['system-full-access'] },
    client: { resourceRoles: ['system-full-access'], kind: 'client' },
    nobody: { resourceRoles: ['rest-minimal'] },
  });
});
afterAll(() => data?.close());

let number = 0;
const newKey = (): string => {
  number += 1;
  return `key-${number}`;
};
const send = (key: string, method: string, path: string, body?: unknown, user = 'admin') =>
  data.send(user, method, `/entities/${path}`, body, { 'Idempotency-Key': key });
const post = (key: string, body: unknown, user?: string) => send(key, 'POST', 't_Category', body, user);

/** The parts of a response that a replay must repeat. */
const seen = ({ status, text, headers }: TestResponse) => ({
  status,
  text,
  location: headers.get('location'),
  etag: headers.get('etag'),
  type: headers.get('content-type'),
});
const isReplay = ({ headers }: TestResponse) => headers.get('idempotency-replayed') === 'true';
const countOf = async (code: string): Promise<number> => {
  const [row] = await data.query<{ count: number }>('SELECT count(*)::int FROM t.category WHERE code LIKE $1', [code]);
  return row?.count ?? -1;
};
const eventsOf = async (): Promise<number> => {
  const [row] = await data.query<{ count: number }>('SELECT count(*)::int FROM events.outbox');
  return row?.count ?? -1;
};

describe('a repeated request with the key of the first', () => {
  // Asserts contract/writing.md#create, contract/writing.md#idempotency.
  test('gets the response of the first with the header Idempotency-Replayed, and creates nothing', async () => {
    const key = newKey();
    const first = await post(key, { code: 'ONCE', name: 'the first' });
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    const events = await eventsOf();
    // The response is the stored one, even if the instance has changed.
    await data.send('admin', 'PUT', `/entities/t_Category/${first.json().id}`, { name: 'changed' });
    const again = await post(key, { code: 'ONCE', name: 'the first' });
    expect(seen(again)).toEqual(seen(first));
    expect([isReplay(again), again.headers.get('cache-control')]).toEqual([true, 'no-store']);
    expect([await countOf('ONCE'), await eventsOf()]).toEqual([1, events + 1]);
  });

  // Asserts contract/writing.md#create.
  test('of a batch returns the whole batch in its order', async () => {
    const key = newKey();
    const body = ['B2', 'B1', 'B3'].map((code) => ({ code }));
    const path = 't_Category?responseFetchPlan=_local';
    const first = await send(key, 'POST', path, body);
    const again = await send(key, 'POST', path, body);
    expect([first.status, first.json().length, isReplay(again)]).toEqual([201, 3, true]);
    expect(seen(again)).toEqual(seen(first));
    expect(await countOf('B_')).toBe(3);
  });

  // Asserts contract/writing.md#create.
  test('of an update or a deletion does not run it again', async () => {
    const { id } = (await post(newKey(), { code: 'CHANGED' })).json();
    const keys = [newKey(), newKey(), newKey()] as const;
    const update = () => send(keys[0], 'PUT', `t_Category/${id}`, { name: 'a' });
    const [first, again] = [await update(), await update()];
    expect([seen(again), isReplay(again)]).toEqual([seen(first), true]);
    const batch = () => send(keys[1], 'PUT', 't_Category', [{ id, name: 'b' }]);
    expect([(await batch()).status, isReplay(await batch())]).toEqual([200, true]);
    const remove = () => send(keys[2], 'DELETE', `t_Category/${id}`);
    expect((await remove()).status).toBe(204);
    const removed = await remove();
    expect([removed.status, removed.text, isReplay(removed)]).toEqual([204, '', true]);
    expect((await send(newKey(), 'DELETE', `t_Category/${id}`)).status).toBe(404);
  });

  test('is the same request with a slash at the end of the path, and with the key in quotes', async () => {
    const key = newKey();
    await post(key, { code: 'SLASH' });
    expect(isReplay(await send(`"${key}"`, 'POST', 't_Category/', { code: 'SLASH' }))).toBe(true);
  });
});

describe('a key that was used', () => {
  test.each([
    ['another body', 'POST', 't_Category', { code: 'OTHER' }],
    ['an invalid body', 'POST', 't_Category', { name: 'no code' }],
    ['another query', 'POST', 't_Category?responseFetchPlan=_local', { code: 'USED' }],
    ['another entity', 'POST', 't_Tag', { code: 'USED' }],
    ['another method', 'DELETE', 't_Category', ['f0000000-0000-4000-8000-000000000000']],
  ])('is refused with 422 for %s', async (_, method, path, body) => {
    if ((await countOf('USED')) === 0) expect((await post('used-key', { code: 'USED' })).status).toBe(201);
    const response = await send('used-key', method, path, body);
    expect([response.status, response.json()]).toEqual([
      422,
      {
        error: 'Idempotency key reused',
        details: 'The Idempotency-Key was used for another request; use a new key for each request',
      },
    ]);
    expect(await countOf('OTHER')).toBe(0);
  });

  test('is a different key for every other principal, also for a client of the same name', async () => {
    const key = newKey();
    const first = await post(key, { code: 'MINE' });
    const others = [await post(key, { code: 'THEIRS' }, 'other'), await post(key, { code: 'CLIENTS' }, 'client')];
    expect(others.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set([first, ...others].map((response) => response.json().id)).size).toBe(3);
  });

  test('does not replace the right to write', async () => {
    const key = newKey();
    await post(key, { code: 'RIGHT' });
    expect((await post(key, { code: 'RIGHT' }, 'nobody')).status).toBe(403);
  });

  test('may be used again after the request was refused by any check', async () => {
    const key = newKey();
    await post(newKey(), { code: 'TAKEN' });
    const refused = [
      await post(key, { name: 'no code' }),
      await post(key, { code: 'TAKEN' }),
      await post(key, { code: 1 }),
      await send(key, 'POST', 't_Order', { number: 'X', notes: 'explode' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 409, 400, 500]);
    data.errors.splice(0);
    const response = await post(key, { code: 'AT LAST' });
    expect([response.status, isReplay(response)]).toEqual([201, false]);
  });

  test('can be used again when its response is older than the retention; pruning then removes it', async () => {
    const key = newKey();
    await post(key, { code: 'OLD' });
    const age = `UPDATE lintel.idempotent_request SET created_at = now() - interval '24 hours' WHERE key = $1`;
    await data.query(age, [key]);
    const response = await post(key, { code: 'NEW' });
    expect([response.status, isReplay(response)]).toEqual([201, false]);
    expect(isReplay(await post(key, { code: 'NEW' }))).toBe(true);
    await data.query(age, [key]);
    const kept = () => data.query('SELECT key FROM lintel.idempotent_request ORDER BY key');
    const before = await kept();
    await createIdempotencyStore(data.database, { retentionMs: 86_400_000 }).prune();
    expect(await kept()).toEqual(before.filter((row) => row['key'] !== key));
  });
});

test('a malformed key is refused with 400 before anything else', async () => {
  for (const key of ['two words', 'k'.repeat(256), '""']) {
    const response = await post(key, { code: 'MALFORMED' });
    expect([response.status, response.json()]).toEqual([
      400,
      {
        error: 'Invalid idempotency key',
        details: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
      },
    ]);
  }
  expect(await countOf('MALFORMED')).toBe(0);
});

describe('repeated requests while the first one runs', () => {
  test('are refused with 409 and Retry-After, and later get its response', async () => {
    const key = newKey();
    let first: Promise<TestResponse> | undefined;
    await data.database.transaction(async (transaction) => {
      await transaction.query({ text: 'LOCK TABLE t.category IN EXCLUSIVE MODE', values: [] });
      first = post(key, { code: 'SLOW' });
      await eventually(async () => {
        const waiting = await data.query(
          `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 't.category'::regclass`,
        );
        expect(waiting).toHaveLength(1);
      });
      const meanwhile = await post(key, { code: 'SLOW' });
      expect([meanwhile.status, meanwhile.json(), meanwhile.headers.get('retry-after')]).toEqual([
        409,
        { error: 'Request in progress', details: 'A request with the same Idempotency-Key is being carried out' },
        '1',
      ]);
    });
    const response = await first;
    expect(response?.status).toBe(201);
    expect((await post(key, { code: 'SLOW' })).text).toBe(response?.text);
  });

  test('create exactly one instance, with any number of concurrent requests', async () => {
    const key = newKey();
    const patient = async (): Promise<TestResponse> => {
      const response = await post(key, { code: 'CROWD' });
      if (response.status !== 409) return response;
      await sleep(20);
      return patient();
    };
    const responses = await Promise.all(Array.from({ length: 25 }, patient));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([responses[0]?.status, responses.filter((response) => !isReplay(response)).length]).toEqual([201, 1]);
    expect(await countOf('CROWD')).toBe(1);
  });
});

test('a request without a key is not stored', async () => {
  const rows = () => data.query('SELECT key FROM lintel.idempotent_request');
  const before = await rows();
  expect((await data.send('admin', 'POST', '/entities/t_Category', { code: 'NO KEY' })).status).toBe(201);
  expect(await rows()).toHaveLength(before.length);
});
