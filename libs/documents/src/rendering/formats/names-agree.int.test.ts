import {
  boolean,
  buildModel,
  createMessages,
  decimal,
  displayIn,
  double,
  enumeration,
  enumOf,
  integer,
  keyedEntity,
  localDate,
  localDateTime,
  localTime,
  long,
  offsetDateTime,
} from '@lintel/metadata';
import { createDatabase, type Database } from '@lintel/persistence';
import {
  bindStatement,
  compileRead,
  type ExactObject,
  isExactObject,
  parseRead,
  planRead,
  readExactJson,
  resolveRead,
  secureRead,
  UNLIMITED,
} from '@lintel/query';
import { createSchemaFromModel } from '@lintel/schema';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { cases, fc } from '@lintel/testkit/properties';
import { cellsOfInstance } from '../../bands/cells-of-row.ts';
import { defaultText } from './format-cell.ts';

const CASES = cases(300);

const Kind = enumeration('n.Kind', { ONE: 'o', TWO: 't' });
const NAMES = ['kind', 'flag', 'count', 'big', 'amount', 'precise', 'ratio', 'day', 'moment', 'instant', 'clock'];
const model = buildModel({
  enums: [Kind],
  entities: [
    keyedEntity('n_Row', {
      key: 'id',
      attributes: {
        id: integer(),
        kind: enumOf(Kind),
        flag: boolean(),
        count: integer(),
        big: long(),
        amount: decimal(19, 2),
        precise: decimal(30, 10),
        ratio: double(),
        day: localDate(),
        moment: localDateTime(),
        instant: offsetDateTime(),
        clock: localTime(),
      },
      instanceName: NAMES.flatMap((name) => [`{${name}}`, '|']),
    }),
  ],
});
const messages = createMessages([
  { locale: '', texts: { 'n/Kind.ONE': 'One', 'n/Kind.TWO': "T'wo" } },
  { locale: 'de', texts: { 'n/Kind.ONE': 'Eins' } },
]);

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await cloneTestDatabase({ key: model.version, build: (url) => createSchemaFromModel(url, model) }, 'names');
  database = createDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'names-test',
  });
});
afterAll(async () => {
  await database?.close();
  await server?.drop();
});

const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`));
/** Halves are where roundings differ. */
const number = (whole: number, scale: number) =>
  fc
    .tuple(fc.constantFrom('', '-'), digits(whole), fc.oneof(digits(scale), fc.constantFrom('5', '125', '135', '0005')))
    .map(([sign, before, after]) => `${sign}${before}.${after.slice(0, scale)}`);
const two = (min: number, max: number) => fc.integer({ min, max }).map((value) => String(value).padStart(2, '0'));
const day = fc
  .tuple(fc.integer({ min: 1, max: 9999 }), two(1, 12), two(1, 28))
  .map(([year, month, date]) => `${String(year).padStart(4, '0')}-${month}-${date}`);
const clock = fc.tuple(two(0, 23), two(0, 59), two(0, 59)).map((parts) => parts.join(':'));
const moment = fc.tuple(day, clock).map((parts) => parts.join('T'));
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 8 });

const row = fc.record({
  kind: orNull(fc.constantFrom('o', 't')),
  flag: orNull(fc.boolean()),
  count: orNull(fc.integer({ min: -2147483648, max: 2147483647 })),
  big: orNull(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  amount: orNull(number(17, 2)),
  precise: orNull(number(20, 10)),
  // Binary numbers that have few digits: the others are rounded before anybody sees them.
  ratio: orNull(fc.integer({ min: -10_000_000, max: 10_000_000 }).map((value) => value / 1000)),
  day: orNull(day),
  moment: orNull(moment),
  instant: orNull(moment.map((text) => `${text}Z`)),
  clock: orNull(clock),
});

/** The rows as the entity API answers them. */
async function read(locale: string): Promise<readonly ExactObject[]> {
  const members = { fetchPlan: '_local', sort: 'id' };
  const parsed = parseRead(
    { operation: 'list', entityName: 'n_Row', members },
    { inlineFetchPlansEnabled: true },
    UNLIMITED,
  );
  const access = {
    fingerprint: 'all',
    entity: () => ({ canRead: true, mayView: () => true, rows: undefined, predicates: [] }),
  };
  const plan = planRead(secureRead(resolveRead(parsed, model), access), {
    limited: true,
    display: displayIn(messages, locale),
  });
  const values = { model, inputs: parsed.inputs, id: [], limit: 10_000, offset: 0, sessionValue: () => undefined };
  const { name, text, values: bound } = bindStatement(compileRead(plan), values);
  const rows = await database.query<{ json: string }>({ name, text, values: bound });
  return rows.map(({ json }) => {
    const instance = readExactJson(json);
    if (!isExactObject(instance)) throw new Error('A row is an object');
    return instance;
  });
}

// Asserts contract/instances.md#instance-name.
test.each(['en', 'de', 'zh_CN', 'fr'])(
  'the database writes a name in %s as reports write the same values',
  async (locale) => {
    const rows = fc.sample(row, CASES);
    await server.query('TRUNCATE n."row"');
    await server.query(
      `INSERT INTO n."row" (id, ${NAMES.join(', ')})
SELECT (r->>'id')::int, ${NAMES.map((name) => `(r->>'${name}')::${TYPES[name]}`).join(', ')}
FROM jsonb_array_elements($1::jsonb) r`,
      [JSON.stringify(rows.map((values, id) => ({ id, ...values })))],
    );
    const display = displayIn(messages, locale);
    const instances = await read(locale);
    expect(instances).toHaveLength(CASES.numRuns);
    for (const instance of instances) {
      const cells = cellsOfInstance(model, 'n_Row', instance);
      const expected = NAMES.map((name) => defaultText(cells.get(name) ?? { kind: 'empty' }, display));
      expect(String(instance['_instanceName']).split('|').slice(0, -1)).toEqual(expected);
    }
  },
);

const TYPES: Readonly<Record<string, string>> = {
  kind: 'text',
  flag: 'boolean',
  count: 'int',
  big: 'bigint',
  amount: 'numeric',
  precise: 'numeric',
  ratio: 'double precision',
  day: 'date',
  moment: 'timestamp',
  instant: 'timestamptz',
  clock: 'time',
};
