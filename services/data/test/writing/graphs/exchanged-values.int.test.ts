import { defineApplication } from '@lintel/application';
import {
  compositionOfMany,
  compositionOfOne,
  integer,
  keyedEntity,
  localDateTime,
  softDeletedEntity,
  string,
  textForm,
  toOne,
  toOneInverse,
} from '@lintel/metadata';
import { runMigrations } from '@lintel/schema';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { startData, startDataOn } from '../../data-fixture.ts';

// Unique values that are exchanged in one request (contract/writing.md#unique).

const key = () => string(9);
const application = defineApplication({
  id: 'u',
  name: 'Unique',
  entities: [
    keyedEntity('u_Seat', {
      key: 'id',
      attributes: { id: key(), code: string(9).unique(), rank: integer().mandatory().unique(), name: string(9) },
    }),
    keyedEntity('u_Order', {
      key: 'id',
      attributes: {
        id: key(),
        lines: compositionOfMany('u_Line', 'order'),
        steps: compositionOfMany('u_Step', 'order'),
      },
    }),
    keyedEntity('u_Line', {
      key: 'id',
      attributes: { id: key(), order: toOne('u_Order').mandatory(), position: integer() },
      indexes: [{ attributes: ['order', 'position'], unique: true }],
    }),
    keyedEntity('u_Step', {
      key: 'id',
      attributes: { id: key(), order: toOne('u_Order').mandatory(), position: integer().mandatory() },
      indexes: [{ attributes: ['order', 'position'], unique: true }],
    }),
    keyedEntity('u_Box', {
      key: 'id',
      attributes: { id: key(), cover: compositionOfOne('u_Cover'), lid: compositionOfOne('u_Lid') },
    }),
    keyedEntity('u_Cover', {
      key: 'id',
      attributes: {
        id: key(),
        code: string(9).mandatory().unique(),
        foil: compositionOfOne('u_Foil'),
        box: toOneInverse('u_Box', 'cover'),
      },
    }),
    keyedEntity('u_Foil', { key: 'id', attributes: { id: key(), code: string(9).mandatory().unique() } }),
    softDeletedEntity('u_Lid', {
      attributes: { code: string(9).mandatory().unique(), box: toOneInverse('u_Box', 'lid') },
    }),
    keyedEntity('u_Pass', { key: 'id', attributes: { id: key(), seat: toOne('u_Seat').mandatory().unique() } }),
    keyedEntity('u_Stay', {
      key: 'id',
      attributes: {
        id: key(),
        room: integer(),
        starts: localDateTime().mandatory(),
        ends: localDateTime().mandatory(),
      },
      exclusions: { overlap: { equal: ['room'], period: ['starts', 'ends'] } },
    }),
  ],
});

