import { defineApplication } from '@lintel/application';
import * as attributes from '@lintel/metadata';
import { type DataFixture, startData } from '../data-fixture.ts';

const { embeddable, embedded, elements, enumeration, enumOf, keyedEntity, toMany, toOne } = attributes;
const Size = enumeration('t.Size', { SMALL: 1, LARGE: 2 });
const PLAIN = { traits: {} } as const;

/** Each datatype: a value as it is sent, as it is returned, and a value of another type. */
const VALUES = {
  string: ['a "b" <c>', '"a \\"b\\" <c>"', undefined],
  char: ['ä', '"ä"', 'ab'],
  boolean: [true, 'true', 'maybe'],
  short: [-32768, '-32768', 32768],
  int: [7, '7', 1.5],
  long: ['9007199254740993', '9007199254740993', '9223372036854775808'],
  bigInteger: ['-123456789012345678901234567890', '-123456789012345678901234567890', '1.5'],
  float: [1.5, '1.5', '1e39'],
  double: [1, '1.0', '1,0'],
  decimal: ['10.5', '10.50', 'x'],
  uuid: ['0123456789ABCDEF0123456789ABCDEF', '"01234567-89ab-cdef-0123-456789abcdef"', '1-1-1-1-1'],
  date: ['2024-02-29', '"2024-02-29"', '2023-02-29'],
  localDate: ['2024-02-29+02:00', '"2024-02-29"', '29.02.2024'],
  dateTime: ['2024-02-29T10:00:00.5+02:00', '"2024-02-29T10:00:00.500"', '2024-02-29'],
  localDateTime: ['2024-02-29T10:00', '"2024-02-29T10:00:00.000"', '2024-02-29 10:00'],
  offsetDateTime: ['2024-02-29T10:00:00+02:00', '"2024-02-29T08:00:00.000Z"', '2024-02-29T10:00:00'],
  time: ['10:20', '"10:20:00"', '24:00'],
  localTime: ['10:20:30', '"10:20:30"', '10'],
  offsetTime: ['10:20:30+02:00', '"10:20:30+02:00"', '10:20:30'],
  byteArray: ['AP8=', '"AP8="', 'AP8'],
  fileRef: ['fs://a/b.txt?name=b.txt', '"fs://a/b.txt?name=b.txt"', undefined],
  json: ['01234', '"01234"', undefined],
  uri: ['https://example.org/?a=b', '"https://example.org/?a=b"', undefined],
} as const satisfies Record<attributes.Datatype, readonly [unknown, string, unknown]>;
const DATATYPES = Object.keys(VALUES) as (keyof typeof VALUES)[];

/** Types of single keys: a value as it is sent, in a path, and in the JSON of the response. */
const KEYS = {
  Short: [attributes.short, 7, '7', '7'],
  Integer: [attributes.integer, -1, '-1', '-1'],
  Long: [attributes.long, '9007199254740993', '9007199254740993', '9007199254740993'],
  Decimal: [() => attributes.decimal(9, 2), '1.50', '1.5', '"1.50"'],
  LocalDate: [attributes.localDate, '2026-02-03', '2026-02-03', '"2026-02-03"'],
  LocalDateTime: [attributes.localDateTime, '2026-02-03T04:05:06', '2026-02-03T04:05:06', '"2026-02-03T04:05:06.000"'],
  Char: [attributes.char, 'ä', '%C3%A4', '"ä"'],
  Text: [attributes.text, 'a/b?ü', 'a%2Fb%3F%C3%BC', '"a/b?ü"'],
} as const;

const application = defineApplication({
  id: 't',
  name: 'Datatypes',
  enums: [Size],
  entities: [
    embeddable('t_Point', { attributes: { x: attributes.integer(), y: attributes.integer() } }),
    keyedEntity('t_All', {
      key: 'id',
      attributes: {
        id: attributes.integer(),
        string: attributes.text(),
        char: attributes.char(),
        boolean: attributes.boolean(),
        short: attributes.short(),
        int: attributes.integer(),
        long: attributes.long(),
        bigInteger: attributes.bigInteger(),
        float: attributes.float(),
        double: attributes.double(),
        decimal: attributes.decimal(19, 2),
        uuid: attributes.uuid(),
        date: attributes.date(),
        localDate: attributes.localDate(),
        dateTime: attributes.dateTime(),
        localDateTime: attributes.localDateTime(),
        offsetDateTime: attributes.offsetDateTime(),
        time: attributes.time(),
        localTime: attributes.localTime(),
        offsetTime: attributes.offsetTime(),
        byteArray: attributes.byteArray(),
        json: attributes.json(),
        fileRef: attributes.fileRef(),
        uri: attributes.uri(),
        size: enumOf(Size),
        point: embedded('t_Point'),
        words: elements(20),
        parent: toOne('t_All'),
        children: toMany('t_All', 'parent'),
        doubled: attributes.integer().computed(['int'], ({ int }) => (typeof int === 'number' ? int * 2 : null)),
      },
      ...PLAIN,
    }),
    ...Object.entries(KEYS).map(([name, [key]]) =>
      keyedEntity(`t_Key${name}`, { key: 'code', attributes: { code: key(), text: attributes.text() }, ...PLAIN }),
    ),
    keyedEntity('ref$Colour', { key: 'code', attributes: { code: attributes.string(10) }, ...PLAIN }),
  ],
});

