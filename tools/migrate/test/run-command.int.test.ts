import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Application, defineApplication, type Migration } from '@lintel/application';
import sales from '@lintel/example-sales';
import { type AttributeBuilders, decimal, integer, keyedEntity, standardEntity, string } from '@lintel/metadata';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import type { Command } from '../src/parse-arguments.ts';
import { runCommand } from '../src/run-command.ts';

let server: TestDatabase;
let folder: string;
let printed: string[];

beforeEach(async () => {
  server = await createTestDatabase('migrate');
  folder = await mkdtemp(join(tmpdir(), 'lintel-migrations-'));
  printed = [];
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await server.drop();
});

const run = async (command: Command, application: Application, confirmed?: boolean[]): Promise<0 | 1> => {
  const result = await runCommand(command, {
    ...(confirmed === undefined ? {} : { ask: async () => confirmed.shift() === true }),
    application,
    url: server.url,
    folder: () => folder,
    now: () => new Date(1_795_238_450_073),
    note: (line) => printed.push(line),
  });
  printed.push(...result.lines);
  return result.exitCode;
};

const generate = (name: string, more: Partial<Extract<Command, { kind: 'generate' }>> = {}): Command => ({
  kind: 'generate',
  name,
  folder: undefined,
  renames: [],
  allowDataLoss: false,
  ...more,
});

const REVERT: Command = { kind: 'revert', dryRun: false, allowDataLoss: false };

