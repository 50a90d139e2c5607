import { createOutboxStore } from '@lintel/persistence';
import { type EventStream, eventually, openEventStream } from '@lintel/testkit';
import { cases, fc } from '@lintel/testkit/properties';
import { type DataFixture, startData, type TestUser } from '../../../test/data-fixture.ts';
import { feedApplication } from '../../../test/feed-application.ts';

const USERS: Readonly<Record<string, TestUser>> = {
  admin: { resourceRoles: ['system-full-access'] },
  viewer: { resourceRoles: ['viewer'] },
  own: { resourceRoles: ['reader'], rowLevelRoles: ['own'], attributes: { country: 'own' } },
  small: { resourceRoles: ['reader'], rowLevelRoles: ['small'] },
  ownSmall: { resourceRoles: ['reader'], rowLevelRoles: ['own', 'small'], attributes: { country: 'own' } },
  restricted: { resourceRoles: ['rest-minimal'] },
  receiver: { resourceRoles: ['receiver'] },
};

let users: Record<string, TestUser>;
let data: DataFixture;
const streams: EventStream[] = [];

beforeAll(async () => {
  users = { ...USERS };
  data = await startData(feedApplication, users, { 'changes.heartbeatMs': 200 });
});
afterEach(() => {
  Object.assign(users, USERS);
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(async () => {
  await data.close();
  expect(data.errors).toEqual([]);
});

async function open(user: string, entity = 'f_Note', headers: Readonly<Record<string, string>> = {}) {
  const url = `${data.url}/rest/changes/${entity}`;
  const stream = await openEventStream(url, { authorization: `Bearer ${user}`, ...headers });
  streams.push(stream);
  // A client receives every change that is published after the opening frame.
  if (stream.status === 200) await eventually(() => expect(stream.lastEventId).not.toBe(''));
  return stream;
}
const resume = (user: string, id: string, entity = 'f_Note') => open(user, entity, { 'last-event-id': id });

async function publish(): Promise<void> {
  const store = createOutboxStore(data.database);
  while ((await store.relay(100, async () => {})) > 0);
}

let sequence = 0;
const newId = (): string => {
  sequence += 1;
  return `00000000-0000-4000-8000-${String(sequence).padStart(12, '0')}`;
};

async function write(method: string, path: string, body?: unknown): Promise<void> {
  const { status, text } = await data.send('admin', method, `/entities/${path}`, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
}
async function create(values: object = {}): Promise<string> {
  const id = newId();
  await write('POST', 'f_Note', { id, text: 'a', owner: 'own', size: 1, ...values });
  return id;
}
const update = (id: string, values: object) => write('PUT', `f_Note/${id}`, values);
const remove = (id: string) => write('DELETE', `f_Note/${id}`);

interface SentChange {
  readonly entity: string;
  readonly id: string;
  readonly change: string;
  readonly attributes?: readonly string[];
}
const changesOf = (stream: EventStream): readonly SentChange[] =>
  stream.events.map(({ data }) => JSON.parse(data) as SentChange);
const lines = (stream: EventStream): readonly string[] => changesOf(stream).map(({ change, id }) => `${change} ${id}`);

/** Creates an instance that all followers see: changes that were not sent before it are never sent. */
async function settled(...followers: readonly EventStream[]): Promise<void> {
  const ids = [await create({ owner: 'own', size: 1, text: 'last' })];
  await publish();
  for (const stream of followers) await eventually(() => expect(lines(stream)).toContain(`created ${ids[0]}`));
}
const withoutLast = (stream: EventStream): readonly string[] => lines(stream).slice(0, -1);

test('creations, updates and deletions are sent in their order, with the names of the changed attributes', async () => {
  const stream = await open('admin');
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(stream.retryMs).toBeGreaterThanOrEqual(2_000);
  const id = await create();
  await update(id, { text: 'b' });
  await write('POST', 'f_Other', { name: 'not followed' });
  await remove(id);
  await settled(stream);
  expect(withoutLast(stream)).toEqual([`created ${id}`, `updated ${id}`, `deleted ${id}`]);
  expect(changesOf(stream)[1]).toEqual({
    entity: 'f_Note',
    id,
    change: 'updated',
    attributes: ['lastModifiedBy', 'text', 'version'],
    trace: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(stream.events.map(({ event }) => event)).toEqual(['created', 'updated', 'deleted', 'created']);
  // The event has neither the user nor the number of other events.
  expect(JSON.stringify(stream.events)).not.toContain('admin');
  expect(stream.events.every(({ id: text }) => /^[\w-]{60,}$/.test(text))).toBe(true);
});

test('ids have the form of the entity API for every kind of key', async () => {
  const [keyed, long] = await Promise.all([open('admin', 'f_Keyed'), open('admin', 'f_Long')]);
  await write('POST', 'f_Keyed', { id: { part: 'ä/"', number: 9_007 }, name: 'a' });
  await write('POST', 'f_Long', `{"id": 9007199254740995, "name": "b"}`);
  await publish();
  await eventually(() => expect([keyed.events.length, long.events.length]).toEqual([1, 1]));
  const ofApi = (await data.send('admin', 'GET', '/entities/f_Keyed')).json() as readonly { readonly id: unknown }[];
  expect(changesOf(keyed)[0]?.id).toEqual(ofApi[0]?.id);
  expect(long.events[0]?.data).toContain('"id":9007199254740995,');
});

test('attributes that the caller may not view are not named, and an update of them alone is not sent', async () => {
  const stream = await open('viewer');
  const id = await create({ secretNote: 'x' });
  await update(id, { secretNote: 'y' });
  await update(id, { secretNote: 'z', text: 'c' });
  await settled(stream);
  expect(changesOf(stream).map(({ change, attributes }) => [change, attributes])).toEqual([
    ['created', ['id', 'size', 'text']],
    ['updated', ['text']],
    ['created', ['id', 'size', 'text']],
  ]);
  expect(stream.events.some(({ data }) => /secretNote|version|owner/.test(data))).toBe(false);
});

test.each([
  ['a query policy', 'own', { owner: 'other' }],
  ['a predicate policy', 'small', { size: 9 }],
  ['both', 'ownSmall', { size: 9, owner: 'own' }],
])(
  'with %s only changes of visible instances are sent, and those that become invisible as removed',
  async (_name, user, hidden) => {
    const stream = await open(user);
    const [visible, deleted, never] = [await create(), await create(), await create(hidden)];
    await publish();
    await eventually(() => expect(lines(stream)).toEqual([`created ${visible}`, `created ${deleted}`]));
    await update(never, { text: 'still hidden' });
    await remove(never);
    await update(visible, hidden);
    await update(visible, { text: 'hidden meanwhile' });
    await remove(deleted);
    await publish();
    await eventually(() => expect(lines(stream).slice(2)).toEqual([`removed ${visible}`, `removed ${deleted}`]));
    expect(changesOf(stream).at(-1)).toEqual({ entity: 'f_Note', id: deleted, change: 'removed' });
    await update(visible, { owner: 'own', size: 1 });
    await publish();
    await eventually(() => expect(lines(stream).slice(4)).toEqual([`updated ${visible}`]));
    await settled(stream);
    expect(JSON.stringify(changesOf(stream))).not.toContain(never);
  },
);

test('a follower knows exactly the instances that the entity API lists, after any changes', async () => {
  const values = fc.record({ owner: fc.constantFrom('own', 'other'), size: fc.integer({ min: 0, max: 5 }) });
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), values }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('update' as const), at: fc.nat(), values }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat() }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'publish' as const }) },
  );
  const followers = ['admin', 'own', 'small', 'ownSmall'];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await data.query('DELETE FROM f.note');
      const followed = await Promise.all(followers.map((user) => open(user)));
      const alive: string[] = [];
      for (const move of steps) {
        const at = 'at' in move && alive.length > 0 ? move.at % alive.length : undefined;
        const id = at === undefined ? undefined : alive[at];
        if (move.kind === 'create') alive.push(await create(move.values));
        else if (move.kind === 'publish') await publish();
        else if (id !== undefined && move.kind === 'update') await update(id, move.values);
        else if (id !== undefined && at !== undefined) {
          await remove(id);
          alive.splice(at, 1);
        }
      }
      await settled(...followed);
      for (const [at, user] of followers.entries()) {
        const known = new Set<string>();
        for (const { change, id } of changesOf(followed[at] as EventStream))
          if (change === 'created' || change === 'updated') known.add(id);
          else known.delete(id);
        const listed = (await data.send(user, 'GET', '/entities/f_Note')).json() as readonly { readonly id: string }[];
        expect([user, [...known].sort()]).toEqual([user, listed.map(({ id }) => id).sort()]);
      }
      for (const stream of streams.splice(0)) stream.close();
    }),
    cases(5),
  );
});

