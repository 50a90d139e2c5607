import { defineApplication } from '@lintel/application';
import sales from '@lintel/example-sales';
import { type OrmSession, openDataSource } from '@lintel/persistence';
import { ENTITIES, ENUMS } from '../existing-tables/shop/index.ts';
import { shop } from './shop-application.ts';

const refuse = (): Promise<never> => Promise.reject(new Error('no statement is run'));

const session: OrmSession = {
  username: 'test',
  now: () => '',
  newId: () => '',
  isGuarded: () => false,
  assertOpen: () => {},
  run: refuse,
  begin: refuse,
};

const existing = defineApplication({ id: 'e', name: 'Existing', entities: ENTITIES, enums: ENUMS });

test.each([
  ['the example', sales],
  ['existing tables', existing],
  ['all kinds of attributes', shop],
])('every entity of %s with a key has a schema with its table', async (_name, { model }) => {
  const db = await openDataSource(model, session);
  const stored = [...model.entities.values()].filter(({ kind }) => kind === 'entity');
  const entities = stored.filter(({ key }) => key !== undefined).map(({ name }) => name);
  // TypeORM has no entities without a key.
  expect(stored.filter(({ name, key }) => db.hasMetadata(name) !== (key !== undefined))).toEqual([]);
  // Statements can be built for each schema.
  for (const name of entities) expect(db.createQueryBuilder(name, 'e').getQuery()).toMatch(/^SELECT .* FROM "[a-z]/);
});

test('columns that a reference shares with other attributes are selected once', async () => {
  const db = await openDataSource(existing.model, session);
  expect(
    db
      .createQueryBuilder('shop_OrderItem', 'e')
      .getQuery()
      .match(/"e"\."order_id"/g),
  ).toHaveLength(1);
});

test('metadata is built once per model', async () => {
  const [one, other] = [await openDataSource(sales.model, session), await openDataSource(sales.model, session)];
  expect(one).not.toBe(other);
  expect(one.entityMetadatas).toBe(other.entityMetadatas);
});
