import { type Application, defineApplication, type Migration } from '@lintel/application';
import {
  decimal,
  keyedEntity,
  long,
  manyToMany,
  offsetDateTime,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { compareWithModel, detectDrift, runMigrations } from '@lintel/schema';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import type { Command } from '../src/parse-arguments.ts';
import { runCommand } from '../src/run-command.ts';

const own = (name: string) => ({ schema: 'public', name, owned: true });

type Entities = NonNullable<Application['entities']>;

const entities: Entities = [
  keyedEntity('shop_Customer', {
    table: own('customers'),
    key: 'id',
    generation: 'identity',
    attributes: {
      id: long(),
      name: string(50).mandatory().unique(),
      since: offsetDateTime().storedAs('timestamp(6) with time zone'),
      tags: manyToMany('shop_Tag').linkedBy({
        ...own('customer_tags'),
        columns: ['customer_id'],
        targetColumns: ['tag_code'],
      }),
    },
  }),
  keyedEntity('shop_Tag', {
    table: own('tags'),
    key: 'code',
    attributes: { code: string(10).storedAs('character(10)') },
  }),
  keyedEntity('shop_Bill', {
    table: own('bills'),
    key: 'id',
    generation: 'identity',
    attributes: {
      id: long(),
      customer: toOne('shop_Customer').mandatory().column('of_customer'),
      total: decimal(12, 2).mandatory(),
    },
  }),
  // Of this application from the beginning: there is no table before its migration.
  standardEntity('shop_Visit', { attributes: { customer: toOne('shop_Customer').mandatory() } }),
];
const withoutVisits: Entities = entities.slice(0, 3);

const TABLES = `CREATE TABLE customers (id bigserial PRIMARY KEY, name varchar(50) NOT NULL CONSTRAINT "One Name" UNIQUE,
    since timestamp(6) with time zone DEFAULT now());
  CREATE TABLE tags (code character(10) PRIMARY KEY);
  CREATE TABLE customer_tags (customer_id bigint REFERENCES customers ON DELETE CASCADE, tag_code character(10)
    REFERENCES tags, PRIMARY KEY (customer_id, tag_code));
  CREATE INDEX tagged ON customer_tags (tag_code);
  CREATE TABLE bills (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, of_customer bigint NOT NULL
    CONSTRAINT payer REFERENCES customers ON DELETE CASCADE, total numeric(12,2) NOT NULL CHECK (total >= 0));
  INSERT INTO customers (name) VALUES ('Ann');
  INSERT INTO bills (of_customer, total) VALUES (1, 10.5)`;

let server: TestDatabase;
let printed: string[];
let initial: Migration;
let second: Migration;
beforeAll(async () => {
  const empty = await createTestDatabase('initial');
  const stepTo = async (name: string, list: Entities, migrations: readonly Migration[]): Promise<Migration> => {
    const { model } = applicationOf(list, []);
    const { up, down } = await compareWithModel({ url: empty.url, model, migrations });
    return { name, up, down };
  };
  initial = await stepTo('1795238450001-initial', withoutVisits, []);
  second = await stepTo('1795238450002-visits', entities, [initial]);
  await empty.drop();
});
beforeEach(async () => {
  server = await createTestDatabase('baseline');
  printed = [];
  await server.query(TABLES);
});
afterEach(() => server.drop());

const applicationOf = (list: Entities, migrations: readonly Migration[]): Application =>
  defineApplication({ id: 'shop', name: 'Shop', entities: list, migrations });

const baseline = async (options: Partial<Command & { kind: 'baseline' }> = {}, migrations = [initial, second]) => {
  const { exitCode, lines } = await runCommand(
    { kind: 'baseline', dryRun: false, ...options },
    {
      application: applicationOf(entities, migrations),
      url: server.url,
      folder: () => '.',
      now: () => new Date(1_795_238_450_073),
      note: (line) => printed.push(line),
    },
  );
  printed.push(...lines);
  return exitCode;
};

const namesOf = async (): Promise<readonly string[]> =>
  (
    await server.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
       UNION SELECT indexname FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
    )
  ).map(({ name }) => name);

const ADD_INDEX = 'CREATE INDEX ix_bills__of_customer ON public.bills USING btree (of_customer)';

test('what is missing is named with the statement that adds it, and nothing is recorded', async () => {
  const before = await namesOf();
  expect(await baseline({ to: initial.name })).toBe(1);
  expect(printed).toContain(`  ${ADD_INDEX.replace('INDEX', 'INDEX CONCURRENTLY')};`);
  expect(printed.at(-1)).toBe('The tables are not those that the migrations create: 1 problem. Nothing was recorded.');
  expect(await namesOf()).toEqual(before);
});