test('a client that resumes after an event misses no change and gets none twice', async () => {
  const first = await open('own');
  const start = first.lastEventId;
  const [one, two] = [await create(), await create()];
  await publish();
  await eventually(() => expect(first.events).toHaveLength(2));
  first.close();
  const [three] = [await create(), await create({ owner: 'other' })];
  await publish();
  const again = await resume('own', first.events[0]?.id ?? '');
  await settled(again);
  expect(withoutLast(again)).toEqual([`created ${two}`, `created ${three}`]);
  const fromStart = await resume('own', start);
  await eventually(() => expect(lines(fromStart).slice(0, 3)).toEqual([one, two, three].map((id) => `created ${id}`)));
});

test('a client without changes gets heartbeats with a new event id', async () => {
  const stream = await open('viewer');
  const before = stream.lastEventId;
  await write('POST', 'f_Other', { name: 'x' });
  await publish();
  await eventually(() => expect(stream.comments).toBeGreaterThan(1));
  expect(stream.events).toEqual([]);
  expect(stream.lastEventId).not.toBe(before);
});

test('a client that was disconnected for too long gets a reset, and then the new changes', async () => {
  const first = await open('admin');
  await create();
  await publish();
  await eventually(() => expect(first.events).toHaveLength(1));
  const id = first.events[0]?.id ?? '';
  first.close();
  await create();
  await publish();
  await data.query(`UPDATE events.outbox SET created_at = created_at - interval '1 day'`);
  const again = await resume('admin', id);
  await settled(again);
  expect(again.events.map(({ event }) => event)).toEqual(['reset', 'created']);
  expect(again.events[0]?.data).toBe('{}');
});

