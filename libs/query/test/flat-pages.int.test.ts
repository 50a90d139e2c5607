import { createDatabase, type Database } from '@lintel/persistence';
import { shapeRow } from '@lintel/query';
import { createSchemaFromModel } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { cases, fc } from '@lintel/testkit/properties';
import { StatementText } from '../src/compile/statement-text.ts';
import { writeFlatObject } from '../src/compile/write-flat-object.ts';
import { withoutNulls } from '../src/shape/shape-row.ts';
import { DATA, ID } from './data.ts';
import { model } from './model.ts';
import { compileRequest } from './run-stages.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await cloneTestDatabase(
    { key: model.version, build: (url) => createSchemaFromModel(url, model) },
    'query_flat',
  );
  for (const statement of DATA) await server.query(statement);
  database = createDatabase({
    url: server.url,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    applicationName: 'query-test',
  });
});

afterAll(async () => {
  await database?.close();
  await server?.drop();
});

const ATTRIBUTES = [
  ...['name', 'color', 'weight', 'ratio', 'serial', 'age', 'alive', 'born', 'seenAt', 'chippedAt', 'feedAt', 'chip'],
  'photo',
];

/** The rows of all pets, without nulls. */
async function petsOf(properties: readonly string[], returnNulls: boolean): Promise<readonly string[]> {
  const fetchPlan = { entity: 't_Pet', properties };
  const { text, values, shape } = compileRequest({
    operation: 'list',
    entityName: 't_Pet',
    members: { fetchPlan, sort: 'id', ...(returnNulls ? { returnNulls } : {}) },
  });
  expect(text.includes('row_to_json')).toBe(returnNulls);
  const rows = await database.query<{ readonly json: string }>({ text, values });
  return rows.map(({ json }) => shapeRow(json, shape, { omitNulls: true }) ?? '');
}

/** Values of every datatype that texts of other programs could misread, or null. */
const orNull = (values: fc.Arbitrary<string>) => fc.option(values, { nil: null });
const pet = fc.record({
  name: fc
    .oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom('"', '\\', '":null', ',"a":null', '\u0001\t\n\u007f\u2028', 'Ä😀'),
    )
    .map((text) => text.replaceAll('\0', '').toWellFormed()),
  color: orNull(fc.constantFrom('r', 'g', 'x')),
  weight: orNull(fc.constantFrom('NaN', '0', '-0.001', '9999999.999', '1e3')),
  ratio: orNull(fc.constantFrom('NaN', 'Infinity', '-0', '1e15', '2', '0.1', '1e-300')),
  serial: orNull(fc.constantFrom('-9223372036854775808', '9007199254740993')),
  age: orNull(fc.constantFrom('0', '-2147483648')),
  alive: orNull(fc.constantFrom('true', 'false')),
  born: orNull(fc.constantFrom('infinity', '-infinity', '0044-03-15 BC', '12024-02-29', '2024-02-29')),
  seen_at: orNull(fc.constantFrom('infinity', '-infinity', '0044-03-15 01:02:03.004 BC', '2024-02-29 23:59:59.999')),
  chipped_at: orNull(fc.constantFrom('infinity', '2024-02-29 00:00:00.1+14', '12024-02-29 00:00Z')),
  feed_at: orNull(fc.constantFrom('24:00', '00:00:01')),
  chip: orNull(fc.uuid()),
  photo: orNull(fc.constantFrom('\\x', '\\x00ff', `\\x${'ab'.repeat(100)}`)),
});

test('a flat page has the text that row_to_json makes, without the members that are null', async () => {
  await fc.assert(
    fc.asyncProperty(pet, fc.subarray(ATTRIBUTES), async (values, properties) => {
      const columns = Object.entries(values).map(([name], at) => `${name} = $${at + 1}`);
      await server.query(`UPDATE t.pet SET ${columns.join(', ')} WHERE id = '${ID(11)}'`, Object.values(values));
      expect(await petsOf(properties, false)).toEqual(await petsOf(properties, true));
    }),
    cases(60),
  );
});

test.each([48, 49, 50, 51, 98, 99, 100, 149])(
  'an object of %i columns has each of them once, under any name',
  async (count) => {
    const name = (at: number): string => ['a"b', "it's", 'a\\b', 'ä😀', '\n', '%s', '$1'][at] ?? `c${at}`;
    const columns = Array.from({ length: count }, (_, at) => ({
      name: name(at),
      column: { alias: 'page', name: `c${at}` },
      value: at % 3 === 0 ? 'NULL::int' : `${at}::int`,
    }));
    const members = [
      { name: '_entityName', value: { kind: 'constant', text: 'x"\\y' } as const },
      ...columns.map(({ name, column }) => {
        const format = { kind: 'datatype', datatype: 'int' } as const;
        return { name, value: { kind: 'column', column, format } as const };
      }),
    ];
    const page = columns.map(({ column, value }) => `${value} AS ${column.name}`).join(', ');
    const whole = columns.map(({ name, column }) => `${column.name} AS "${name.replaceAll('"', '""')}"`).join(', ');
    const text = `SELECT ${writeFlatObject(members, new StatementText())} AS flat,
    (SELECT row_to_json(r)::text FROM (SELECT 'x"\\y' AS "_entityName", ${whole}) r) AS json FROM (SELECT ${page}) page`;
    const [row] = await database.query<{ readonly flat: string; readonly json: string }>({ text, values: [] });
    expect(row?.flat).toBe(withoutNulls(row?.json ?? ''));
    expect(Object.keys(JSON.parse(row?.flat ?? ''))).toHaveLength(1 + count - Math.ceil(count / 3));
  },
);
