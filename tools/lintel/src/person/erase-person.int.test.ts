import { defineApplication } from '@lintel/application';
import {
  boolean,
  byteArray,
  compositionOfMany,
  compositionOfOne,
  dateTime,
  decimal,
  elements,
  enumeration,
  enumOf,
  fileRef,
  integer,
  json,
  localDate,
  localTime,
  offsetDateTime,
  standardEntity,
  string,
  toOne,
  uuid,
} from '@lintel/metadata';
import { createDatabase, type Database } from '@lintel/persistence';
import { createSchemaFromModel } from '@lintel/schema';
import { createLogger } from '@lintel/telemetry';
import { cloneTestDatabase, type TestDatabase } from '@lintel/testkit';
import { erasePerson } from './erase-person.ts';
import { findPerson } from './find-person.ts';

const Grade = enumeration('g.Grade', { LOW: 10, HIGH: 20 });
const { model } = defineApplication({
  id: 'g',
  name: 'Guests',
  enums: [Grade],
  entities: [
    standardEntity('g_Guest', {
      attributes: {
        name: string(12).mandatory().unique().personal(),
        mail: string(60).mandatory().email().personal(),
        pin: string(4).mandatory().pattern(/\d{4}/).personal(),
        aliases: elements(30).personal(),
        account: toOne('sec_User').personal(),
        host: toOne('g_Guest'),
        notes: compositionOfMany('g_Note', 'guest'),
        card: compositionOfOne('g_Card'),
      },
      history: { attributes: ['name', 'aliases', 'notes', 'card'] },
    }),
    standardEntity('g_Speaker', { extends: 'g_Guest', attributes: { talk: string(50).personal() } }),
    standardEntity('g_Note', { attributes: { guest: toOne('g_Guest').mandatory(), text: string(50).personal() } }),
    standardEntity('g_Card', {
      attributes: {
        ...{ amount: decimal(9, 2).mandatory().min(5).personal(), count: integer().mandatory().personal() },
        ...{ isGold: boolean().mandatory().personal(), grade: enumOf(Grade).mandatory().personal() },
        ...{ born: localDate().mandatory().past().personal(), until: localDate().mandatory().future().personal() },
        ...{ at: dateTime().mandatory().personal(), since: offsetDateTime().mandatory().personal() },
        ...{ hour: localTime().mandatory().personal(), code: uuid().mandatory().personal() },
        ...{ raw: byteArray().mandatory().personal(), extra: json().mandatory().personal() },
        scan: fileRef().mandatory().personal(),
      },
    }),
    standardEntity('g_Stay', {
      attributes: { guest: toOne('g_Guest').personal(), clerk: toOne('g_Guest'), wish: string(50).personal() },
      history: true,
    }),
    standardEntity('g_Login', { attributes: { user: toOne('sec_User').personal(), device: string(50).personal() } }),
  ],
});

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await cloneTestDatabase({ key: model.version, build: (url) => createSchemaFromModel(url, model) }, 'guests');
  const options = { maxConnections: 2, statementTimeoutMs: 60_000, applicationName: 'guests-test' };
  const logger = createLogger({ service: 'lintel', destination: { write: () => {} } });
  database = createDatabase({ ...options, url: server.url, logger });
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const ID = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const rowsOf = async (table: string) =>
  (await server.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} t`)).map(({ row }) => row);
const erase = (entity: string, id: string) => {
  const found = model.entities.get(entity);
  if (found === undefined) throw new Error(`There is no entity ${entity}`);
  return database.transaction(async (transaction) =>
    erasePerson(model, await findPerson(model, found, id, transaction), transaction),
  );
};

/** A speaker with a user, a card, notes of which one was deleted, aliases, and a stay; and a guest who is the clerk. */
async function createGuests(): Promise<void> {
  const card = `5.50, 3, true, 20, '1977-01-01', '2977-01-01', '1977-01-01', '1977-01-01Z', '07:07:07', '${ID(77)}', 'ghost', '{"a": "ghost"}', 'fs://a/b/c/ghost.pdf?name=ghost.pdf'`;
  for (const text of [
    `INSERT INTO sec."user" (id, version, username, first_name, active) VALUES ('${ID(1)}', 1, 'speaker', 'ghost', true)`,
    `INSERT INTO g.card (id, version, amount, count, is_gold, grade, born, until, at, since, hour, code, raw, extra, scan)
      VALUES ('${ID(2)}', 1, ${card})`,
    `INSERT INTO g.guest (id, version, entity_name, name, mail, pin, account_id, card_id) VALUES
      ('${ID(3)}', 1, 'g_Speaker', 'ghost', 'ghost@example.org', '1977', '${ID(1)}', '${ID(2)}'),
      ('${ID(4)}', 1, 'g_Guest', 'kept', 'kept@example.org', '4444', NULL, NULL)`,
    `INSERT INTO g.speaker (id, talk) VALUES ('${ID(3)}', 'ghost')`,
    `UPDATE g.guest SET name = 'ghost too', host_id = '${ID(3)}' WHERE id = '${ID(3)}'`,
    `INSERT INTO g.guest_aliases (guest_id, position, value) VALUES ('${ID(3)}', 0, 'ghost'), ('${ID(4)}', 0, 'kept')`,
    `INSERT INTO g.note (id, version, guest_id, text) VALUES ('${ID(5)}', 1, '${ID(3)}', 'ghost'),
      ('${ID(6)}', 1, '${ID(3)}', 'ghost'), ('${ID(7)}', 1, '${ID(4)}', 'kept'), ('${ID(8)}', 1, '${ID(3)}', 'kept')`,
    `DELETE FROM g.note WHERE id = '${ID(6)}'`,
    // It belongs to another guest now.
    `UPDATE g.note SET guest_id = '${ID(4)}' WHERE id = '${ID(8)}'`,
    `INSERT INTO g.stay (id, version, guest_id, clerk_id, wish) VALUES ('${ID(10)}', 1, '${ID(3)}', '${ID(4)}', 'ghost'),
      ('${ID(11)}', 1, '${ID(3)}', NULL, 'ghost'), ('${ID(12)}', 1, '${ID(4)}', '${ID(3)}', 'kept')`,
    `DELETE FROM g.stay WHERE id = '${ID(11)}'`,
    `INSERT INTO g.login (id, version, user_id, device) VALUES ('${ID(13)}', 1, '${ID(1)}', 'ghost')`,
  ])
    await server.query(text);
}

// Asserts contract/personal-data.md#person, contract/personal-data.md#erase.
test('everything that belongs to a person is erased, and nothing of others', async () => {
  await createGuests();
  const tables = ['guest', 'speaker', 'note', 'card', 'stay', 'login', 'guest_aliases'].map((table) => `g.${table}`);
  const all = async () => (await Promise.all([...tables, 'history.entry', 'sec."user"'].map(rowsOf))).flat();
  const before = await all();
  const kept = before.filter((row) => row.includes('kept') && !row.includes(ID(8)));
  const erasure = await erase('g_Guest', ID(3));
  const after = await all();
  expect(after.filter((row) => /ghost|67686f7374|1977|07:07|5\.50/.test(row))).toEqual([]);
  expect(after).toEqual(expect.arrayContaining(kept));
  expect(erasure.entities.map(({ entity, instances }) => [entity, instances])).toEqual([
    ['g_Guest', 1],
    ['g_Note', 2],
    ['g_Card', 1],
    ['g_Stay', 2],
    ['g_Login', 1],
  ]);
  expect(erasure.files).toBe(1);
  expect(await rowsOf('report.released_file')).toEqual([expect.stringContaining('"fs://a/b/c/ghost.pdf?name=erased"')]);
  expect(await rowsOf('g.note')).toHaveLength(3);
  const neutral = new Map(erasure.neutral.map(({ attribute, ...each }) => [attribute, each]));
  expect([...neutral.values()].every(({ keepsRules }) => keepsRules)).toBe(true);
  expect(neutral.get('g_Guest.pin')?.value).toMatch(/^\d{4}$/);
  expect(neutral.get('g_Guest.mail')?.value).toMatch(/^erased-\w+@erased\.invalid$/);
  expect(neutral.get('g_Guest.name')?.value).toHaveLength(12);
  expect(neutral.get('g_Card.amount')?.value).toBe(5);

  await erase('g_Speaker', ID(3));
  expect(await all()).toEqual(after);
});