test('current rights apply: removing the right ends the feed', async () => {
  const [stream, restricted] = await Promise.all([open('viewer'), open('admin')]);
  await create({ owner: 'other' });
  await publish();
  await eventually(() => expect([stream.events.length, restricted.events.length]).toEqual([1, 1]));
  users['viewer'] = { resourceRoles: ['rest-minimal'] };
  users['admin'] = { resourceRoles: ['reader'], rowLevelRoles: ['own'], attributes: { country: 'admin' } };
  await eventually(() => expect(stream.state).toBe('ended'));
  users['writer'] = { resourceRoles: ['system-full-access'] };
  const hidden = await data.send('writer', 'POST', '/entities/f_Note', { text: 'a', owner: 'other' });
  const visible = await data.send('writer', 'POST', '/entities/f_Note', { text: 'a', owner: 'admin' });
  expect([hidden.status, visible.status]).toEqual([201, 201]);
  await publish();
  await eventually(() => expect(lines(restricted).slice(1)).toEqual([`created ${visible.json().id}`]));
});

test.each([
  ['a session that ends', () => delete users['viewer']],
  ['the permission to use the API', () => Object.assign(users, { viewer: { resourceRoles: [] } })],
])('%s ends the feed without any change', async (_name, end) => {
  const stream = await open('viewer');
  end();
  await eventually(() => expect(stream.state).toBe('ended'));
});

test.each([
  ['no token', undefined, 'f_Note', 401],
  ['an unknown entity', 'admin', 'f_None', 404],
  ['an entity that the caller may not read', 'restricted', 'f_Note', 403],
  ['an entity without rows', 'admin', 'f_Key', 404],
])('%s is refused as in the entity API', async (_name, user, entity, status) => {
  const [feed, list] = await Promise.all(
    ['changes', 'entities'].map((path) => data.send(user, 'GET', `/${path}/${entity}`)),
  );
  expect([feed?.status, feed?.text]).toEqual([status, list?.text]);
});

test('an event id of another entity is refused with the name of its header', async () => {
  const stream = await open('admin', 'f_Other');
  for (const wrong of ['1', 'x', stream.lastEventId]) {
    const response = await data.send('admin', 'GET', '/changes/f_Note', undefined, { 'last-event-id': wrong });
    expect([response.status, response.json()]).toEqual([
      400,
      {
        error: 'Invalid parameter value',
        details: 'Last-Event-ID must be the id of an event of the changes of f_Note',
      },
    ]);
  }
});

