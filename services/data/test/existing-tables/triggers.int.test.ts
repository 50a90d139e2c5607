import { defineApplication } from '@lintel/application';
import { arrayOf, integer, keyedEntity, string } from '@lintel/metadata';
import { runMigrations } from '@lintel/schema';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { type DataFixture, startDataOn } from '../data-fixture.ts';

const TABLES = `
  CREATE TABLE note (id integer PRIMARY KEY, text varchar(50), ratio integer, tags text[] NOT NULL DEFAULT '{}',
    share integer GENERATED ALWAYS AS (100 / ratio) STORED);
  CREATE TABLE note_old () INHERITS (note);
  CREATE TABLE refused (note integer);
  CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP = 'DELETE' THEN
      IF OLD.text = 'kept' THEN RETURN NULL; END IF;
      IF OLD.text = 'hidden' THEN UPDATE note SET ratio = 7 WHERE id = OLD.id; RETURN NULL; END IF;
      RETURN OLD;
    END IF;
    CASE NEW.text
      WHEN 'nothing' THEN INSERT INTO refused VALUES (NEW.id); RETURN NULL;
      WHEN 'secret' THEN RAISE EXCEPTION 'The secret of % is 42', NEW.id;
      WHEN 'other key' THEN NEW.id := NEW.id + 1000;
      WHEN 'old' THEN INSERT INTO note_old (id, text, tags) VALUES (NEW.id, NEW.text, NEW.tags); RETURN NULL;
      WHEN 'upper' THEN BEGIN NEW.text := 'UPPER'; PERFORM 1 / 0; EXCEPTION WHEN division_by_zero THEN NULL; END;
      ELSE NULL;
    END CASE;
    IF 'none' = ANY (NEW.tags) THEN RETURN NULL; END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER change BEFORE INSERT OR UPDATE OR DELETE ON note FOR EACH ROW EXECUTE FUNCTION change();
  INSERT INTO note VALUES (1, 'one', 5), (2, 'kept', 5), (3, 'hidden', 5), (4, 'four', 5)`;

const application = defineApplication({
  id: 'n',
  name: 'Notes',
  entities: [
    keyedEntity('n_Note', {
      key: 'id',
      table: { schema: 'public', name: 'note' },
      attributes: {
        id: integer(),
        text: string(50),
        ratio: integer(),
        tags: arrayOf(string()).storedAs('text[]'),
        share: integer().generated(),
      },
    }),
  ],
});

let database: TestDatabase;
let data: DataFixture;
beforeAll(async () => {
  database = await createTestDatabase('triggers');
  await runMigrations({ url: database.url, migrations: [] });
  await database.query(TABLES);
  data = await startDataOn(database, application, { admin: { resourceRoles: ['system-full-access'] } });
});
afterAll(async () => {
  await data?.close();
  await database?.drop();
});

const send = (method: string, path: string, body?: unknown) =>
  data.send('admin', method, `/entities/n_Note${path}`, body);
const REFUSED = {
  message: 'The database does not accept the change',
  messageTemplate: '{lintel.validation.RefusedByDatabase.message}',
  path: '',
  invalidValue: null,
};

// Asserts contract/writing.md#database-errors.
test.each([
  ['creates nothing', 'POST', '', { id: 10, text: 'nothing' }],
  ['creates a row with another key', 'POST', '', { id: 11, text: 'other key' }],
  ['creates one row of two', 'POST', '', [{ id: 12 }, { id: 13, text: 'nothing' }]],
  ['changes nothing', 'PUT', '/1', { text: 'nothing' }],
  ['changes no collection', 'PUT', '/1', { tags: ['none'] }],
  ['deletes nothing', 'DELETE', '/2', undefined],
  ['fails with a text', 'PUT', '/1', { text: 'secret' }],
])('a trigger that %s: 400, and nothing is stored', async (_case, method, path, body) => {
  const { status, text, json } = await send(method, path, body);
  expect([status, json()]).toEqual([400, [REFUSED]]);
  // The log has what the client does not get.
  expect(data.errors.splice(0)).toEqual([{ error: expect.objectContaining({ severity: 'ERROR' }) }]);
  expect(text).not.toContain('42');
  const rows = await database.query('SELECT id, text FROM note WHERE id < 3 OR id > 9 ORDER BY id');
  expect(rows).toEqual([
    { id: 1, text: 'one' },
    { id: 2, text: 'kept' },
  ]);
});

test('a value that a computed column cannot use returns 400', async () => {
  expect((await send('PUT', '/1', { ratio: 0 })).json()).toEqual([REFUSED]);
});

test('a trigger may write a row elsewhere or with other values', async () => {
  expect((await send('POST', '', { id: 20, text: 'old' })).status).toBe(201);
  expect((await send('GET', '/20')).json()).toMatchObject({ text: 'old' });
  expect((await send('PUT', '/4', { text: 'upper' })).status).toBe(200);
  expect((await send('GET', '/4')).json()).toMatchObject({ text: 'UPPER' });
  expect((await send('DELETE', '/3')).status).toBe(204);
  expect((await send('GET', '/3')).json()).toMatchObject({ ratio: 7 });
  expect((await send('DELETE', '/20')).status).toBe(204);
  expect((await send('GET', '/20')).status).toBe(404);
});
