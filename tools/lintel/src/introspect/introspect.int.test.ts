import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineApplication } from '@lintel/application';
import sales from '@lintel/example-sales';
import type { EntityDefinition, EnumDefinition, Model } from '@lintel/metadata';
import { baselineMigrations, compareWithModel, describeTables, detectDrift, runMigrations } from '@lintel/schema';
import { createTestDatabase, eventually, type TestDatabase } from '@lintel/testkit';
import { fakeTerminal } from '../../test/fake-terminal.ts';
import { type Case, commandOf, expectedFiles, makeTables } from '../../test/introspected/introspect-case.ts';
import { run } from '../run.ts';
import { reportChanges } from './changes/report-changes.ts';

// Needs a database: createTestDatabase.

let folder: string;
beforeEach(() => {
  // Below this package, where what is written finds the others.
  folder = mkdtempSync(fileURLToPath(new URL('../../test/introspected/written-', import.meta.url)));
});
afterEach(() => rmSync(folder, { recursive: true }));

const introspect = async (...parameters: readonly string[]) => {
  const terminal = fakeTerminal();
  const code = await run(parameters, terminal);
  return { code, output: terminal.output(), notes: terminal.notes() };
};

interface WrittenModel {
  readonly ENTITIES: readonly EntityDefinition[];
  readonly ENUMS: readonly EnumDefinition[];
}

/** The model that was written to the folder. */
async function writtenModel(): Promise<Model> {
  const { ENTITIES, ENUMS } = (await import(`${folder}/index.ts`)) as WrittenModel;
  return defineApplication({ id: 'found', name: 'Found', entities: [...ENTITIES], enums: [...ENUMS] }).model;
}

async function withTables(name: Case, work: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await makeTables(name);
  try {
    await work(database);
  } finally {
    await database.drop();
  }
}

test.each(['shop', 'library'] as const)(
  'the tables of %s make the model that is expected, which the database fits and migrations leave alone',
  (name) =>
    withTables(name, async (database) => {
      const { code, output } = await introspect(...commandOf(database.url, name, '--dry-run', '--json'));
      expect(code).toBe(0);
      expect((JSON.parse(output) as { files: object }).files).toEqual(expectedFiles(name));
      const { notes } = await introspect(...commandOf(database.url, name, `--out=${folder}`));
      const left = {
        shop: 'column public.devices.documents is of type jsonb[]',
        library: 'view public.names is a materialized',
      };
      expect(notes).toContain(`\n  ${left[name]}`);
      const model = await writtenModel();
      await runMigrations({ url: database.url, migrations: [] });
      const { findings } = await detectDrift({ url: database.url, model, migrations: [] });
      const problems = findings.filter(({ severity }) => severity === 'problem').map(({ name: column }) => column);
      expect(problems).toEqual([]);
      const difference = await compareWithModel({ url: database.url, model, migrations: [] });
      expect(difference).toMatchObject({ up: [], down: [], warnings: [], kept: [] });
    }),
);

test.each(['shop', 'library'] as const)(
  'with --owned, migrations own the tables of %s that the model can express',
  (name) =>
    withTables(name, async ({ url, query }) => {
      const { code, notes } = await introspect(...commandOf(url, name, `--out=${folder}`, '--owned'));
      expect([code, notes]).toEqual([
        0,
        expect.stringContaining(
          name === 'shop'
            ? 'jsonb[], which the model does not have: make it jsonb'
            : 'partitioned: the model is of the whole',
        ),
      ]);
      const model = await writtenModel();
      const options = { url, model, withReferences: true };
      const { taken, up, down, warnings } = await compareWithModel({ ...options, migrations: [] });
      expect(warnings).toEqual([]);
      const migrations = [
        { name: '1795238450001-initial', ...taken },
        { name: '1795238450002-changes', up, down },
      ];
      expect(await compareWithModel({ ...options, migrations })).toMatchObject({
        up: [],
        taken: { up: [] },
        notMade: [],
      });
      // The database has what each statement adds, or gets it by the proposed statements.
      const first = await baselineMigrations({ url, model, migrations });
      const problems = first.findings.filter(({ severity }) => severity === 'problem');
      for (const statement of problems.flatMap(({ proposal }) => proposal)) await query(statement);
      const { fits, names } = await baselineMigrations({ url, model, migrations });
      expect([fits, names]).toEqual([true, migrations.map((migration) => migration.name)]);
      expect(await compareWithModel({ url, model, migrations })).toMatchObject({ up: [] });
    }),
);

