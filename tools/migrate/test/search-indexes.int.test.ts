import {
  buildModel,
  type EntityDefinition,
  type Model,
  softDeletedEntity,
  standardEntity,
  string,
  text,
} from '@lintel/metadata';
import {
  compareWithModel,
  createSchemaFromModel,
  revertMigrations,
  runMigrations,
  type SchemaMigration,
} from '@lintel/schema';
import { SYSTEM_ENTITIES } from '@lintel/security';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';

let server: TestDatabase;

beforeEach(async () => {
  server = await createTestDatabase('persistence');
});
afterEach(() => server.drop());

const modelOf = (...entities: EntityDefinition[]): Model => buildModel({ entities: [...SYSTEM_ENTITIES, ...entities] });

const item = (options: { length?: number; search?: boolean; extra?: boolean }): Model =>
  modelOf(
    softDeletedEntity('shop_Item', {
      attributes: {
        name: options.length === undefined ? text() : string(options.length),
        notes: text(),
        ...(options.extra ? { label: string(20) } : {}),
      },
      indexes: [
        { attributes: ['name'], unique: false },
        ...(options.search ? [{ attributes: ['name'], unique: false, search: true }] : []),
        ...(options.extra ? [{ attributes: ['label'], unique: false, search: true }] : []),
      ],
    }),
  );

async function nextMigration(model: Model, migrations: readonly SchemaMigration[]): Promise<SchemaMigration> {
  const { up, down } = await compareWithModel({ url: server.url, model, migrations });
  return { name: `${1_795_000_000_000 + migrations.length}-step`, up, down };
}

/** Name and expression of each index, without those of keys. */
async function indexes(): Promise<string[]> {
  const found = await server.query<{ definition: string }>(
    `SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'shop' AND indexname NOT LIKE 'pk%'`,
  );
  return found.map(({ definition }) => definition.replace(/^CREATE INDEX (\S+) ON shop.item USING btree/, '$1')).sort();
}

const PLAIN = 'ix_item__name (name)';
const NAME = 'ix_item__name__search (lower((name)::text) text_pattern_ops)';
const LABEL = 'ix_item__label__search (lower((label)::text) text_pattern_ops)';

test('search indexes come, survive a change of the type, and go, each step with its undoing', async () => {
  const models = [
    item({ length: 50 }),
    item({ length: 50, search: true, extra: true }),
    item({ length: 99, search: true, extra: true }),
    item({ search: true }),
    item({}),
  ];
  const steps: SchemaMigration[] = [];
  const states: string[][] = [];
  for (const model of models) {
    steps.push(await nextMigration(model, steps));
    await runMigrations({ url: server.url, migrations: steps });
    expect((await nextMigration(model, steps)).up).toEqual([]);
    states.push(await indexes());
  }
  expect(states).toEqual([
    [PLAIN],
    [LABEL, PLAIN, NAME],
    [LABEL, PLAIN, NAME],
    [PLAIN, 'ix_item__name__search (lower(name) text_pattern_ops)'],
    [PLAIN],
  ]);
  for (let at = steps.length - 1; at > 0; at -= 1) {
    await revertMigrations({ url: server.url, migrations: steps.slice(0, at + 1), allowDataLoss: true });
    expect(await indexes()).toEqual(states[at - 1]);
  }
});

test('they are made with the schema, and those of an application are left alone', async () => {
  await createSchemaFromModel(server.url, item({ length: 50, search: true }));
  expect(await indexes()).toEqual([PLAIN, NAME]);
  await server.query('CREATE INDEX own ON shop.item (lower(notes) text_pattern_ops)');
  await server.query('CREATE INDEX ix_own ON shop.item (upper(notes))');
  await createSchemaFromModel(server.url, item({ length: 50 }));
  expect(await indexes()).toEqual([PLAIN, 'ix_own (upper(notes))', 'own (lower(notes) text_pattern_ops)']);
});

test('they go with a removed table and come again with its undoing', async () => {
  const other = standardEntity('shop_Other', { attributes: { name: string(5) } });
  const searched = standardEntity('shop_Item', {
    attributes: { name: string(5) },
    indexes: [{ attributes: ['name'], unique: false, search: true }],
  });
  const initial = await nextMigration(modelOf(searched, other), []);
  const step = await nextMigration(modelOf(other), [initial]);
  await runMigrations({ url: server.url, migrations: [initial, step] });
  await revertMigrations({ url: server.url, migrations: [initial, step], allowDataLoss: true });
  expect(await indexes()).toEqual([NAME]);
});
