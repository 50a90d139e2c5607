import { defineApplication } from '@lintel/application';
import {
  type AttributeBuilder,
  boolean,
  byteArray,
  char,
  decimal,
  double,
  elements,
  integer,
  keyedEntity,
  localDate,
  localDateTime,
  localTime,
  long,
  offsetDateTime,
  short,
  string,
  text,
  uuid,
} from '@lintel/metadata';
import { compareWithModel, detectDrift } from '@lintel/schema';
import { type DataFixture, startData } from '../data-fixture.ts';

// Collections of values in tables of their own: of each datatype.

interface Case {
  readonly name: string;
  readonly type: AttributeBuilder<unknown>;
  readonly sent: readonly unknown[];
  /** What is returned, where it differs from what was sent. */
  readonly read?: readonly unknown[];
  /** A condition that finds the collection, and one that does not. */
  readonly found: readonly [operator: string, value: unknown];
  readonly missed: readonly [operator: string, value: unknown];
  readonly refused: unknown;
}

const ID = '00000000-0000-4000-8000-000000000001';
const CASES: readonly Case[] = [
  { name: 'words', type: text(), sent: ['b', 'a', 'b'], found: ['startsWith', 'A'], missed: ['=', 'c'], refused: 1 },
  { name: 'codes', type: string(3), sent: ['abc'], found: ['=', 'abc'], missed: ['=', 'ab'], refused: 'abcd' },
  { name: 'letters', type: char(), sent: ['x'], found: ['=', 'x'], missed: ['=', 'y'], refused: 'xy' },
  {
    name: 'flags',
    type: boolean(),
    sent: [true, false],
    found: ['=', false],
    missed: ['isNull', true],
    refused: 'maybe',
  },
  { name: 'shorts', type: short(), sent: [3, -1], found: ['<', 0], missed: ['>', 3], refused: 40_000 },
  { name: 'sizes', type: integer(), sent: [3, -1, 3], found: ['>=', 3], missed: ['>', 3], refused: 1.5 },
  {
    name: 'counts',
    type: long(),
    sent: ['9007199254740993'],
    found: ['=', '9007199254740993'],
    missed: ['=', '9007199254740992'],
    refused: '9223372036854775808',
  },
  {
    name: 'prices',
    type: decimal(8, 2),
    sent: ['10.50', 0],
    read: [10.5, 0],
    found: ['=', 10.5],
    missed: ['>', 10.5],
    refused: '1234567.5',
  },
  { name: 'weights', type: double(), sent: [1, 0.5], found: ['<', 1], missed: ['>', 1], refused: 'heavy' },
  { name: 'keys', type: uuid(), sent: [ID], found: ['=', ID], missed: ['<>', ID], refused: 'x' },
  {
    name: 'days',
    type: localDate(),
    sent: ['2026-02-03'],
    found: ['<', '2026-02-04'],
    missed: ['>', '2026-02-03'],
    refused: '2026-02-30',
  },
  {
    name: 'moments',
    type: localDateTime(),
    sent: ['2026-02-03T04:05:06.007'],
    found: ['<', '2026-02-04T00:00:00'],
    missed: ['>', '2026-02-04T00:00:00'],
    refused: 'now',
  },
  {
    name: 'times',
    type: offsetDateTime(),
    sent: ['2026-01-01T10:00:00.5+01:00'],
    read: ['2026-01-01T09:00:00.500Z'],
    found: ['=', '2026-01-01T09:00:00.5Z'],
    missed: ['<', '2026-01-01T09:00:00.5Z'],
    refused: '2026-01-01T10:00:00',
  },
  {
    name: 'instants',
    type: offsetDateTime().microseconds(),
    sent: ['2026-01-01T10:00:00.000001Z'],
    found: ['=', '2026-01-01T10:00:00.000001Z'],
    missed: ['=', '2026-01-01T10:00:00.000002Z'],
    refused: 'now',
  },
  {
    name: 'hours',
    type: localTime(),
    sent: ['08:30:00'],
    found: ['=', '08:30:00'],
    missed: ['>', '08:30:00'],
    refused: '25:00:00',
  },
  {
    name: 'blobs',
    type: byteArray(),
    sent: ['AQID'],
    found: ['notEmpty', true],
    missed: ['isNull', true],
    refused: '*',
  },
];

const application = defineApplication({
  id: 't',
  name: 'Collections',
  entities: [
    keyedEntity('t_Item', {
      key: 'code',
      traits: {},
      attributes: { code: string(20), ...Object.fromEntries(CASES.map(({ name, type }) => [name, elements(type)])) },
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, { ada: { resourceRoles: ['system-full-access'] } });
});
afterAll(() => data.close());

const send = (method: string, path: string, body?: unknown) =>
  data.send('ada', method, path, body, { 'content-type': 'application/json' });

test.each(CASES)('$name are written, read, filtered and checked', async ({ name, sent, read = sent, ...example }) => {
  const created = await send('POST', '/entities/t_Item', { code: name, [name]: sent });
  expect([created.status, created.text]).toEqual([201, created.text]);
  const plan = encodeURIComponent(JSON.stringify({ entity: 't_Item', properties: [name] }));
  const value = async (): Promise<unknown> =>
    (await send('GET', `/entities/t_Item/${name}?fetchPlan=${plan}`)).json()[name];
  expect(await value()).toEqual(name === 'counts' ? [expect.anything()] : read);
  const finds = async ([operator, operand]: readonly [string, unknown]): Promise<boolean> => {
    const condition = { property: name, operator, value: operand };
    const filter = { conditions: [condition, { property: 'code', operator: '=', value: name }] };
    const { status, text: found } = await send('POST', '/entities/t_Item/search', { filter });
    expect([status, found]).toEqual([200, found]);
    return found !== '[]';
  };
  expect([await finds(example.found), await finds(example.missed)]).toEqual([true, false]);
  const refused = await send('PUT', `/entities/t_Item/${name}`, { [name]: [example.refused] });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(name)]);
  expect((await send('PUT', `/entities/t_Item/${name}`, { [name]: [] })).status).toBe(200);
  expect(await value()).toEqual([]);
});

test('the tables fit the model, and migrations find no difference', async () => {
  const { findings } = await detectDrift({ url: data.databaseUrl, model: application.model, migrations: [] });
  expect(findings.filter(({ table }) => table.startsWith('t.'))).toEqual([]);
  const { up, down } = await compareWithModel({ url: data.databaseUrl, model: application.model, migrations: [] });
  const migrations = [{ name: '1795000000000-initial', up, down }];
  expect((await compareWithModel({ url: data.databaseUrl, model: application.model, migrations })).up).toEqual([]);
});