test('the tables of the example application make its own tables again, without a difference', async () => {
  const database = await createTestDatabase('introspect_sales');
  try {
    const migrations = sales.migrations ?? [];
    await runMigrations({ url: database.url, migrations });
    const { code } = await introspect('introspect', '--url', database.url, '--schema', 'sales', '--out', folder);
    expect(code).toBe(0);
    const model = await writtenModel();
    const drift = await detectDrift({ url: database.url, model, migrations });
    // Which attributes are searchable is not in the tables: their indexes stay as additional ones.
    const search = { object: 'index', kind: 'extra', severity: 'notice', actual: expect.stringContaining('USING gin') };
    const findings = drift.findings.map(() => expect.objectContaining(search));
    expect(drift).toEqual({ fits: true, findings, migrations: [] });
    expect(await compareWithModel({ url: database.url, model, migrations })).toMatchObject({
      up: findings.map(() => expect.stringMatching(/^DROP INDEX /)),
      warnings: [],
    });
    expect(tablesOf(model)).toEqual(tablesOf(sales.model));
    const party = model.entities.get('sales_Company');
    expect([party?.ancestor, party?.key?.generation]).toEqual(['sales_Party', 'uuid']);
    expect(model.entities.get('sales_Product')?.attributes.get('tags')).toMatchObject({ cardinality: 'MANY_TO_MANY' });
    expect(model.entities.get('sales_Customer')?.attributes.get('tags')?.kind).toBe('elements');
    expect(model.entities.get('sales_Order')?.system.deletedBy).toBe('deletedBy');
  } finally {
    await database.drop();
  }
});

/** The tables of an application by name; the order of columns and indexes does not count, nor do indexes of searches. */
function tablesOf(model: Model): unknown {
  const sorted = (names: readonly object[]): readonly string[] => names.map((each) => JSON.stringify(each)).sort();
  return describeTables(model)
    .filter(({ schema }) => schema === 'sales')
    .map(({ schema, name, columns, indexes, foreignKeys, primaryKey }) => [
      `${schema}.${name}`,
      primaryKey?.columns,
      sorted(columns),
      sorted(
        indexes.flatMap(({ origin: _origin, ...index }) => (index.definition?.startsWith('USING gin') ? [] : [index])),
      ),
      sorted(foreignKeys.map(({ origin: _origin, ...key }) => key)),
    ])
    .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}

test('files that are there stay, except with --force; tables can be chosen; the result is the same each time', () =>
  withTables('shop', async (database) => {
    writeFileSync(`${folder}/tag.ts`, 'mine');
    const command = commandOf(database.url, 'shop', '--tables=tags,products', `--out=${folder}`);
    const refused = await introspect(...command);
    expect([refused.code, refused.notes]).toEqual([2, expect.stringContaining('has tag.ts already')]);
    expect(readdirSync(folder)).toEqual(['tag.ts']);
    expect((await introspect(...command, '--force')).output).toContain('4 files');
    expect(readdirSync(folder).sort()).toEqual(['database.txt', 'index.ts', 'product.ts', 'tag.ts']);
    const first = readFileSync(`${folder}/product.ts`, 'utf8');
    expect((await introspect(...command, '--force')).code).toBe(0);
    expect(readFileSync(`${folder}/product.ts`, 'utf8')).toBe(first);
  }));