test('only GET is allowed, and HEAD returns its headers', async () => {
  const wrong = await data.send('admin', 'POST', '/changes/f_Note', {});
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  const head = await data.send('admin', 'HEAD', '/changes/f_Note');
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
});

test('a service that closes ends its feeds, and does not wait for them', async () => {
  const other = await startData(feedApplication, { admin: { resourceRoles: ['system-full-access'] } });
  const stream = await openEventStream(`${other.url}/rest/changes/f_Note`, { authorization: 'Bearer admin' });
  streams.push(stream);
  await other.close();
  await eventually(() => expect(stream.state).toBe('ended'));
});

const DONE = encodeURIComponent(JSON.stringify({ status: 'DONE' }));
const openCondition = (user: string, became = DONE) => open(user, `f_Note?became=${became}`);

// Asserts contract/events.md#feeds.
test('a feed with a condition has the changes that set these values, of instances and attributes that are visible', async () => {
  const [all, own] = await Promise.all([openCondition('admin'), openCondition('own')]);
  const plain = await open('own');
  const [mine, hidden] = [await create(), await create({ owner: 'other' })];
  for (const id of [mine, hidden]) {
    await update(id, { status: 'OPEN' });
    await update(id, { status: 'DONE' });
    await update(id, { status: 'DONE', text: 'again' });
  }
  // Seen before, and hidden by the change that fulfils the condition.
  await update(mine, { status: 'OPEN' });
  await update(mine, { status: 'DONE', owner: 'other' });
  await settled(plain);
  const last = await create({ status: 'DONE' });
  await publish();
  for (const stream of [all, own]) await eventually(() => expect(lines(stream)).toContain(`created ${last}`));
  expect(lines(all)).toEqual([`updated ${mine}`, `updated ${hidden}`, `updated ${mine}`, `created ${last}`]);
  expect(lines(own)).toEqual([`created ${last}`]);
});

// Asserts contract/events.md#feeds.
test.each([
  ['admin', '{', 400],
  ['admin', '[]', 400],
  ['admin', '{}', 400],
  ['admin', 'null', 400],
  ['admin', '{"status":"LOST"}', 400],
  ['admin', '{"text":"a"}', 400],
  ['admin', '{"none":"a"}', 400],
  ['viewer', '{"status":"DONE"}', 403],
  ['viewer', '{"status":"LOST"}', 403],
])('the condition of %s %s is refused', async (user, became, status) => {
  const response = await data.send(user, 'GET', `/changes/f_Note?became=${encodeURIComponent(became)}`);
  expect(response.status).toBe(status);
  if (status === 400) expect(response.text).toMatch(/became|none/);
});

const OWN = 'f.note-sent.v1';
const sendNote = async (subject: string, text: string) => {
  const { status } = await data.send('admin', 'POST', '/services/f_Notes/send', { subject, text });
  expect(status).toBe(204);
};

// Asserts contract/events.md#feeds.
test('a feed has the events of a type of the application, and continues after the last one', async () => {
  const stream = await open('receiver', OWN);
  await sendNote('one', 'first');
  await create();
  await publish();
  await eventually(() => expect(stream.events).toHaveLength(1));
  const [event] = stream.events;
  expect(event?.event).toBe('published');
  expect(JSON.parse(event?.data ?? '')).toEqual({
    type: OWN,
    subject: 'one',
    timestamp: expect.stringMatching(/^\d{4}-/),
    data: { text: 'first' },
  });
  stream.close();
  await sendNote('two', 'second');
  await publish();
  const again = await resume('receiver', event?.id ?? '', OWN);
  await eventually(() => expect(again.events.map(({ data: text }) => JSON.parse(text).subject)).toEqual(['two']));
  users['receiver'] = { resourceRoles: ['rest-minimal'] };
  await sendNote('three', 'third');
  await publish();
  await eventually(() => expect(again.state).toBe('ended'));
  expect(again.events).toHaveLength(1);
});

// Asserts contract/events.md#feeds.
test('without the permission the event does not exist; it has no condition', async () => {
  const [hidden, none] = await Promise.all(
    [OWN, 'f.unknown.v1'].map((type) => data.send('restricted', 'GET', `/changes/${type}`)),
  );
  expect([hidden?.status, none?.status]).toEqual([404, 404]);
  expect(hidden?.text).toBe(none?.text.replace('f.unknown.v1', OWN));
  expect((await data.send('receiver', 'GET', `/changes/${OWN}?became=${DONE}`)).status).toBe(400);
});