/** Loads the migration of a written file without the packages that it imports. */
async function written(file: string): Promise<Migration> {
  const text = await readFile(join(folder, file), 'utf8');
  const body = text.replace(/^import.*$/m, '').replace(/export const \w+ = defineMigration\(/, 'return (');
  return new Function(body)() as Migration;
}

const shop = defineApplication({
  id: 'shop',
  name: 'Shop',
  entities: [standardEntity('shop_Item', { attributes: { sku: string(10).mandatory().unique() } })],
});

test('the migrations of the example application make exactly its model', async () => {
  expect(await run({ kind: 'check', expanded: false }, sales)).toBe(0);
  expect(await run(generate('nothing'), sales)).toBe(0);
  expect(await readdir(folder)).toEqual([]);
  expect(printed.at(-1)).toContain('Nothing to do');
});

test('the example application is migrated, shown and reverted', async () => {
  const names = (sales.migrations ?? []).map(({ name }) => name);
  expect(await run({ kind: 'run', dryRun: false }, sales)).toBe(0);
  expect(printed).toEqual(expect.arrayContaining(names.map((name) => `ran ${name}`)));
  await run({ kind: 'run', dryRun: false }, sales);
  expect(printed.at(-1)).toBe('The database is up to date.');
  expect(await run({ kind: 'status' }, sales)).toBe(0);
  expect(printed.at(-1)).toBe(`executed  ${names.at(-1)}`);
  expect(await run({ ...REVERT, allowDataLoss: true }, sales)).toBe(0);
  expect(printed.slice(-2)).toEqual([`reverted ${names.at(-1)}`, '1 migrations reverted.']);
});

test('forward, back and forward again makes the same schema, and rows of tables that stay are kept', async () => {
  const [initial, ...later] = sales.migrations ?? [];
  const all = later.length + 1;
  const customers = () => server.query('SELECT name FROM sales.customer');
  await run({ kind: 'run', dryRun: false }, sales);
  await server.query(
    `INSERT INTO sales.customer (id, version, name) VALUES ('6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11', 1, 'Ada')`,
  );
  expect(await run({ ...REVERT, to: initial?.name ?? '', allowDataLoss: true }, sales)).toBe(0);
  expect(await run({ kind: 'drift', strict: false }, sales)).toBe(1);
  for (const { name } of later) expect(printed).toContain(`pending   migration ${name}`);
  // Each of them, and the indexes and triggers that it creates.
  const parts = later.flatMap(({ up }) => up).filter((text) => /^CREATE (INDEX|TRIGGER)/.test(text)).length;
  expect(printed.at(-1)).toBe(`The database does not fit the model: ${later.length + parts} problems.`);
  expect(await run({ kind: 'run', dryRun: false }, sales)).toBe(0);
  expect(await run({ kind: 'drift', strict: true }, sales)).toBe(0);
  expect(await customers()).toEqual([{ name: 'Ada' }]);
  await expect(run({ ...REVERT, steps: all }, sales)).rejects.toThrow('"sales"."customer" is dropped with its rows');
  expect(await run({ ...REVERT, steps: all, dryRun: true }, sales)).toBe(0);
  expect(printed.at(-1)).toContain('-- loses data: "sales"."customer" is dropped with its rows');
  expect(await customers()).toHaveLength(1);
  expect(await run({ ...REVERT, steps: all, allowDataLoss: true }, sales)).toBe(0);
  expect(await server.query(`SELECT 1 FROM pg_namespace WHERE nspname = 'sales'`)).toEqual([]);
  expect(await run({ kind: 'run', dryRun: false }, sales)).toBe(0);
  expect(await run({ kind: 'drift', strict: true }, sales)).toBe(0);
});

test('a database that fits the model is said to, and one that does not, what differs', async () => {
  expect(await run({ kind: 'drift', strict: false }, sales)).toBe(1);
  expect(printed).toContain('missing   table sales.customer');
  expect(printed).toContain(`pending   migration ${sales.migrations?.[0]?.name}`);
  await run({ kind: 'run', dryRun: false }, sales);
  expect(await run({ kind: 'drift', strict: true }, sales)).toBe(0);
  expect(printed.at(-1)).toBe('The database fits the model.');
  await server.query('ALTER TABLE sales.customer ADD COLUMN later text, ALTER COLUMN name TYPE text');
  expect(await run({ kind: 'drift', strict: false }, sales)).toBe(1);
  expect(printed.slice(-3)).toEqual([
    'different column sales.customer.name: type is text, expected character varying(255)',
    'extra     column sales.customer.later (text): no conflict',
    'The database does not fit the model: 1 problem.',
  ]);
  await server.query('ALTER TABLE sales.customer ALTER COLUMN name TYPE varchar(255)');
  expect(await run({ kind: 'drift', strict: false }, sales)).toBe(0);
  expect(await run({ kind: 'drift', strict: true }, sales)).toBe(1);
});

test('a difference is found by check and written by generate', async () => {
  expect(await run({ kind: 'check', expanded: false }, shop)).toBe(1);
  expect(printed).toContain('  CREATE SCHEMA "shop"');
  expect(await run(generate('initial'), shop)).toBe(0);
  expect((await readdir(folder)).sort()).toEqual(['1795238450073-initial.ts', 'index.ts']);
  const text = await readFile(join(folder, '1795238450073-initial.ts'), 'utf8');
  expect(text).toContain('CREATE TABLE "shop"."item" (\n  "id" uuid NOT NULL,\n');
  expect(text).not.toContain('"sec"');
  expect(await readFile(join(folder, 'index.ts'), 'utf8')).toContain(`from './1795238450073-initial.ts';`);
});

test('an index of a table that is there is written as a migration of its own, which keeps nobody from writing', async () => {
  expect(await run(generate('initial'), shop)).toBe(0);
  const initial = await written('1795238450073-initial.ts');
  const indexed = defineApplication({
    id: 'shop',
    name: 'Shop',
    entities: [
      standardEntity('shop_Item', {
        attributes: { sku: string(10).mandatory().unique(), name: string(50).unique() },
        indexes: [{ attributes: ['sku'], unique: false, search: true }],
      }),
    ],
    migrations: [initial],
  });
  await rm(join(folder, '1795238450073-initial.ts'));
  expect(await run(generate('names'), indexed)).toBe(0);
  const indexes = await written('1795238450074-names-indexes.ts');
  expect(indexes).toEqual({
    name: '1795238450074-names-indexes',
    up: [
      'CREATE UNIQUE INDEX CONCURRENTLY "uq_item__name" ON "shop"."item" ("name")',
      'CREATE INDEX CONCURRENTLY "ix_item__sku__search" ON "shop"."item" (lower(("sku")::text) text_pattern_ops)',
    ],
    down: ['DROP INDEX CONCURRENTLY "shop"."ix_item__sku__search"', 'DROP INDEX CONCURRENTLY "shop"."uq_item__name"'],
  });
  const complete = { ...indexed, migrations: [initial, await written('1795238450073-names.ts'), indexes] };
  expect(await run({ kind: 'run', dryRun: false }, complete)).toBe(0);
  expect(await run({ kind: 'check', expanded: false }, complete)).toBe(0);
  expect(await run(REVERT, complete)).toBe(0);
  expect(await run({ kind: 'run', dryRun: false }, complete)).toBe(0);
});

describe('an attribute that is renamed', () => {
  const items = (attributes: AttributeBuilders, migrations: readonly Migration[] = []): Application =>
    defineApplication({
      id: 'shop',
      name: 'Shop',
      entities: [standardEntity('shop_Item', { attributes, indexes: [{ attributes: ['price'], unique: false }] })],
      migrations: [...migrations],
    });
  const price = decimal(10, 2);
  const OLD = { phone: string(20).unique(), price };
  let initial: Migration;

  beforeEach(async () => {
    await run(generate('initial'), items(OLD));
    initial = await written('1795238450073-initial.ts');
    await rm(join(folder, '1795238450073-initial.ts'));
  });

  /** The new model also changes other things. */
  const changed = (mobile = string(30).unique()): Application =>
    items({ mobile, price: decimal(12, 4), more: integer() }, [initial]);
  const RENAMES = [
    'ALTER TABLE "shop"."item" RENAME COLUMN "phone" TO "mobile"',
    'ALTER INDEX "shop"."uq_item__phone" RENAME TO "uq_item__mobile"',
  ];

  test('nothing is written before somebody has chosen, and both choices are options', async () => {
    expect(await run(generate('mobile'), changed())).toBe(1);
    expect(await readdir(folder)).toEqual(['index.ts']);
    expect(printed.slice(-5)).toEqual([
      'These statements lose data:',
      '  ALTER TABLE "shop"."item" DROP COLUMN "phone"',
      'Nothing was written. Give one of these options:',
      '  --rename shop.item.phone=mobile   if mobile is the former phone: its values stay',
      '  --allow-data-loss   if the data may be lost',
    ]);
    expect(await run(generate('mobile', { allowDataLoss: true }), changed())).toBe(0);
    const text = await readFile(join(folder, '1795238450073-mobile.ts'), 'utf8');
    expect(text).toContain(`    // Loses data:\n    'ALTER TABLE "shop"."item" DROP COLUMN "phone"',`);
  });

  test.each([
    [
      'an option',
      () => run(generate('mobile', { renames: [{ table: 'shop.item', from: 'phone', to: 'mobile' }] }), changed()),
    ],
    ['a confirmation', () => run(generate('mobile'), changed(), [true])],
    ['the model', () => run(generate('mobile'), changed(string(30).unique().renamedFrom('phone')))],
  ])('%s renames the column with its index, besides other changes', async (_what, rename) => {
    expect(await rename()).toBe(0);
    const step = await written('1795238450073-mobile.ts');
    expect(step.up.slice(0, 2)).toEqual(RENAMES);
    expect(step.up).toHaveLength(5);
    const complete = { ...changed(), migrations: [initial, step] };
    expect(await run({ kind: 'check', expanded: false }, complete)).toBe(0);
    await run({ kind: 'run', dryRun: false }, complete);
    expect(await run({ kind: 'drift', strict: true }, complete)).toBe(0);
    await run({ ...REVERT, allowDataLoss: true }, complete);
    expect(await run({ kind: 'drift', strict: true }, { ...items(OLD), migrations: [initial] })).toBe(0);
  });

  test('a table is asked for before its columns, and is an option elsewhere', async () => {
    const articles = defineApplication({
      id: 'shop',
      name: 'Shop',
      entities: [standardEntity('shop_Article', { attributes: { mobile: string(30).unique(), price } })],
      migrations: [initial],
    });
    expect(await run(generate('article'), articles)).toBe(1);
    expect(printed).toContain(
      '  --rename shop.item=shop.article   if shop.article is the former shop.item: its values stay',
    );
    expect(await run(generate('article'), articles, [true, true])).toBe(0);
    const { up } = await written('1795238450073-article.ts');
    expect(up).toContain('ALTER TABLE "shop"."item" RENAME TO "article"');
    expect(up).toContain('ALTER TABLE "shop"."article" RENAME COLUMN "phone" TO "mobile"');
  });

  test('a check written by hand that also names a removed attribute is named, dropped and restored', async () => {
    const check = 'ALTER TABLE "shop"."item" ADD CONSTRAINT "hand" CHECK (price > 0 OR phone IS NULL)';
    const before = [{ ...initial, up: [...initial.up, check] }];
    const without = items({ price }, before);
    expect(await run(generate('phone'), without)).toBe(1);
    expect(printed.slice(-6)).toEqual([
      'These statements drop what was written by hand:',
      '  ALTER TABLE "shop"."item" DROP CONSTRAINT "hand"',
      'These statements lose data:',
      '  ALTER TABLE "shop"."item" DROP COLUMN "phone"',
      'Nothing was written. Give one of these options:',
      '  --allow-data-loss   if the data may be lost',
    ]);
    expect(await run(generate('phone', { allowDataLoss: true }), without)).toBe(0);
    const text = await readFile(join(folder, '1795238450073-phone.ts'), 'utf8');
    expect(text).toContain(`// Written by hand:\n    'ALTER TABLE "shop"."item" DROP CONSTRAINT "hand"'`);
    const { down } = await written('1795238450073-phone.ts');
    expect(down.filter((each) => each.includes('"hand"'))).toHaveLength(1);
  });

  test('a number is no former form of a text', async () => {
    const before = { ...initial, up: [...initial.up, 'ALTER TABLE "shop"."item" ADD "sum" integer'] };
    expect(await run(generate('total'), items({ ...OLD, total: string(20) }, [before]))).toBe(1);
    expect(printed.at(-1)).toContain('--allow-data-loss');
    expect(printed.join()).not.toContain('--rename');
  });

  test('a former name that no migration has, and a rename of other columns, are refused', async () => {
    const obsolete = items({ phone: string(20).unique().renamedFrom('mobile'), price }, [initial]);
    await expect(run(generate('x'), obsolete)).rejects.toThrow(
      "shop_Item.phone has renamedFrom('mobile'), which is obsolete: the migrations make no such column in shop.item. Remove it.",
    );
    const wrong = generate('x', { renames: [{ table: 'shop.item', from: 'phone', to: 'more' }] });
    await expect(run(wrong, changed())).rejects.toThrow('shop.item.phone cannot become more');
  });
});

test('check fails where an empty database would not start, until the tables of other owners are made', async () => {
  await server.query(`CREATE TABLE client (no integer PRIMARY KEY, title text);
    CREATE TABLE bill (id integer PRIMARY KEY)`);
  const bills = (migrations: readonly Migration[]): Application =>
    defineApplication({
      id: 'bills',
      name: 'Bills',
      entities: [
        keyedEntity('b_Client', {
          key: 'no',
          table: { schema: 'public', name: 'client' },
          attributes: { no: integer(), title: string() },
        }),
        keyedEntity('b_Bill', {
          key: 'id',
          table: { schema: 'public', name: 'bill', owned: true },
          attributes: { id: integer() },
        }),
      ],
      migrations: [...migrations],
    });
  const check = (migrations: readonly Migration[]) => run({ kind: 'check', expanded: false }, bills(migrations));
  expect(await run(generate('bills'), bills([]))).toBe(0);
  const alone = await written('1795238450073-bills.ts');
  expect(await check([alone])).toBe(1);
  expect(printed.at(-1)).toContain('  public.client belongs to another owner, and no migration makes it');
  expect(await run(generate('all', { withReferences: true }), bills([]))).toBe(0);
  const all = await written('1795238450073-all.ts');
  expect(await check([all])).toBe(0);
  // In this database the table of the other owner is as it was.
  expect(all.up.find((statement) => statement.includes('"client"'))).toMatch(
    /^DO .* IF to_regclass\(.*\) IS NULL THEN/s,
  );
});

test('a check of a table that is there is validated by a migration of its own, and another text replaces it', async () => {
  const items = (condition: string | undefined, migrations: readonly Migration[]): Application =>
    defineApplication({
      id: 'shop',
      name: 'Shop',
      entities: [
        standardEntity('shop_Item', {
          attributes: { price: integer(), from: integer(), to: integer() },
          ...(condition === undefined ? {} : { checks: { positive: condition } }),
          ...(condition === undefined ? {} : { exclusions: { apart: { period: ['from', 'to'] } } }),
          indexes: condition === undefined ? [] : [{ attributes: ['price'], unique: false, where: '{from} > 0' }],
        }),
      ],
      migrations: [...migrations],
    });
  const next = async (words: string, application: Application): Promise<Migration[]> => {
    expect(await run(generate(words), application)).toBe(0);
    const files = (await readdir(folder)).filter((file) => file !== 'index.ts').sort();
    const steps = await Promise.all(files.map(written));
    for (const file of files) await rm(join(folder, file));
    return steps.map((step, at) => ({
      ...step,
      name: `${1_795_238_450_073 + (application.migrations?.length ?? 0) + at}-step`,
    }));
  };
  const done = await next('initial', items(undefined, []));
  await run({ kind: 'run', dryRun: false }, items(undefined, done));
  await server.query('INSERT INTO shop.item (id, version, price) VALUES (gen_random_uuid(), 1, 5)');

  const added = await next('check', items('{price} > 0', done));
  expect(added.map(({ up }) => up.map((text) => text.replaceAll(/_[0-9a-f]{8}"/g, '_hash"')))).toEqual([
    [
      'ALTER TABLE "shop"."item" ADD CONSTRAINT "ck_item__positive__hash" CHECK ("price" > 0) NOT VALID',
      'ALTER TABLE "shop"."item" ADD CONSTRAINT "ex_item__apart__hash" EXCLUDE USING gist (int4range("from", "to") WITH &&)',
    ],
    ['CREATE INDEX CONCURRENTLY "ix_item__price__hash" ON "shop"."item" USING btree ("price") WHERE ("from" > 0)'],
    ['ALTER TABLE "shop"."item" VALIDATE CONSTRAINT "ck_item__positive__hash"'],
  ]);
  expect(printed.filter((line) => line.startsWith('warning')).join()).toMatch(/blocks writes .* its validation fails/);
  done.push(...added);
  const checked = items('{price} > 0', done);
  await run({ kind: 'run', dryRun: false }, checked);
  expect(await run({ kind: 'check', expanded: false }, checked)).toBe(0);
  expect(await run({ kind: 'drift', strict: true }, checked)).toBe(0);

  const [changed, ...others] = await next('other', items('{price} > 1', done));
  expect([changed?.up[0], others.length]).toEqual([expect.stringContaining('DROP CONSTRAINT "ck_item__positive__'), 1]);
  done.push(...(changed === undefined ? [] : [changed]), ...others);
  await run({ kind: 'run', dryRun: false }, items('{price} > 1', done));
  expect(await run({ kind: 'drift', strict: true }, items('{price} > 1', done))).toBe(0);
  await run({ ...REVERT, steps: 2 }, items('{price} > 1', done));
  expect(await run({ kind: 'drift', strict: true }, checked)).toBe(0);
});
