import { defineApplication } from '@lintel/application';
import { boolean, embeddable, embedded, enumeration, enumOf, keyedEntity, uuid } from '@lintel/metadata';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { databaseChecks } from './database-checks.ts';

const State = enumeration('x.State', { OPEN: 'O', CLOSED: 'C' });
const Level = enumeration('x.Level', { LOW: 10, HIGH: 20 });
const application = defineApplication({
  id: 'x',
  name: 'X',
  enums: [State, Level],
  entities: [
    embeddable('x_Rating', { attributes: { level: enumOf(Level) } }),
    keyedEntity('x_Ticket', {
      key: 'id',
      attributes: {
        id: uuid(),
        state: enumOf(State),
        rating: embedded('x_Rating'),
        isUrgent: boolean({ true: 'Y', false: 'N' }),
      },
    }),
    keyedEntity('x_Later', { key: 'id', attributes: { id: uuid(), state: enumOf(State) } }),
  ],
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('cli_stored_values');
  await database.query(`CREATE SCHEMA x;
    CREATE TABLE x.ticket (id uuid PRIMARY KEY, state varchar(50), rating_level integer, is_urgent varchar(1));
    INSERT INTO x.ticket VALUES (gen_random_uuid(), 'O', 20, 'N'), (gen_random_uuid(), NULL, NULL, 'Y')`);
});
afterAll(() => database.drop());

test('stored codes that no constant has any more are named, because they are read as null', async () => {
  const check = databaseChecks({ url: () => database.url, application: () => application }).find(
    ({ id }) => id === 'database.values',
  );
  expect(await check?.run()).toEqual({ status: 'ok', detail: 'no unknown one is stored' });
  await database.query(
    `INSERT INTO x.ticket VALUES (gen_random_uuid(), 'X', 30, 'Q'), (gen_random_uuid(), 'X''', 30, 'Q')`,
  );
  expect(await check?.run()).toMatchObject({
    status: 'warning',
    detail: `read as null: "x"."ticket"."state": 'X', 'X'''; "x"."ticket"."rating_level": '30'; "x"."ticket"."is_urgent": 'Q'`,
  });
});
