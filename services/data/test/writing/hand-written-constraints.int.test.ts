import { defineApplication } from '@lintel/application';
import { integer, keyedEntity, localDateTime, string } from '@lintel/metadata';
import { runMigrations } from '@lintel/schema';
import { entityPolicy, modifyAttributes, resourceRole } from '@lintel/security';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { type DataFixture, startDataOn } from '../data-fixture.ts';

const TABLES = `
  CREATE EXTENSION btree_gist;
  CREATE TABLE person (id integer PRIMARY KEY);
  CREATE TABLE room (
    id integer PRIMARY KEY, name text, floor integer, secret integer, code text, owner integer, area integer NOT NULL,
    starts timestamp, ends timestamp, unmapped integer DEFAULT 1 CONSTRAINT unmapped_is_one CHECK (unmapped = 1),
    CONSTRAINT above_ground CHECK (floor + secret > 0),
    CONSTRAINT small_secret CHECK (secret < 100),
    CONSTRAINT one_code UNIQUE (code, floor),
    CONSTRAINT one_secret UNIQUE (secret),
    CONSTRAINT free EXCLUDE USING gist (name WITH =, tsrange(starts, ends) WITH &&),
    CONSTRAINT owned FOREIGN KEY (owner) REFERENCES person,
    CONSTRAINT known_secret FOREIGN KEY (secret, unmapped) REFERENCES room (id, unmapped),
    UNIQUE (id, unmapped)
  );
  CREATE UNIQUE INDEX by_upper_name ON room (upper(name)) WHERE floor = 7;
  CREATE UNIQUE INDEX floor_without_secret ON room ((floor + 1)) WHERE secret IS NULL;
  CREATE TABLE measure (id integer PRIMARY KEY, value integer NOT NULL, code text, CONSTRAINT low CHECK (value < 10),
    UNIQUE (id, code)) PARTITION BY HASH (id);
  CREATE TABLE measure_part PARTITION OF measure FOR VALUES WITH (MODULUS 1, REMAINDER 0);
  CREATE TABLE preset (secret integer);
  INSERT INTO preset VALUES (NULL);
  CREATE FUNCTION preset() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.secret := coalesce(NEW.secret, (SELECT secret FROM preset)); RETURN NEW; END $$;
  CREATE TRIGGER preset BEFORE INSERT ON room FOR EACH ROW EXECUTE FUNCTION preset();
  INSERT INTO person VALUES (1);
  INSERT INTO room (id, name, floor, code, area, starts, ends) VALUES (1, 'Hall', 7, 'x', 1, '2026-01-01', '2026-01-03');
  UPDATE room SET secret = 1;
  INSERT INTO room (id, floor, area) VALUES (9, 3, 1);
  INSERT INTO measure VALUES (1, 1)`;

const tableOf = (name: string) => ({ key: 'id', table: { schema: 'public', name } });
const application = defineApplication({
  id: 'h',
  name: 'House',
  entities: [
    keyedEntity('h_Room', {
      ...tableOf('room'),
      attributes: {
        id: integer(),
        name: string(20).storedAs('text'),
        floor: integer(),
        secret: integer(),
        code: string(20).storedAs('text'),
        owner: integer(),
        area: integer(),
        starts: localDateTime().storedAs('timestamp without time zone'),
        ends: localDateTime().storedAs('timestamp without time zone'),
      },
    }),
    keyedEntity('h_Measure', { ...tableOf('measure'), attributes: { id: integer(), value: integer() } }),
  ],
  roles: [
    resourceRole('clerk', {
      name: 'Clerk',
      policies: [
        entityPolicy('h_Room', 'create', 'read', 'update'),
        modifyAttributes('h_Room', 'id', 'name', 'floor', 'code', 'owner', 'area', 'starts', 'ends'),
      ],
    }),
  ],
});

let database: TestDatabase;
let data: DataFixture;
beforeAll(async () => {
  database = await createTestDatabase('by_hand');
  await database.query(TABLES);
  await runMigrations({ url: database.url, migrations: [] });
  data = await startDataOn(database, application, {
    admin: { resourceRoles: ['system-full-access'] },
    clerk: { resourceRoles: ['clerk', 'rest-minimal'] },
  });
});
afterAll(async () => {
  await data?.close();
  await database.drop();
});

const post = async (user: string, entity: string, values: object) => {
  const { status, json } = await data.send(user, 'POST', `/entities/h_${entity}`, { area: 1, ...values });
  const body = json();
  return [status, Array.isArray(body) ? body.map(({ path }) => path) : body.details];
};

// Asserts contract/writing.md#database-errors.
test.each([
  ['a check', { secret: -5, floor: 5 }, [400, ['floor', 'secret']]],
  ['a mandatory column', { area: null }, [400, ['area']]],
  ['a unique constraint', { code: 'x', floor: 7 }, [409, 'Entity h_Room: another instance has the same floor, code']],
  [
    'a unique expression',
    { name: 'hall', floor: 7 },
    [409, 'Entity h_Room: another instance has the same name, floor'],
  ],
  [
    'an exclusion with an expression',
    { name: 'Hall', starts: '2026-01-02T00:00:00', ends: '2026-01-04T00:00:00' },
    [409, 'Entity h_Room: the values of name, starts, ends and those of another instance exclude each other'],
  ],
  ['a foreign key', { owner: 7 }, [409, 'Entity h_Room: owner refers to an instance that does not exist']],
  ['the key', { id: 1 }, [409, 'Entity h_Room with id 1 already exists']],
])('a violation of %s that was written by hand names the attributes', async (_what, values, expected) => {
  expect(await post('admin', 'Room', { id: 2, ...values })).toEqual(expected);
});

test('a constraint of a partition is one of its table', async () => {
  expect(await post('admin', 'Measure', { id: 2, value: 12 })).toEqual([400, ['value']]);
  expect(await post('admin', 'Measure', { id: 2 })).toEqual([400, ['value']]);
  expect(await post('admin', 'Measure', { id: 1, value: 2 })).toEqual([
    409,
    'Entity h_Measure with id 1 already exists',
  ]);
});

test('attributes and values that the caller may not see are not named', async () => {
  const partial = (names: string) => [409, `Entity h_Room: another instance has the same ${names}`];
  expect(await post('admin', 'Room', { id: 2, floor: 3 })).toEqual(partial('floor, secret'));
  expect(await post('clerk', 'Room', { id: 2, floor: 3 })).toEqual(partial('floor'));
  await database.query('UPDATE preset SET secret = -5');
  expect(await post('clerk', 'Room', { id: 2, floor: 5 })).toEqual([400, ['floor']]);
  await database.query('UPDATE preset SET secret = 100');
  expect(await post('clerk', 'Room', { id: 2 })).toEqual([400, ['']]);
  await database.query('UPDATE preset SET secret = 1');
  expect(await post('clerk', 'Room', { id: 2, floor: 5 })).toEqual([409, 'A value must be unique']);
  await database.query('UPDATE preset SET secret = 50');
  expect(await post('clerk', 'Room', { id: 2, floor: 5 })).toEqual([
    409,
    'A reference leads to an instance that does not exist',
  ]);
  expect(await post('admin', 'Room', { id: 2, floor: 5, secret: 51 })).toEqual([
    409,
    'Entity h_Room: secret refers to an instance that does not exist',
  ]);
});