const USERS = { admin: { resourceRoles: ['system-full-access'] } };
let data: DataFixture;
let lenient: DataFixture;

const save = async (body: Readonly<Record<string, unknown>>): Promise<number> =>
  (await data.send('admin', 'POST', '/entities/t_All', body)).status;

beforeAll(async () => {
  const sent = Object.fromEntries(DATATYPES.map((datatype) => [datatype, VALUES[datatype][0]]));
  [data, lenient] = await Promise.all([
    startData(application, USERS),
    startData(application, USERS, {
      'svc.data.include-null-clause-in-not-conditions': 'true',
      'svc.core.skip-null-or-empty-conditions-by-default': 'true',
    }),
  ]);
  expect(await save({ id: 1, ...sent, size: 'SMALL', point: { x: 3 }, words: ['One', 'two'] })).toBe(201);
  expect(await save({ id: 2, parent: { id: 1 } })).toBe(201);
  await lenient.query(`INSERT INTO t."all" (id, string) VALUES (1, 'a'), (2, 'b'), (3, NULL)`);
});
afterAll(async () => {
  await data?.close();
  await lenient?.close();
});

/** Ids of the rows that match a condition, or the status and error of its refusal. */
async function found(property: string, operator: string, value?: unknown, from = data): Promise<unknown> {
  const condition = { property, operator, ...(value === undefined ? {} : { value }) };
  const filter = { conditions: [condition] };
  const response = await from.send('admin', 'POST', '/entities/t_All/search', { filter, sort: 'id' });
  if (response.status !== 200) return [response.status, response.json()];
  return response.json().map(({ id }: { id: number }) => id);
}
const refused = (details: string) => [400, { error: 'Cannot parse entities filter', details }];

// Asserts contract/conventions.md#general-rules, contract/decisions.md#3, contract/instances.md#values.
test.each(DATATYPES)('%s is written in the form of the contract', async (datatype) => {
  const response = await data.send('admin', 'GET', '/entities/t_All/1?fetchPlan=_local');
  expect(response.text).toContain(`"${datatype}":${VALUES[datatype][1]}`);
  const empty = await data.send('admin', 'GET', '/entities/t_All/2?fetchPlan=_local&returnNulls=true');
  expect(empty.json()[datatype]).toBeNull();
});

const ORDERED = new Set<string>([
  ...['short', 'int', 'long', 'bigInteger', 'float', 'double', 'decimal'],
  ...['date', 'localDate', 'dateTime', 'localDateTime', 'offsetDateTime', 'time', 'localTime', 'offsetTime'],
  'json',
]);
const TEXTUAL = new Set<string>(['string', 'uuid', 'json']);

// Asserts contract/decisions.md#2, contract/decisions.md#48, contract/filters.md#checks, contract/filters.md#types,
// contract/filters.md#values.
test.each(DATATYPES)('%s has its operators, and no others', async (datatype) => {
  const [value] = VALUES[datatype];
  expect(await found(datatype, '=', value)).toEqual([1]);
  expect(await found(datatype, '=', [value])).toEqual([1]);
  expect(await found(datatype, '<>', value)).toEqual([]);
  expect(await found(datatype, 'in', [value])).toEqual([1]);
  expect(await found(datatype, 'notIn', [value])).toEqual([]);
  expect(await found(datatype, 'notEmpty')).toEqual([1]);
  expect(await found(datatype, 'isNull')).toEqual([2]);
  for (const [operator, ids] of Object.entries({ '>': [], '>=': [1], '<': [], '<=': [1] }))
    expect(await found(datatype, operator, value)).toEqual(
      ORDERED.has(datatype)
        ? ids
        : refused(`Operator ${operator} is not available for java type ${attributes.javaTypeOf(datatype)}`),
    );
  const part = datatype === 'string' ? 'A "' : '0123';
  for (const [operator, ids] of Object.entries({
    contains: [1],
    startsWith: [1],
    endsWith: [],
    doesNotContain: [],
  }))
    expect(await found(datatype, operator, part)).toEqual(
      TEXTUAL.has(datatype)
        ? ids
        : refused(`Operator ${operator} is not available for java type ${attributes.javaTypeOf(datatype)}`),
    );
});