test('keys into another schema are references where both schemas are given, and else named with the way', async () => {
  const database = await createTestDatabase('introspect_schemas');
  try {
    await database.query(`CREATE SCHEMA crm; CREATE SCHEMA erp;
      CREATE TABLE crm.customers (id integer PRIMARY KEY, name text NOT NULL);
      CREATE TABLE crm.items (id integer PRIMARY KEY);
      CREATE TABLE erp.items (id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES crm.customers)`);
    const command = ['introspect', '--url', database.url, '--out', folder];
    const one = await introspect(...command, '--schema', 'erp', '--dry-run');
    expect([one.code, one.notes]).toEqual([0, expect.stringContaining('give both schemas (--schema erp,crm)')]);
    expect((await introspect(...command, '--schema', 'erp,crm')).code).toBe(0);
    const model = await writtenModel();
    expect([...model.entities.keys()].filter((name) => name.startsWith('erp_'))).toEqual([
      'erp_Item',
      'erp_Customer',
      'erp_Items',
    ]);
    const [item, customer] = ['erp_Item', 'erp_Customer'].map((name) => model.entities.get(name));
    expect([item?.attributes.get('customer'), customer?.table]).toMatchObject([
      { target: 'erp_Customer' },
      { schema: 'crm', name: 'customers' },
    ]);
    await runMigrations({ url: database.url, migrations: [] });
    const drift = await detectDrift({ url: database.url, model, migrations: [] });
    expect(drift.findings.filter(({ severity }) => severity === 'problem')).toEqual([]);
    const chosen = await introspect(...command, '--schema', 'erp,crm', '--tables', 'crm.items', '--dry-run', '--json');
    expect(JSON.parse(chosen.output)).toMatchObject({ entities: [{ table: 'crm.items' }] });
  } finally {
    await database.drop();
  }
});

test('numbers of a shared sequence, codes of the full length and padded domains keep their meaning', async () => {
  const database = await createTestDatabase('introspect_meanings');
  try {
    await database.query(`CREATE SEQUENCE numbers; CREATE DOMAIN padded AS char(5);
      CREATE TABLE receipt (nr integer PRIMARY KEY DEFAULT nextval('numbers'), state char(1) NOT NULL CHECK (state IN ('A', 'B', 'C')),
        mixed char(3) CHECK (mixed IN ('A', 'ABC')), code padded)`);
    expect((await introspect('introspect', '--url', database.url, '--out', folder)).code).toBe(0);
    const { entities } = await writtenModel();
    const receipt = entities.get('app_Receipt');
    expect(receipt?.key?.generation).toBe('identity');
    expect(receipt?.attributes.get('state')).toMatchObject({ kind: 'enum', columnType: 'character(1)' });
    expect(receipt?.attributes.get('mixed')).toMatchObject({ kind: 'datatype', columnType: 'character(3)' });
    expect(receipt?.attributes.get('code')).toMatchObject({ columnType: 'public.padded', baseType: 'character(5)' });
  } finally {
    await database.drop();
  }
});

test('dates whose default or statistics have values of other years than 1 to 9999 are unbounded', async () => {
  const database = await createTestDatabase('introspect_moments');
  try {
    await database.query(`CREATE DOMAIN day AS date;
      CREATE TABLE period (id integer PRIMARY KEY, day date, moment timestamptz, far timestamp, until date DEFAULT 'infinity', days date[], of_domain day, usual date, fine timestamptz(6)) PARTITION BY RANGE (id);
      CREATE TABLE period_1 PARTITION OF period FOR VALUES FROM (0) TO (1000);
      INSERT INTO period SELECT at, CASE at WHEN 1 THEN '-infinity' ELSE date '2026-01-01' + at END,
        CASE at WHEN 1 THEN '0044-03-15 10:00:00+00 BC' ELSE timestamptz '2026-01-01' + at * interval '1 day' END,
        CASE at WHEN 1 THEN '12026-01-01' ELSE timestamp '2026-01-01' + at * interval '1 day' END, NULL,
        CASE at WHEN 1 THEN '{infinity,2026-01-01}' ELSE ARRAY[date '2026-01-01' + at] END, CASE at WHEN 1 THEN 'infinity' ELSE date '2026-01-01' + at END,
        date '2026-01-01' + at, timestamptz '2026-01-01 10:00:00.123456' + at * interval '1 day' FROM generate_series(1, 50) at;
      ANALYZE period`);
    const { pathname } = new URL(database.url);
    // Offsets west of Greenwich follow the fraction of a second with a minus.
    await database.query(`ALTER DATABASE "${pathname.slice(1)}" SET TimeZone = 'America/New_York'`);
    expect((await introspect('introspect', '--url', database.url, '--out', folder)).code).toBe(0);
    const { entities } = await writtenModel();
    const period = [...entities.values()].find(({ table }) => table?.name === 'period');
    const unbounded = [...(period?.attributes.values() ?? [])].filter((attribute) => 'formatless' in attribute);
    expect(unbounded.map(({ name }) => name)).toEqual(['day', 'moment', 'far', 'until', 'days', 'ofDomain']);
  } finally {
    await database.drop();
  }
});

