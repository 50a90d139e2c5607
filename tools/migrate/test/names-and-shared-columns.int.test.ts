import {
  buildModel,
  type EntityDefinition,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  type Model,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { compareWithModel, detectDrift, revertMigrations, runMigrations, type SchemaMigration } from '@lintel/schema';
import { SYSTEM_ENTITIES } from '@lintel/security';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';

let server: TestDatabase;

beforeEach(async () => {
  server = await createTestDatabase('names');
});
afterEach(() => server.drop());

const modelOf = (...entities: EntityDefinition[]): Model => buildModel({ entities: [...SYSTEM_ENTITIES, ...entities] });

const ORDER_KEY = embeddable('odd_OrderKey', { attributes: { tenant: integer().mandatory(), limit: integer() } });
const ORDER = keyedEntity('odd_Order', {
  key: 'id',
  attributes: { id: embedded('odd_OrderKey').columnPrefix(''), desc: string(20) },
});
const LINE_KEY = embeddable('odd_LineKey', { attributes: { tenant: integer().mandatory(), position: integer() } });

const CASES: readonly (readonly [what: string, before: Model, after: Model])[] = [
  [
    'reserved names, blanks and capital letters',
    modelOf(standardEntity('odd_User', { attributes: { select: string(20).unique(), from: integer() } })),
    modelOf(
      standardEntity('odd_User', {
        attributes: {
          select: string(30).mandatory().unique(),
          words: string(20).column('Two Words').unique(),
          where: integer().column('Where'),
          table: toOne('odd_Table').column('TABLE id'),
        },
        indexes: [{ attributes: ['where', 'words'], unique: false }],
      }),
      standardEntity('odd_Table', { attributes: { group: string(20).column('group') } }),
    ),
  ],
  [
    'references over columns of the key and of an attribute',
    modelOf(
      ORDER_KEY,
      ORDER,
      LINE_KEY,
      keyedEntity('odd_Line', { key: 'id', attributes: { id: embedded('odd_LineKey').columnPrefix('') } }),
    ),
    modelOf(
      ORDER_KEY,
      ORDER,
      LINE_KEY,
      keyedEntity('odd_Line', {
        key: 'id',
        attributes: {
          id: embedded('odd_LineKey').columnPrefix(''),
          order: toOne('odd_Order').column('tenant', 'order_limit'),
          twin: toOne('odd_Order').unique().column('tenant', 'position'),
          owner: integer(),
          first: toOne('odd_Order').column('owner', 'first'),
          second: toOne('odd_Order').mandatory().column('owner', 'second'),
        },
      }),
    ),
  ],
  [
    'several entities in one table, and with discriminators of their own',
    modelOf(
      standardEntity('odd_Animal', {
        abstract: true,
        inheritance: { strategy: 'single-table', discriminator: 'kind' },
        attributes: { name: string(20) },
      }),
      standardEntity('odd_Dog', { extends: 'odd_Animal', discriminatorValue: 1, attributes: { size: integer() } }),
    ),
    modelOf(
      standardEntity('odd_Animal', {
        abstract: true,
        inheritance: { strategy: 'single-table', discriminator: 'kind' },
        attributes: { name: string(20).mandatory() },
      }),
      standardEntity('odd_Dog', {
        extends: 'odd_Animal',
        discriminatorValue: 1,
        attributes: { size: integer().mandatory(), tag: string(10).unique(), age: integer().column('dog_age') },
        indexes: [{ attributes: ['size', 'age'], unique: false }],
      }),
      standardEntity('odd_Cat', {
        extends: 'odd_Animal',
        discriminatorValue: 2,
        attributes: { hunts: toOne('odd_Dog'), age: integer().column('cat_age') },
        indexes: [{ attributes: ['name', 'age'], unique: true }],
      }),
      standardEntity('odd_Plant', {
        inheritance: { discriminator: 'sort' },
        discriminatorValue: 'plant',
        attributes: {},
      }),
      standardEntity('odd_Tree', {
        extends: 'odd_Plant',
        discriminatorValue: 'tree',
        attributes: { dog: toOne('odd_Dog') },
      }),
    ),
  ],
];

test.each(CASES)('generated migrations make the schema of a model with %s', async (_what, before, after) => {
  const { url } = server;
  const migrations: SchemaMigration[] = [];
  for (const model of [before, after]) {
    const { up, down } = await compareWithModel({ url, model, migrations });
    expect(up).not.toEqual([]);
    migrations.push({ name: `${1_795_000_000_000 + migrations.length}-step`, up, down });
    await runMigrations({ url, migrations });
    expect((await compareWithModel({ url, model, migrations })).up).toEqual([]);
    const { fits, findings } = await detectDrift({ url, model, migrations });
    expect([fits, findings]).toEqual([true, []]);
  }
  await revertMigrations({ url, migrations, allowDataLoss: true });
  const { fits } = await detectDrift({ url, model: before, migrations: migrations.slice(0, 1) });
  expect(fits).toBe(true);
});
