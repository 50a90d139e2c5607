import { defineApplication } from '@lintel/application';
import { boolean, compositionOfMany, elements, integer, standardEntity, string, toOne } from '@lintel/metadata';
import { type DataFixture, startData } from '../../data-fixture.ts';

const application = defineApplication({
  id: 'c',
  name: 'Children with defaults',
  entities: [
    standardEntity('c_Box', { attributes: { name: string(20), parts: compositionOfMany('c_Part', 'box') } }),
    standardEntity('c_Part', {
      attributes: {
        box: toOne('c_Box').mandatory(),
        name: string(20).mandatory(),
        needed: boolean().mandatory().default(true),
        position: integer().default(7),
        colours: elements(10),
        pieces: compositionOfMany('c_Piece', 'part'),
      },
    }),
    standardEntity('c_Piece', {
      attributes: { part: toOne('c_Part').mandatory(), name: string(20), weight: integer().default(3) },
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data?.close());

const send = (method: string, path: string, body?: unknown) => data.send('admin', method, `/entities/${path}`, body);
const partsOf = (box: string) =>
  data.query('SELECT name, needed, position FROM c.part WHERE box_id = $1 ORDER BY name', [box]);

const PARTS = [
  { name: 'a', needed: false, pieces: [{ name: 'one', weight: 9 }, { name: 'two' }] },
  { name: 'b', position: 1, colours: ['red'] },
];
const PIECES = [
  { name: 'one', weight: 9 },
  { name: 'two', weight: 3 },
];
const piecesOf = (box: string) =>
  data.query(
    'SELECT p.name, p.weight FROM c.piece p JOIN c.part ON c.part.id = p.part_id WHERE box_id = $1 ORDER BY p.name',
    [box],
  );

// Asserts contract/writing.md#create.
test('children of a new parent keep their defaults for attributes that only another child has in the body', async () => {
  const created = await send('POST', 'c_Box', { parts: PARTS });
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  const { id } = created.json();
  expect(await partsOf(id)).toEqual([
    { name: 'a', needed: false, position: 7 },
    { name: 'b', needed: true, position: 1 },
  ]);
  expect(await piecesOf(id)).toEqual(PIECES);
});

// Asserts contract/writing.md#create.
test('children of each new parent of a batch keep their defaults, too', async () => {
  const created = await send('POST', 'c_Box', [
    { parts: PARTS },
    { parts: [{ name: 'x' }, { name: 'y', position: 2 }] },
  ]);
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  expect(await partsOf(created.json()[1].id)).toEqual([
    { name: 'x', needed: true, position: 7 },
    { name: 'y', needed: true, position: 2 },
  ]);
});

// Asserts contract/writing.md#create.
test('children of a parent that an update creates keep their defaults, too; those of a stored parent become null', async () => {
  const { id } = (await send('POST', 'c_Box', { parts: [] })).json();
  const parts = [
    { name: 'a', needed: true, pieces: PARTS[0]?.pieces },
    { name: 'b', needed: false, position: 1 },
  ];
  const updated = await send('PUT', `c_Box/${id}`, { parts });
  expect([updated.status, updated.text]).toEqual([200, expect.any(String)]);
  expect(await partsOf(id)).toEqual([
    { name: 'a', needed: true, position: null },
    { name: 'b', needed: false, position: 1 },
  ]);
  expect(await piecesOf(id)).toEqual(PIECES);
});