// Asserts contract/decisions.md#8, contract/filters.md#checks.
test.each(DATATYPES.filter((datatype) => VALUES[datatype][2] !== undefined))(
  'a value that is no %s is refused with its text',
  async (datatype) => {
    const wrong = VALUES[datatype][2];
    expect(await found(datatype, '=', wrong)).toEqual(refused(`Cannot parse property value: ${wrong}`));
    expect(await found(datatype, 'in', [VALUES[datatype][0], wrong])).toEqual(
      refused(`Cannot parse property value: ${wrong}`),
    );
    for (const none of [null, {}, []])
      expect(await found(datatype, 'in', [none])).toEqual(
        refused(`Cannot parse property value: ${JSON.stringify(none)}`),
      );
  },
);

// Asserts contract/filters.md#types.
test('an enum, a reference and an embedded object have the operators of equality, lists and null', async () => {
  expect(await found('size', '=', 'SMALL')).toEqual([1]);
  expect(await found('size', 'in', ['SMALL', 'LARGE'])).toEqual([1]);
  expect(await found('size', 'notIn', ['LARGE'])).toEqual([1]);
  expect(await found('size', '>', 'SMALL')).toEqual(refused('Operator > is not available for java type t.Size'));
  expect(await found('size', 'contains', 'S')).toEqual(
    refused('Operator contains is not available for java type t.Size'),
  );
  expect(await found('parent', '=', 1)).toEqual([2]);
  expect(await found('parent', 'in', [{ id: 1 }])).toEqual([2]);
  expect(await found('parent', '<>', 1)).toEqual([]);
  expect(await found('parent', '<', 1)).toEqual(refused('Operator < is not available for java type t_All'));
  expect(await found('parent', 'startsWith', '1')).toEqual(
    refused('Operator startsWith is not available for java type t_All'),
  );
  expect(await found('point', 'notEmpty')).toEqual([1]);
  expect(await found('point', 'isNull')).toEqual([2]);
  expect(await found('point', '=', { x: 3 })).toEqual([1]);
  expect(await found('point', '<>', { x: 3 })).toEqual([]);
  expect(await found('point', '<>', { x: 4 })).toEqual([1]);
  expect(await found('point', 'in', [{ x: 4 }, { x: 3 }])).toEqual([1]);
  expect(await found('point', 'notIn', [{ x: 4 }])).toEqual([1]);
  expect(await found('point', '>', { x: 3 })).toEqual(refused('Operator > is not available for java type t_Point'));
  expect(await found('point.x', '>', 2)).toEqual([1]);
});

// Asserts contract/filters.md#types.
test('an embedded object is compared by the attributes that are sent, nulls included', async () => {
  expect(await found('point', '=', { x: 3, y: null })).toEqual([1]);
  expect(await found('point', '=', { x: 3, y: 0 })).toEqual([]);
  expect(await found('point', '<>', { x: 3, y: 0 })).toEqual([1]);
  expect(await found('point', '=', { y: null })).toEqual([1, 2]);
  expect(await found('point', '<>', { y: null })).toEqual([]);
  expect(await found('point', 'in', [{ x: 4, y: 0 }, { x: 3 }])).toEqual([1]);
  expect(await found('point', 'notIn', [{ x: 4, y: 0 }, { y: 5 }])).toEqual([1]);
  expect(await found('point', 'in', [])).toEqual([]);
  expect(await found('point', 'notIn', [])).toEqual([1, 2]);
  expect(await found('parent.point', '=', { x: '3' })).toEqual([2]);
});

// Asserts contract/filters.md#types.
test('a row without an embedded object matches negations if that is enabled', async () => {
  expect(await found('point', '<>', { x: 3 }, lenient)).toEqual([1, 2, 3]);
  expect(await found('point', '=', { x: 3 }, lenient)).toEqual([]);
});

// Asserts contract/decisions.md#8, contract/filters.md#values.
test.each([
  ['=', 3, 'Each value of point must be an object with attributes of t_Point'],
  ['=', {}, 'Each value of point must be an object with attributes of t_Point'],
  ['=', { _entityName: 't_Point' }, 'Each value of point must be an object with attributes of t_Point'],
  ['in', { x: 3 }, 'Each value of point must be an object with attributes of t_Point'],
  ['in', [{ x: 3 }, 3], 'Each value of point must be an object with attributes of t_Point'],
  ['=', { z: 3 }, 'Property for t_All not found: point.z'],
  ['=', { x: 'three' }, 'Cannot parse property value: three'],
  ['=', { x: { y: 3 } }, 'Cannot parse property value: {"y":3}'],
])('an embedded object is not compared (%s) with %j', async (operator, value, details) => {
  expect(await found('point', operator, value)).toEqual(refused(details));
});

