import { setTimeout as sleep } from 'node:timers/promises';
import { ValidationError } from '@lintel/application';
import { cloneTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { schemaOf } from '../schema-of.ts';
import { done, eventsApplication, faults } from './events-application.ts';
import { type DataWithRelay, startWithRelay } from './start-with-relay.ts';

const USERS = { admin: { resourceRoles: ['system-full-access'] }, ada: { resourceRoles: ['e-notes'] } };

let database: TestDatabase;
let data: DataWithRelay;
beforeAll(async () => {
  database = await cloneTestDatabase(schemaOf(eventsApplication.model), 'events');
  data = await startWithRelay(database, eventsApplication, USERS);
});
afterAll(async () => {
  await data.close();
  await database.drop();
});
beforeEach(async () => {
  await data.query('DELETE FROM events.handler_retry');
  done.splice(0);
  faults.clear();
});

const publish = (text: unknown, subject = 's', headers: Record<string, string> = {}) =>
  data.send('admin', 'POST', '/services/e_Events/publish', { subject, text }, headers);

const copies = async (like: string) =>
  (
    await data.query<{ text: string }>(`SELECT text FROM e.copy WHERE text LIKE '${like}' ORDER BY created_date, text`)
  ).map(({ text }) => text);

const retriesOf = (handler: string) =>
  data.query<{ attempts: number; next_attempt: string | null; error: string | null }>(
    `SELECT attempts, next_attempt, error FROM events.handler_retry WHERE handler = '${handler}' ORDER BY position`,
  );

const errorText = (_key: string, value: unknown) => (value instanceof Error ? `${value} ${value.cause}` : value);

/** The next attempts of all events are now. */
const hurry = () => data.query(`UPDATE events.handler_retry SET next_attempt = now() WHERE next_attempt IS NOT NULL`);

// Asserts contract/events.md#publish and #envelope.
test('an event of a listener is published after the commit of its write, as a CloudEvent of the application', async () => {
  const created = await data.send('admin', 'POST', '/entities/e_Note', { text: 'one' });
  expect(created.status).toBe(201);
  const { id } = created.json();
  await eventually(() => expect(data.published.filter(({ subject }) => subject === `e_Note/${id}`)).toHaveLength(1));
  expect(data.published.find(({ subject }) => subject === `e_Note/${id}`)).toEqual({
    specversion: '1.0',
    id: expect.any(String),
    source: '/e',
    type: 'e.noted.v1',
    subject: `e_Note/${id}`,
    time: expect.stringMatching(/Z$/),
    datacontenttype: 'application/json',
    dataschema: 'http://localhost:8080/rest/docs/asyncapi.json#/components/schemas/e.noted.v1',
    traceparent: expect.any(String),
    data: { text: 'one' },
  });
  await eventually(async () => expect(await copies('%one')).toEqual([`e_Note/${id} one`]));
  expect(done).toEqual(['copy one 1']);
});

// Asserts contract/events.md#documents.
test('the schema of an event is in the document of callers who may receive it', async () => {
  const documentOf = (user: string) => data.send(user, 'GET', '/docs/asyncapi.json');
  const [all, limited] = [await documentOf('admin'), await documentOf('ada')];
  expect([all.status, limited.status]).toEqual([200, 200]);
  expect(all.json()).toMatchObject({
    asyncapi: '3.0.0',
    components: { schemas: { 'e.noted.v1': { type: 'object' } } },
  });
  expect(limited.text).toContain('data.user.changed.v1');
  expect(limited.text).not.toMatch(/e\.noted|receive\./);
  const again = await data.send('admin', 'GET', '/docs/asyncapi.json', undefined, {
    'if-none-match': all.headers.get('etag') ?? '',
  });
  expect(again.status).toBe(304);
});

// Asserts contract/events.md#publish.
test('a refused write, a failed transaction and a rehearsal publish nothing', async () => {
  const count = async () => (await data.query(`SELECT FROM events.outbox WHERE type = 'e.noted.v1'`)).length;
  const before = await count();
  expect((await data.send('admin', 'POST', '/entities/e_Note', { text: 'refused' })).status).toBe(400);
  expect((await data.send('admin', 'POST', '/services/e_Events/fail', {})).status).toBe(400);
  const rehearsed = await data.send('admin', 'POST', '/entities/e_Note', { text: 'x' }, { prefer: 'tx=rollback' });
  expect(rehearsed.status).toBe(201);
  expect(await count()).toBe(before);
});

// Asserts contract/events.md#publish.
test.each([
  ['data that does not match the schema', 5, 's'],
  ['an empty subject', 'x', ''],
  ['a subject that is too long', 'x', 'x'.repeat(1_001)],
])('%s is an error of the application', async (_what, text, subject) => {
  const before = data.errors.length;
  expect((await publish(text, subject)).status).toBe(500);
  expect(JSON.stringify(data.errors[before], errorText)).toContain('Event e.noted.v1: ');
});

// Asserts contract/events.md#publish.
test.each([
  ['NUL', 'a\0'],
  ['half of a surrogate pair', '\ud83d'],
])('an event with %s, which its readers could not read, is refused', async (_what, text) => {
  const response = await publish(text, 's');
  expect([response.status, response.text]).toEqual([400, expect.stringContaining('cannot be stored')]);
});

// Asserts contract/events.md#publish.
test('a job publishes events', async () => {
  await data.query(`SELECT job.create_queue('publish', '{"policy":"standard"}')`);
  await data.query(
    `INSERT INTO job.job (name, data, policy) VALUES ('publish', '{"args":{"text":"of a job"}}', 'standard')`,
  );
  await eventually(async () => expect(await copies('%of a job')).toEqual(['job of a job']));
});

// Asserts contract/events.md#handlers.
test('a handler commits its writes with the record of the event, and nothing if it fails', async () => {
  let failures = 1;
  faults.set('flaky', () => {
    if (failures-- > 0) throw new ValidationError('a secret value');
  });
  await publish('flaky', 'flaky');
  await eventually(async () => expect(await retriesOf('copy')).toHaveLength(1));
  expect(await copies('flaky%')).toEqual([]);
  const [kept] = await retriesOf('copy');
  expect(kept).toMatchObject({ attempts: 1, error: expect.stringMatching(/^ValidationError: the log has it/) });
  await hurry();
  await eventually(async () => expect(await copies('flaky%')).toEqual(['flaky flaky']));
  expect([done, await retriesOf('copy')]).toEqual([['copy flaky 1', 'copy flaky 2'], []]);
});

// Asserts contract/events.md#order.
test('later events of the subject wait for a failed one, events of other subjects do not', async () => {
  let isDown = true;
  faults.set('first', () => {
    if (isDown) throw new Error('down');
  });
  await publish('first', 'a');
  await publish('second', 'a');
  await publish('third', 'b');
  await eventually(async () => expect(await copies('b third')).toEqual(['b third']));
  await eventually(async () => expect(await retriesOf('copy')).toHaveLength(2));
  expect(await copies('a %')).toEqual([]);
  isDown = false;
  await hurry();
  await eventually(async () => expect(await copies('a %')).toEqual(['a first', 'a second']));
  expect(done.slice(1)).toEqual(['copy third 1', 'copy first 2', 'copy second 1']);
});

// Asserts contract/events.md#handlers.
test('an event whose attempts are used up is a dead letter, and the later ones go on', async () => {
  faults.set('poison', () => {
    throw new Error('never');
  });
  await publish('poison', 'p');
  await publish('after', 'p');
  for (const attempt of [1, 2, 3]) {
    await eventually(() => expect(done.filter((text) => text.startsWith('copy poison'))).toHaveLength(attempt));
    await eventually(async () => expect((await retriesOf('copy'))[0]?.attempts).toBe(attempt));
    await hurry();
  }
  await eventually(async () => expect(await copies('p %')).toEqual(['p after']));
  expect(await retriesOf('copy')).toEqual([{ attempts: 3, next_attempt: null, error: expect.any(String) }]);
});

// Asserts contract/events.md#handlers.
test('an attempt that does not end within its time has failed, and its writes are refused', async () => {
  let write: (() => Promise<unknown>) | undefined;
  faults.set('slow', (own) => {
    faults.delete('slow');
    write = () => own.create('e_Copy', { text: 'too late' });
    return new Promise(() => {});
  });
  await publish('slow', 'slow');
  await eventually(async () => expect((await retriesOf('copy'))[0]?.attempts).toBe(1));
  await expect(write?.()).rejects.toThrow();
  await hurry();
  await eventually(async () => expect(await copies('slow %')).toEqual(['slow slow']));
});

// Asserts contract/events.md#rights.
test('a handler has the rights of its roles, or of its user, who must exist', async () => {
  faults.set('too much', (own) => own.loadList('e_Secret'));
  await publish('too much', 'r');
  await eventually(async () =>
    expect(await retriesOf('copy')).toEqual([
      expect.objectContaining({ error: expect.stringContaining('ACCESS_READ_DENIED') }),
    ]),
  );
  await eventually(async () =>
    expect((await retriesOf('as-user')).at(-1)?.error).toBe('There is no active user writer for the handler as-user'),
  );
  await data.query(
    `INSERT INTO sec."user" (id, version, username, active) VALUES (gen_random_uuid(), 1, 'writer', true)`,
  );
  await data.query(
    `INSERT INTO sec.role_assignment (id, version, username, role_code, role_type)
     VALUES (gen_random_uuid(), 1, 'writer', 'e-notes', 'resource')`,
  );
  await publish('by a user', 'r2');
  await eventually(async () =>
    expect(await data.query(`SELECT created_by FROM e.copy WHERE text = 'of the user'`)).toEqual([
      { created_by: 'writer' },
    ]),
  );
});

// Asserts contract/events.md#handlers.
test('two processes handle each event once', async () => {
  const other = await startWithRelay(database, eventsApplication, USERS);
  try {
    await Promise.all(Array.from({ length: 60 }, (_, at) => publish(`n${at}`, `two ${at % 7}`)));
    await eventually(async () => expect(await copies('two %')).toHaveLength(60));
  } finally {
    await other.close();
  }
  const handled = done.filter((text) => text.startsWith('copy n'));
  expect([handled.length, new Set(handled).size]).toEqual([60, 60]);
});

// Asserts contract/events.md#changes.
test('a handler of changes gets those that it names, of descendants too', async () => {
  const [row] = await data.query<{ id: string }>(`SELECT id FROM e.copy LIMIT 1`);
  expect((await data.send('admin', 'PUT', `/entities/e_Copy/${row?.id}`, { text: 'changed' })).status).toBe(200);
  expect((await data.send('admin', 'DELETE', `/entities/e_Copy/${row?.id}`)).status).toBe(204);
  await eventually(() => expect(done).toEqual([`deleted e_Copy/${row?.id}`]));
});

// Asserts contract/events.md#became.
test('a condition is true for the change that sets the value, and not for later ones', async () => {
  const create = async (values: object) =>
    String((await data.send('admin', 'POST', '/entities/e_Note', values)).json().id);
  const update = (id: string, values: object) => data.send('admin', 'PUT', `/entities/e_Note/${id}`, values);
  const born = await create({ text: 'b', status: 'CONFIRMED', urgent: true });
  const other = await create({ text: 'o', status: 'NEW' });
  await update(other, { text: 'o2' });
  await update(other, { status: 'CONFIRMED', urgent: true });
  await update(other, { status: 'CONFIRMED', text: 'o3' });
  await update(other, { status: 'NEW' });
  await update(other, { status: 'CONFIRMED' });
  const conditions = () => done.filter((text) => !text.startsWith('copy'));
  await eventually(() => expect(conditions()).toHaveLength(4));
  expect(conditions().sort()).toEqual(
    [
      `confirmed e_Note/${born} created`,
      `confirmed e_Note/${other} updated`,
      `confirmed e_Note/${other} updated`,
      `urgent e_Note/${other}`,
    ].sort(),
  );
  const published = await data.query(
    `SELECT envelope::text AS json FROM events.outbox WHERE subject = 'e_Note/${born}'`,
  );
  expect(JSON.stringify(published)).not.toContain('CONFIRMED');
});

// Asserts contract/events.md#handlers.
test('a handler continues the trace of the request that published', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await publish('traced', 't', { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  await eventually(() => expect(done).toContain(`trace ${traceId}`));
});

const operate = (method: string, path: string, body?: unknown, user = 'admin') =>
  data.send(user, method, `/operations/${path}`, body);
const handlerNamed = async (name: string) => {
  const listed = (await operate('GET', 'event-handlers')).json() as readonly { readonly name: string }[];
  return listed.find((handler) => handler.name === name);
};

// Asserts contract/operations.md#dead-letters.
test('operators see dead letters of handlers with those of the bus, repeat and discard them', async () => {
  const letters = async () => (await operate('GET', 'dead-letters')).json();
  await data.query(`UPDATE sec."user" SET active = false WHERE username = 'writer'`);
  await publish('lost', 'lost 1');
  await publish('lost', 'lost 2');
  await eventually(async () => expect((await letters()).total).toBe(2));
  const { letters: listed } = await letters();
  expect(listed[0]).toEqual({
    key: expect.stringMatching(/^handler\.as-user\.\d+$/),
    service: 'data',
    id: expect.any(String),
    type: 'e.noted.v1',
    subject: 'lost 1',
    queue: 'handler.as-user',
    reason: 'There is no active user writer for the handler as-user',
    time: expect.any(String),
  });
  const [first, second] = listed.map(({ key }: { key: string }) => `dead-letters/${key}`);
  expect(JSON.parse((await operate('GET', first)).json().content).data).toEqual({ text: 'lost' });
  await data.query(`UPDATE sec."user" SET active = true WHERE username = 'writer'`);
  expect((await operate('POST', `${first}/retry`)).status).toBe(204);
  expect((await operate('POST', `${first}/retry`)).status).toBe(404);
  expect((await operate('DELETE', second)).status).toBe(204);
  expect((await operate('DELETE', second)).status).toBe(404);
  expect((await operate('GET', second)).status).toBe(404);
  await eventually(async () => expect(await retriesOf('as-user')).toEqual([]));
});

// Asserts contract/operations.md#event-handlers.
test('a paused handler gets its events when it goes on', async () => {
  expect((await operate('PUT', 'event-handlers/copy', { paused: true })).json()).toMatchObject({ paused: true });
  await publish('paused', 'paused');
  await eventually(async () => expect(await handlerNamed('copy')).toMatchObject({ waiting: 1, on: 'e.noted.v1' }));
  expect(await copies('paused%')).toEqual([]);
  expect((await operate('PUT', 'event-handlers/copy', { paused: false })).json()).toMatchObject({ paused: false });
  await eventually(async () => expect(await copies('paused%')).toEqual(['paused paused']));
  expect(await handlerNamed('copy')).toMatchObject({ waiting: 0, deadLetters: 0 });
});

// Asserts contract/operations.md#event-handlers.
test('a replay handles the events since a time again, dead letters too', async () => {
  const since = async () => {
    await sleep(20);
    const [row] = await data.query<{ now: string }>(`SELECT to_json(clock_timestamp())#>>'{}' AS now`);
    await sleep(20);
    return row?.now;
  };
  await publish('before', 'replay');
  await eventually(async () => expect(await copies('replay%')).toEqual(['replay before']));
  const replayFrom = await since();
  faults.set('poison', () => {
    throw new Error('not now');
  });
  await publish('poison', 'replay');
  await eventually(() => expect(done).toContain('copy poison 1'));
  await data.query(`UPDATE events.handler_retry SET next_attempt = NULL WHERE handler = 'copy'`);
  await publish('later', 'replay');
  await eventually(async () => expect(await copies('replay%')).toHaveLength(2));
  await data.query(`DELETE FROM e.copy WHERE text = 'replay later'`);
  faults.clear();
  done.splice(0);
  expect((await operate('PUT', 'event-handlers/copy', { replayFrom })).status).toBe(200);
  await eventually(async () =>
    expect((await copies('replay%')).sort()).toEqual(['replay before', 'replay later', 'replay poison']),
  );
  expect(done).toEqual(['copy poison 1', 'copy later 1']);
});

// Asserts contract/operations.md#event-handlers and #permissions.
test.each([
  ['GET', 'event-handlers', undefined, 200],
  ['PUT', 'event-handlers/copy', undefined, 400],
  ['PUT', 'event-handlers/copy', { paused: 'yes' }, 400],
  ['PUT', 'event-handlers/copy', { replayFrom: 'yesterday' }, 400],
  ['PUT', 'event-handlers/copy', { paused: false, other: 1 }, 400],
  ['PUT', 'event-handlers/none', { paused: false }, 404],
  ['GET', 'dead-letters/handler.copy.999999999999999999', undefined, 404],
  ['GET', 'dead-letters/handler.copy.1x', undefined, 404],
])('%s %s with %j returns %i to operators, and 403 to others', async (method, path, body, status) => {
  expect((await operate(method, path, body)).status).toBe(status);
  expect((await operate(method, path, body, 'ada')).status).toBe(403);
});

// Asserts contract/events.md#handlers.
test('a new handler begins after the latest event, and a removed one is forgotten', async () => {
  await data.query(`INSERT INTO events.handler (name, position) VALUES ('gone', 1)`);
  await data.query(`DELETE FROM events.handler WHERE name = 'trace'`);
  await data.close();
  done.splice(0);
  data = await startWithRelay(database, eventsApplication, USERS);
  const rows = await data.query<{ name: string; position: string }>(
    'SELECT name, position FROM events.handler ORDER BY name',
  );
  expect(rows.map(({ name }) => name)).toEqual(['as-user', 'confirmed', 'copy', 'deletions', 'trace', 'urgent']);
  await publish('traced', 'new');
  await eventually(() => expect(done.filter((text) => text.startsWith('trace'))).toHaveLength(1));
});

// Asserts contract/events.md#delivery.
test('events that a handler has yet to pass are not pruned', async () => {
  await data.query(`UPDATE events.handler SET position = 0, paused_at = now() WHERE name = 'deletions'`);
  await data.query(`UPDATE events.outbox SET published_at = now() - interval '2 days' WHERE published_at IS NOT NULL`);
  const count = async () => (await data.query('SELECT FROM events.outbox')).length;
  const before = await count();
  await data.close();
  data = await startWithRelay(database, eventsApplication, USERS);
  await publish('kept', 'kept');
  await eventually(async () => expect(await copies('kept%')).toHaveLength(1));
  expect(await count()).toBeGreaterThan(before);
  await data.query(`UPDATE events.handler SET paused_at = NULL`);
  await data.query(`UPDATE events.handler SET position = (SELECT max(published_position) FROM events.outbox)`);
  await data.close();
  data = await startWithRelay(database, eventsApplication, USERS);
  await publish('pruned', 'pruned');
  await eventually(async () => expect(await count()).toBeLessThan(before));
});
