import type { Database, Statement, Transaction } from '../database.ts';
import { createSplitDatabase } from './create-split-database.ts';

/** A database that records the texts it runs. */
function recorded() {
  const texts: string[] = [];
  const sent: string[] = [];
  const query = async <R extends object>({ text }: Statement): Promise<readonly R[]> => {
    texts.push(text);
    return [];
  };
  const transaction = { query, send: ({ text }: Statement) => void sent.push(text) } as unknown as Transaction;
  const database = {
    query,
    transaction: (work: (transaction: Transaction) => Promise<unknown>) => work(transaction),
  } as unknown as Database;
  return { texts, sent, database };
}

const OWN = { text: 'SELECT FROM "public"."film" "f"', values: [] };
const OTHER = { text: `SELECT FROM "sec"."user" "u" WHERE "u"."name" = '"x"'`, values: [] };

function setUp(schemas: readonly string[] = ['public', 'a.b']) {
  const platform = recorded();
  const application = recorded();
  const split = createSplitDatabase({ platform: platform.database, application: application.database, schemas });
  return { platform, application, split };
}

test('a statement that names a table of the application runs there, and no other', async () => {
  const { platform, application, split } = setUp();
  await split.query(OWN);
  await split.query(OTHER);
  await split.query({ text: 'SELECT FROM "a.b"."x"', values: [] });
  await split.query({ text: 'SELECT FROM "aXb"."x"', values: [] });
  expect(application.texts).toEqual([OWN.text, 'SELECT FROM "a.b"."x"']);
  expect(platform.texts).toEqual([OTHER.text, 'SELECT FROM "aXb"."x"']);
});

test('in a transaction statements of the application run outside of it, and cannot write', async () => {
  const { platform, application, split } = setUp();
  await split.transaction(async (transaction) => {
    await transaction.query(OWN);
    await transaction.query(OTHER);
    transaction.send(OTHER);
    expect(() => transaction.send(OWN)).toThrow('can only be read');
  });
  expect(application.texts).toEqual([OWN.text]);
  expect([platform.texts, platform.sent]).toEqual([[OTHER.text], [OTHER.text]]);
});

test('without tables of the application everything runs in the database of the platform', async () => {
  const { platform, split } = setUp([]);
  await split.query(OWN);
  expect(platform.texts).toEqual([OWN.text]);
});
