import {
  buildModel,
  elements,
  keyedEntity,
  long,
  manyToMany,
  softDeletedEntity,
  standardEntity,
  string,
  text,
  toOne,
} from '@lintel/metadata';
import { createSchemaFromModel, detectDrift } from '@lintel/schema';
import { SYSTEM_ENTITIES } from '@lintel/security';
import { cloneTestDatabase, createTestDatabase, type TestDatabase } from '@lintel/testkit';

const model = buildModel({
  entities: [
    ...SYSTEM_ENTITIES,
    softDeletedEntity('shop_Item', {
      attributes: {
        sku: string(10).mandatory().unique(),
        name: string(50),
        notes: text(),
        owner: toOne('sec_User'),
        tags: manyToMany('shop_Tag'),
      },
      indexes: [
        { attributes: ['name'], unique: false, search: true },
        { attributes: ['notes'], unique: false, search: true },
        { attributes: ['name', 'sku'], unique: false },
      ],
    }),
    standardEntity('shop_Tag', { attributes: { name: string(20) } }),
    keyedEntity('shop_Log', { key: 'id', generation: 'identity', attributes: { id: long(), words: elements(5) } }),
  ],
});

let server: TestDatabase;

beforeEach(async () => {
  server = await cloneTestDatabase({ key: model.version, build: (url) => createSchemaFromModel(url, model) }, 'drift');
});
afterEach(() => server.drop());

const detect = () => detectDrift({ url: server.url, model, migrations: [] });

test('a database that was created from the model fits it for all users', async () => {
  expect(await detect()).toEqual({ fits: true, findings: [], migrations: [] });
});

test('whatever was changed by hand is found, in the tables of the application and of the platform', async () => {
  for (const statement of [
    'ALTER TABLE shop.item ALTER COLUMN sku TYPE varchar(5)',
    'ALTER TABLE shop.item ALTER COLUMN sku DROP NOT NULL',
    `ALTER TABLE shop.item ALTER COLUMN name SET DEFAULT 'x'`,
    'ALTER TABLE shop.item DROP COLUMN notes',
    'ALTER TABLE shop.item ADD COLUMN more text',
    'ALTER TABLE shop.item ADD COLUMN needed text NOT NULL',
    'ALTER TABLE shop.item DROP CONSTRAINT fk_item__owner_id',
    'ALTER TABLE shop.item ADD CONSTRAINT ck_item CHECK (version > 0)',
    'DROP INDEX shop.uq_item__sku__live',
    'CREATE UNIQUE INDEX uq_item__sku__live ON shop.item (sku)',
    'CREATE INDEX ix_more ON shop.item (sku)',
    'CREATE UNIQUE INDEX uq_more ON shop.tag (name)',
    'DROP TABLE shop.log_words',
    'CREATE TABLE shop.other (id int)',
    'ALTER TABLE shop.log ALTER COLUMN id DROP IDENTITY',
    'ALTER TABLE auth.signing_key ALTER COLUMN created_at DROP DEFAULT',
    'DROP VIEW sec.role_snapshot',
    'DROP FUNCTION sec.replace_password_hash(uuid, text, text)',
  ])
    await server.query(statement);
  const { fits, findings } = await detect();
  expect(fits).toBe(false);
  const said = findings.map(({ kind, severity, object, table, name, aspect, expected, actual }) =>
    [
      severity,
      kind,
      object,
      [table, name].filter((part) => part !== undefined).join('.'),
      ...(aspect === undefined ? [] : [`${aspect}: ${actual} for ${expected}`]),
    ].join(' '),
  );
  expect(said).toEqual([
    'problem different column auth.signing_key.created_at default: none for now()',
    'problem different column shop.item.sku type: character varying(5) for character varying(10)',
    'problem different column shop.item.sku nullability: NULL for NOT NULL',
    `notice different column shop.item.name default: 'x'::character varying for none`,
    'problem missing column shop.item.notes',
    'notice extra column shop.item.more',
    'problem extra column shop.item.needed',
    'problem missing foreign key shop.item.fk_item__owner_id',
    'notice kept check shop.item.ck_item',
    'problem different unique index shop.item.uq_item__sku__live definition: CREATE UNIQUE INDEX uq_item__sku__live ON shop.item USING btree (sku) for CREATE UNIQUE INDEX uq_item__sku__live ON shop.item USING btree (sku) WHERE ("deleted_date" IS NULL)',
    'problem missing index shop.item.ix_item__notes__search',
    'notice kept index shop.item.ix_more',
    'problem different column shop.log.id generation: none for identity',
    'problem missing table shop.log_words',
    'notice extra table shop.other',
    'notice kept unique index shop.tag.uq_more',
    'problem missing view sec.role_snapshot',
    'problem missing function sec.replace_password_hash(uuid, text, text)',
  ]);
});

test('additional objects that cannot make a write fail do not keep the database from fitting', async () => {
  await server.query('ALTER TABLE shop.item ADD COLUMN title text');
  await server.query('CREATE TABLE shop.other (id int)');
  const { fits, findings } = await detect();
  expect(fits).toBe(true);
  expect(findings.map(({ severity }) => severity)).toEqual(['notice', 'notice']);
});

test('a migration that has not run keeps the database from fitting, one that is not known does not', async () => {
  const pending = { name: '1795000000000-later', up: ['SELECT 1'], down: [] };
  const options = { url: server.url, model, migrations: [pending] };
  expect(await detectDrift(options)).toMatchObject({
    fits: false,
    migrations: [{ name: pending.name, state: 'pending' }],
  });
  await server.query(
    `INSERT INTO lintel.migration (timestamp, name, checksum) VALUES (1795000000001, 'newer-1795000000001', 'x')`,
  );
  expect(await detect()).toMatchObject({
    fits: true,
    migrations: [{ name: '1795000000001-newer', state: 'unknown' }],
  });
});

test('a database in which no migration has run lacks the parts of the platform as one, and the tables of the model', async () => {
  const empty = await createTestDatabase('drift_before');
  try {
    const { fits, lacksPlatform, findings } = await detectDrift({ url: empty.url, model, migrations: [] });
    expect([fits, lacksPlatform]).toEqual([false, true]);
    expect(findings.map(({ kind, table }) => `${kind} ${table}`)).toEqual(
      ['item', 'item_tags_link', 'log', 'log_words', 'tag'].map((name) => `missing shop.${name}`),
    );
  } finally {
    await empty.drop();
  }
});