// Asserts contract/filters.md#types.
test('an element collection has the operators of its elements (contract/decisions.md#48)', async () => {
  expect(await found('words', '=', 'two')).toEqual([1]);
  expect(await found('words', 'in', ['two'])).toEqual([1]);
  expect(await found('words', 'contains', 'ONE')).toEqual([1]);
  expect(await found('words', 'notEmpty')).toEqual([1]);
  expect(await found('words', 'isNull')).toEqual([2]);
  expect(await found('words', '>', 'a')).toEqual(refused('Operator > is not available for java type java.lang.String'));
});

// Asserts contract/filters.md#operators.
test('rows without a value match negations if that is enabled', async () => {
  for (const [operator, value] of [
    ['<>', 'a'],
    ['notIn', ['a']],
    ['doesNotContain', 'A'],
  ] as const) {
    expect(await found('string', operator, value, lenient)).toEqual([2, 3]);
    expect(await found('parent.string', operator, value, lenient)).toEqual([1, 2, 3]);
  }
  expect(await found('string', 'notEmpty', undefined, lenient)).toEqual([1, 2]);
  expect(await found('string', '=', 'a', lenient)).toEqual([1]);
  expect(await found('string', '>', 'a', lenient)).toEqual(
    refused('Operator > is not available for java type java.lang.String'),
  );
});

// Asserts contract/filters.md#checks.
test('conditions without a value are left out if that is enabled', async () => {
  for (const [operator, value] of [
    ['=', ''],
    ['=', null],
    ['in', []],
    ['notIn', []],
    ['contains', ''],
  ] as const)
    expect(await found('string', operator, value, lenient)).toEqual([1, 2, 3]);
  const filter = {
    conditions: [
      { group: 'OR', conditions: [{ property: 'string', operator: '=', value: '' }] },
      { property: 'string', operator: '=', value: 'b' },
    ],
  };
  const both = await lenient.send('admin', 'POST', '/entities/t_All/search', { filter });
  expect(both.json().map(({ id }: { id: number }) => id)).toEqual([2]);
  expect(await found('string', 'isNull', undefined, lenient)).toEqual([3]);
  expect(await found('string', '=', undefined, lenient)).toEqual(
    refused("Field 'value' is not defined for filter condition"),
  );
  expect(await found('string', 'like', '', lenient)).toEqual(refused('Operator is not supported: like'));
  expect(await found('string', 'in', [])).toEqual([]);
  expect(await found('string', '=', null)).toEqual(refused("Field 'value' is not defined for filter condition"));
});

// Asserts contract/instances.md#computed.
test('a computed attribute is returned without a plan if its dependencies are loaded', async () => {
  expect((await data.send('admin', 'GET', '/entities/t_All/1')).json()).toMatchObject({ int: 7, doubled: 14 });
  for (const plan of ['_local', '_base'])
    expect((await data.send('admin', 'GET', `/entities/t_All/1?fetchPlan=${plan}`)).json()).not.toHaveProperty(
      'doubled',
    );
});

// Asserts contract/instances.md#instance-name, contract/instances.md#object.
test('an entity without a definition of its instance name has a name of entity and id (contract/decisions.md#28)', async () => {
  expect((await data.send('admin', 'GET', '/entities/t_All/1')).json()._instanceName).toBe('t_All-1');
});

// Asserts contract/instances.md#ids.
test.each(Object.entries(KEYS))('a key of the type %s has its own form in paths and in JSON', async (name, key) => {
  const [, sent, path, json] = key;
  const created = await data.send('admin', 'POST', `/entities/t_Key${name}`, { code: sent, text: 'x' });
  expect([created.status, created.text]).toEqual([201, expect.stringContaining(`"id":${json}`)]);
  for (const plan of ['_local', '_instance_name']) {
    const read = await data.send('admin', 'GET', `/entities/t_Key${name}/${path}?fetchPlan=${plan}`);
    expect([read.status, read.text]).toEqual([200, expect.stringContaining(`"id":${json}`)]);
  }
});

// Asserts contract/reading.md#routes.
test('an entity name may contain a dollar sign, encoded in the path or not', async () => {
  const created = await data.send('admin', 'POST', '/entities/ref$Colour', { code: 'red' });
  expect(created.json()).toMatchObject({ _entityName: 'ref$Colour', id: 'red' });
  for (const path of ['ref$Colour/red', 'ref%24Colour/red'])
    expect((await data.send('admin', 'GET', `/entities/${path}`)).json().code).toBe('red');
});
