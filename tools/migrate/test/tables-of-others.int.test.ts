import { buildModel, keyedEntity, long, standardEntity, string, text, toOne } from '@lintel/metadata';
import { compareWithModel, detectDrift, runMigrations } from '@lintel/schema';
import { SYSTEM_ENTITIES } from '@lintel/security';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';

const model = buildModel({
  entities: [
    ...SYSTEM_ENTITIES,
    keyedEntity('shop_Customer', {
      table: { schema: 'public', name: 'customers' },
      key: 'id',
      generation: 'identity',
      attributes: {
        id: long(),
        name: string(50).mandatory().unique(),
        nick: string(10).column('a "nick" name').unique(),
        parent: toOne('shop_Customer').column('belongs_to'),
      },
      indexes: [{ attributes: ['name', 'parent'], unique: false }],
    }),
    standardEntity('shop_Visit', { attributes: { customer: toOne('shop_Customer').mandatory(), notes: text() } }),
  ],
});

let server: TestDatabase;
beforeEach(async () => {
  server = await createTestDatabase('others');
  await server.query(`CREATE TABLE customers (id bigserial PRIMARY KEY, name varchar(50) NOT NULL UNIQUE,
    "a ""nick"" name" varchar(10) UNIQUE, belongs_to bigint REFERENCES customers ON DELETE CASCADE, CHECK (name <> ''))`);
});
afterEach(() => server.drop());

test('migrations make the tables of the application, which may refer to those of others, and leave those alone', async () => {
  const { up, down, warnings } = await compareWithModel({ url: server.url, model, migrations: [] });
  expect(up.join('\n')).toMatch(/FOREIGN KEY \("customer_id"\) REFERENCES "public"."customers"\("id"\)/);
  expect([...up, ...down].filter((statement) => /(TABLE|ON) "public"/.test(statement))).toEqual([]);
  expect(warnings).toEqual([]);
  const migrations = [{ name: '1795000000000-initial', up, down }];
  await runMigrations({ url: server.url, migrations });
  expect((await compareWithModel({ url: server.url, model, migrations })).up).toEqual([]);
  const { fits, findings } = await detectDrift({ url: server.url, model, migrations });
  expect(fits).toBe(true);
  expect(findings.map(({ severity, object, name }) => [severity, object, name])).toEqual([
    ['notice', 'index', 'ix_customers__name__belongs_to'],
    ['notice', 'index', 'ix_customers__belongs_to'],
  ]);
});

test('keys, unique values and columns that are missing in a table of others are problems', async () => {
  await server.query(`ALTER TABLE customers DROP CONSTRAINT customers_name_key, DROP CONSTRAINT customers_belongs_to_fkey,
    ALTER COLUMN name TYPE text, ADD needed text NOT NULL`);
  const { fits, findings } = await detectDrift({ url: server.url, model, migrations: [] });
  expect(fits).toBe(false);
  const found = findings
    .filter(({ table, severity }) => table === 'public.customers' && severity === 'problem')
    .map(({ kind, object, name, aspect }) => [kind, object, name, ...(aspect === undefined ? [] : [aspect])]);
  expect(found).toEqual([
    ['different', 'column', 'name', 'type'],
    ['extra', 'column', 'needed'],
    ['missing', 'unique index', 'uq_customers__name'],
  ]);
});
