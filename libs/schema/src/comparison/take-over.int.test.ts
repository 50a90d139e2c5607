import { buildModel, keyedEntity, string } from '@lintel/metadata';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { compareWithModel } from './compare-with-model.ts';

const model = buildModel({
  entities: [
    keyedEntity('x_Item', {
      table: { schema: 'items', name: 'item', owned: true },
      key: 'code',
      attributes: { code: string(10) },
    }),
  ],
  enums: [],
  fetchPlans: [],
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('take_over');
});
afterAll(() => database.drop());

test('a table that cannot be made in an empty database is refused with the reason, and not made by the model', async () => {
  await database.query(`CREATE SCHEMA items; CREATE SCHEMA codes; CREATE SCHEMA rules;
    CREATE FUNCTION rules.is_code(text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT $1 <> '' $$;
    CREATE DOMAIN codes.code AS varchar(10) CHECK (rules.is_code(VALUE));
    CREATE TABLE items.item (code varchar(10) PRIMARY KEY, other codes.code)`);
  await expect(compareWithModel({ url: database.url, model, migrations: [] })).rejects.toThrow(
    /^Tables of the application cannot be made in an empty database:\n(.|\n)*schema "rules" does not exist/,
  );
});
