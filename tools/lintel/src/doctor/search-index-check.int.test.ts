import { defineApplication } from '@lintel/application';
import { fileRef, keyedEntity, string, uuid } from '@lintel/metadata';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { databaseChecks } from './database-checks.ts';

const application = defineApplication({
  id: 'x',
  name: 'X',
  entities: [
    keyedEntity('x_Case', {
      key: 'id',
      table: { schema: 'legacy', name: 'CASES' },
      attributes: {
        id: uuid(),
        title: string(50),
        document: fileRef().column('Doc'),
        scan: fileRef().column('scan'),
      },
    }),
  ],
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('cli_search_indexes');
  await database.query('CREATE SCHEMA legacy');
  await database.query('CREATE TABLE legacy."CASES" (id uuid PRIMARY KEY, title text, "Doc" text, scan varchar(200))');
});
afterAll(() => database.drop());

test('file references in tables of others without a search index are named, with the statement that creates it', async () => {
  const check = databaseChecks({ url: () => database.url, application: () => application }).find(
    ({ id }) => id === 'database.search-indexes',
  );
  const found = await check?.run();
  expect(found).toEqual({
    status: 'warning',
    detail: 'missing: "legacy"."CASES" (Doc), "legacy"."CASES" (scan)',
    remedy: 'CREATE INDEX CONCURRENTLY ON "legacy"."CASES" (lower(("Doc")::text) text_pattern_ops)',
  });
  await database.query(found?.remedy ?? '');
  // Another index is of no use.
  await database.query('CREATE INDEX ON legacy."CASES" (scan)');
  expect((await check?.run())?.detail).toBe('missing: "legacy"."CASES" (scan)');
  await database.query('CREATE INDEX ON legacy."CASES" (lower(scan) text_pattern_ops)');
  expect(await check?.run()).toEqual({ status: 'ok', detail: '2 found' });
});