test('existing tables become those of the migrations, and the next migration runs', async () => {
  await server.query(ADD_INDEX.replace('ix_bills__of_customer', 'payers'));
  expect(await baseline({ to: initial.name })).toBe(0);
  expect(printed.at(-1)).toMatch(/^recorded 1795238450001-initial; \d+ constraints and indexes renamed\.$/);
  expect(await namesOf()).toEqual([
    'bills_total_check',
    'fk_bills__of_customer',
    'fk_customer_tags__customer_id',
    'fk_customer_tags__tag_code',
    'ix_bills__of_customer',
    'ix_customer_tags__tag_code',
    'pk_bills',
    'pk_customer_tags',
    'pk_customers',
    'pk_tags',
    'uq_customers__name',
  ]);
  const application = applicationOf(entities, [initial, second]);
  expect(await runMigrations({ url: server.url, migrations: [initial, second] })).toEqual([second.name]);
  const { findings } = await detectDrift({ url: server.url, model: application.model, migrations: [initial, second] });
  expect(findings.map(({ kind, severity, object, name }) => [kind, severity, object, name])).toEqual([
    ['kept', 'notice', 'check', 'bills_total_check'],
    ['different', 'notice', 'unique index', 'uq_customers__name'],
  ]);
  expect(await server.query('SELECT name FROM customers')).toEqual([{ name: 'Ann' }]);
});

test('what does the same another way is a notice with the statements that change it', async () => {
  await server.query(ADD_INDEX);
  await runMigrations({ url: server.url, migrations: [] });
  expect(await baseline({ to: initial.name, dryRun: true })).toBe(0);
  const text = printed.join('\n');
  expect(text).toContain('ALTER TABLE "public"."bills" DROP CONSTRAINT "fk_bills__of_customer";');
  expect(text).toContain('INSERT INTO lintel.migration');
  expect(await namesOf()).toContain('payer');
  // The printed script does what the command does.
  await server.query(text.slice(text.indexOf('BEGIN')));
  expect(await namesOf()).toContain('fk_bills__of_customer');
  await expect(baseline({ to: initial.name })).rejects.toThrow('1795238450001-initial ran in this one');
});

test('a table of a later migration is missing, until --to excludes the migration', async () => {
  await server.query(ADD_INDEX);
  expect(await baseline()).toBe(1);
  expect(printed.join('\n')).toMatch(/^missing +table shop\.visit/m);
  await expect(baseline({ to: 'later' })).rejects.toThrow(`There is no migration later; there are ${initial.name}`);
  await expect(baseline({}, [])).rejects.toThrow('The application has no migrations');
});

test('columns that differ, are missing or cannot be filled are problems', async () => {
  await server.query(`${ADD_INDEX}; ALTER TABLE bills ALTER COLUMN total TYPE numeric(14,2);
    ALTER TABLE customers ALTER COLUMN name DROP NOT NULL, ADD needed text NOT NULL DEFAULT '', DROP COLUMN since;
    ALTER TABLE customers ALTER COLUMN needed DROP DEFAULT`);
  expect(await baseline({ to: initial.name })).toBe(1);
  for (const line of [
    '  ALTER TABLE "public"."bills" ALTER COLUMN "total" TYPE numeric(12,2);',
    '  ALTER TABLE "public"."customers" ALTER COLUMN "name" SET NOT NULL;',
    '  ALTER TABLE "public"."customers" ADD "since" timestamp(6) with time zone;',
    'extra     column public.customers.needed (text NOT NULL)',
  ])
    expect(printed).toContain(line);
});

test('a migration that would create existing tables names the command', async () => {
  await expect(runMigrations({ url: server.url, migrations: [initial] })).rejects.toThrow(
    '"lintel migrate baseline" takes them over',
  );
});

test('a statement that the database refuses is named, and nothing is renamed or recorded', async () => {
  await server.query(`${ADD_INDEX.replace('ix_bills__of_customer', 'payers')};
    CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'names are final'; END $$;
    CREATE EVENT TRIGGER final ON ddl_command_end WHEN TAG IN ('ALTER INDEX') EXECUTE FUNCTION refuse()`);
  const before = await namesOf();
  await expect(baseline({ to: initial.name })).rejects.toThrow(
    /^The statement "ALTER INDEX .*payers.*" failed: names are final\. Nothing was renamed or recorded\.$/,
  );
  expect(await namesOf()).toEqual(before);
  await server.query('DROP EVENT TRIGGER final');
  expect(await baseline({ to: initial.name })).toBe(0);
});