test('what has changed in the database since is printed, by the columns that are new, gone or different', () =>
  withTables('shop', async (database) => {
    await introspect(...commandOf(database.url, 'shop', `--out=${folder}`));
    const changes = () => introspect('introspect', '--changes', `--url=${database.url}`, `--out=${folder}`);
    expect(await changes()).toMatchObject({
      code: 0,
      output: 'The database is as it was when the entities were written.',
    });
    await database.query('CREATE TABLE gifts (id integer PRIMARY KEY)');
    await database.query(
      'ALTER TABLE customers ADD COLUMN nickname text, DROP COLUMN line_2, ALTER COLUMN name DROP NOT NULL',
    );
    const { code, output } = await changes();
    expect([code, output.split('\n')]).toEqual([
      1,
      [
        'changed column public.customers.name: character varying(100), was character varying(100) NOT NULL',
        'removed column public.customers.line_2: text',
        'new     column public.customers.nickname: text',
        'new     table public.gifts: table',
        'Write the entities again with --force, or change them by hand.',
      ],
    ]);
    rmSync(`${folder}/database.txt`);
    expect(await changes()).toMatchObject({
      code: 2,
      notes: expect.stringContaining('Name the folder of the entities'),
    });
  }));

test('changes are printed as they happen, until the signal', () =>
  withTables('shop', async (database) => {
    await introspect(...commandOf(database.url, 'shop', `--out=${folder}`));
    const terminal = fakeTerminal();
    const interrupted = new AbortController();
    const options = { url: database.url, schema: 'public', out: folder, watch: true };
    const ended = reportChanges(options, terminal, interrupted.signal);
    await eventually(async () => expect(terminal.output()).toContain('as it was'));
    await database.query('CREATE TABLE gifts (id integer PRIMARY KEY)');
    await eventually(async () => expect(terminal.output()).toContain('new     table public.gifts'));
    interrupted.abort();
    expect(await ended).toBe(0);
  }));

test('an error is one sentence that names what is wrong', async () => {
  const database = await createTestDatabase('introspect_errors');
  const noteOf = async (...parameters: readonly string[]) => {
    const { code, notes } = await introspect('introspect', '--out', folder, ...parameters);
    expect([code, readdirSync(folder)]).toEqual([2, []]);
    return notes;
  };
  try {
    const { url } = database;
    expect(await noteOf('--url', url)).toContain('No table of the schema public can be an entity');
    expect(await noteOf('--url', url, '--schema', 'nothing')).toContain('no schema nothing. It has public');
    expect(await noteOf('--url', url, '--tables', 'a')).toContain('The schema public has no table a');
    expect(await noteOf('--url', url, '--prefix', 'No')).toContain('The id "No" is not usable');
    expect(await noteOf('--url', 'postgres://nobody@127.0.0.1:9/x')).toContain('ECONNREFUSED');
    await database.query('CREATE SCHEMA closed');
    const login = `reader_${database.name}`;
    await database.query(`CREATE ROLE "${login}" LOGIN PASSWORD 'reader'`);
    try {
      const reader = new URL(url);
      [reader.username, reader.password] = [login, 'reader'];
      expect(await noteOf('--url', reader.href, '--schema', 'closed')).toContain('may not use the schema closed');
    } finally {
      await database.query(`DROP ROLE "${login}"`);
    }
  } finally {
    await database.drop();
  }
});