let data: Awaited<ReturnType<typeof startData>>;
beforeAll(async () => {
  data = await startData(application, { ada: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data.close());

const send = async (expected: number, method: string, path: string, body?: unknown, type = 'application/json') => {
  const response = await data.send('ada', method, `/entities/${path}`, body, { 'content-type': type });
  expect([response.status, response.text]).toEqual([expected, response.text]);
  return response;
};

const inBothOrders = <T>(items: readonly T[]): readonly (readonly T[])[] => [items, items.toReversed()];

describe('a value that may be null', () => {
  // Asserts contract/writing.md#unique.
  test.each(['two', 'three', 'a ring and a chain'])('is exchanged among %s', async (name) => {
    const rings: Readonly<Record<string, readonly string[]>> = {
      two: ['b', 'a'],
      three: ['b', 'c', 'a'],
      'a ring and a chain': ['b', 'a', 'd', 'e'],
    };
    const codes = ['a', 'b', 'c', 'd'];
    const to = rings[name] ?? [];
    const seats = to.map((_, at) => ({ id: `${name.length}${at}`, code: codes[at], rank: name.length * 10 + at }));
    await send(201, 'POST', 'u_Seat', seats);
    await send(
      200,
      'PUT',
      'u_Seat',
      seats.map(({ id }, at) => ({ id, code: to[at], name: 'x' })),
    );
    const found = (await send(200, 'GET', 'u_Seat?sort=id')).json();
    expect(found.map(({ code }: { code: string }) => code)).toEqual(to);
    await send(
      204,
      'DELETE',
      'u_Seat',
      seats.map(({ id }) => id),
    );
  });

  // Asserts contract/writing.md#unique.
  test('is exchanged inside a composition, with the reference to the owner as a part of the unique values', async () => {
    await send(201, 'POST', 'u_Order', {
      id: 'o',
      lines: [
        { id: 'l1', position: 1 },
        { id: 'l2', position: 2 },
      ],
    });
    for (const method of ['PUT', 'PATCH']) {
      const order = (
        await send(
          200,
          'GET',
          'u_Order/o?fetchPlan={"entity":"u_Order","properties":[{"name":"lines","fetchPlan":"_local"}]}',
        )
      ).json();
      const lines = order.lines.map((line: { id: string; position: number }) => ({
        id: line.id,
        position: 3 - line.position,
      }));
      await send(200, method, 'u_Order/o', { lines }, method === 'PUT' ? undefined : 'application/merge-patch+json');
    }
  });

  // Asserts contract/writing.md#unique.
  test('is exchanged in a JSON Patch of several instances', async () => {
    await send(201, 'POST', 'u_Seat', [
      { id: 'm1', code: 'm', rank: 71 },
      { id: 'm2', code: 'n', rank: 72 },
    ]);
    const patch = [
      { op: 'replace', path: '/m1/code', value: 'n' },
      { op: 'replace', path: '/m2/code', value: 'm' },
    ];
    const response = await data.send('ada', 'PATCH', '/entities/u_Seat', patch, {
      'content-type': 'application/json-patch+json',
    });
    expect([response.status, response.text]).toEqual([200, response.text]);
  });
});

describe('a value that cannot be null', () => {
  // Asserts contract/writing.md#unique.
  test('is exchanged along a chain; a ring is refused, and the response says why', async () => {
    await send(201, 'POST', 'u_Seat', [
      { id: 'r1', rank: 1 },
      { id: 'r2', rank: 2 },
    ]);
    await send(200, 'PUT', 'u_Seat', [
      { id: 'r1', rank: 2 },
      { id: 'r2', rank: 3 },
    ]);
    const refused = await send(409, 'PUT', 'u_Seat', [
      { id: 'r1', rank: 3 },
      { id: 'r2', rank: 2 },
    ]);
    expect(refused.json()).toEqual({
      error: 'Unique constraint violation',
      details:
        'Entity u_Seat: another instance has the same rank. Values are exchanged in one request only if an attribute of them may be null, or if their constraint is deferrable',
    });
    expect((await send(200, 'GET', 'u_Seat/r1')).json()).toMatchObject({ rank: 2 });
  });

  // Asserts contract/writing.md#unique.
  test('two attributes together', async () => {
    await send(201, 'POST', 'u_Order', {
      id: 's',
      steps: [
        { id: 's1', position: 1 },
        { id: 's2', position: 2 },
      ],
    });
    const refused = await send(409, 'PUT', 'u_Order/s', {
      steps: [
        { id: 's1', position: 2 },
        { id: 's2', position: 1 },
      ],
    });
    expect(refused.json().details).toContain('order, position. Values are exchanged');
  });

  // Asserts contract/writing.md#unique.
  test('a ring of mandatory 1:1 references', async () => {
    await send(201, 'POST', 'u_Seat', [
      { id: 'p1', rank: 81 },
      { id: 'p2', rank: 82 },
    ]);
    await send(201, 'POST', 'u_Pass', [
      { id: 'a', seat: { id: 'p1' } },
      { id: 'b', seat: { id: 'p2' } },
    ]);
    const refused = await send(409, 'PUT', 'u_Pass', [
      { id: 'a', seat: { id: 'p2' } },
      { id: 'b', seat: { id: 'p1' } },
    ]);
    expect(refused.json().details).toContain('seat. Values are exchanged');
  });

  // Asserts contract/writing.md#unique.
  test('a conflict with an instance that the request does not name is the usual one', async () => {
    await send(201, 'POST', 'u_Seat', [
      { id: 'q1', rank: 91 },
      { id: 'q2', rank: 92 },
      { id: 'q3', rank: 93 },
    ]);
    const refused = await send(409, 'PUT', 'u_Seat', [
      { id: 'q1', rank: 93 },
      { id: 'q2', name: 'x' },
    ]);
    expect(refused.json().details).toBe('Entity u_Seat: another instance has the same rank');
  });
});

describe('a single child that is removed', () => {
  const boxes = (...covers: readonly (object | null)[]) => covers.map((cover, at) => ({ id: `b${at}`, cover }));

  // Asserts contract/writing.md#unique.
  test.each([0, 1])('leaves its value to a new child of another root, in any order (%i)', async (order) => {
    await send(201, 'POST', 'u_Box', boxes({ id: 'x', code: 'A', foil: { id: 'f', code: 'F' } }, null, null));
    const moved = boxes(null, { id: 'y', code: 'A', foil: { id: 'g', code: 'G' } }, { id: 'z', code: 'B' });
    await send(200, 'PUT', 'u_Box', inBothOrders(moved)[order]);
    expect(await data.query('SELECT id, code FROM u.cover ORDER BY id')).toEqual([
      { id: 'y', code: 'A' },
      { id: 'z', code: 'B' },
    ]);
    const nested = boxes({ id: 'w', code: 'C', foil: { id: 'h', code: 'G' } }, null, { code: 'A' });
    await send(200, 'PUT', 'u_Box', inBothOrders(nested)[order]);
    expect(await data.query('SELECT id, code FROM u.cover ORDER BY id')).toEqual([
      { id: 'w', code: 'C' },
      { id: 'z', code: 'A' },
    ]);
    expect(await data.query('SELECT id, code FROM u.foil')).toEqual([{ id: 'h', code: 'G' }]);
    await send(204, 'DELETE', 'u_Box', ['b0', 'b1', 'b2']);
    await data.query('DELETE FROM u.cover; DELETE FROM u.foil');
  });

  // Asserts contract/writing.md#unique.
  test('is only marked as deleted, and keeps its value', async () => {
    await send(201, 'POST', 'u_Box', [{ id: 'd0', lid: { code: 'L' } }, { id: 'd1' }]);
    await send(200, 'PUT', 'u_Box', [
      { id: 'd1', lid: { code: 'L' } },
      { id: 'd0', lid: null },
    ]);
    expect(await data.query('SELECT code, deleted_by FROM u.lid ORDER BY deleted_by NULLS LAST')).toEqual([
      { code: 'L', deleted_by: 'ada' },
      { code: 'L', deleted_by: null },
    ]);
  });
});

// Asserts contract/writing.md#unique.
test('periods that exclude each other are exchanged through null', async () => {
  const day = (number: number) => `2026-01-0${number}T00:00:00`;
  const stays = [1, 2].map((room) => ({ id: `s${room}`, room, starts: day(1), ends: day(3) }));
  await send(201, 'POST', 'u_Stay', stays);
  await send(
    200,
    'PUT',
    'u_Stay',
    stays.map(({ id, room }) => ({ id, room: 3 - room })),
  );
  const refused = await send(
    409,
    'PUT',
    'u_Stay',
    stays.map(({ id }) => ({ id, room: 1 })),
  );
  expect(refused.json().details).toMatch(
    /^Entity u_Stay: the values of .* and those of another instance exclude each other$/,
  );
});

describe('tables of others', () => {
  let database: TestDatabase;
  let other: Awaited<ReturnType<typeof startDataOn>>;
  beforeAll(async () => {
    database = await createTestDatabase('exchanged');
    await database.query(`CREATE EXTENSION citext;
      CREATE TABLE slot (id integer PRIMARY KEY, rank integer NOT NULL, label citext UNIQUE, CONSTRAINT rank_key UNIQUE (rank) DEFERRABLE);
      INSERT INTO slot VALUES (1, 1, 'a'), (2, 2, 'b')`);
    await runMigrations({ url: database.url, migrations: [] });
    const slots = defineApplication({
      id: 'x',
      name: 'Slots',
      entities: [
        keyedEntity('x_Slot', {
          key: 'id',
          table: { schema: 'public', name: 'slot' },
          attributes: {
            id: integer(),
            rank: integer().mandatory().unique(),
            label: textForm('public.citext').unique(),
          },
        }),
      ],
    });
    other = await startDataOn(database, slots, { ada: { resourceRoles: ['system-full-access'] } });
  });
  afterAll(async () => {
    await other.close();
    await database.drop();
  });

  // Asserts contract/writing.md#unique.
  test('a deferrable constraint is checked after the exchange', async () => {
    const body = [
      { id: 1, rank: 2 },
      { id: 2, rank: 1 },
    ];
    const changed = await other.send('ada', 'PUT', '/entities/x_Slot', body, { 'content-type': 'application/json' });
    expect([changed.status, changed.text]).toEqual([200, changed.text]);
    expect(await database.query('SELECT id, rank FROM slot ORDER BY id')).toEqual([
      { id: 1, rank: 2 },
      { id: 2, rank: 1 },
    ]);
    const same = [
      { id: 1, rank: 1 },
      { id: 2, rank: 1 },
    ];
    const refused = await other.send('ada', 'PUT', '/entities/x_Slot', same, { 'content-type': 'application/json' });
    expect(refused.status).toBe(409);
  });

  // Asserts contract/writing.md#unique.
  test('values that differ in case only are the same', async () => {
    const body = [
      { id: 1, label: 'B' },
      { id: 2, label: 'A' },
    ];
    const changed = await other.send('ada', 'PUT', '/entities/x_Slot', body, { 'content-type': 'application/json' });
    expect([changed.status, changed.text]).toEqual([200, changed.text]);
  });
});
