import type { TestApplication } from '@lintel/test';
import { useEveryEntity } from './every-entity.ts';
import { statementsOf } from './existing-database.ts';
import { GIVEN, ROWS } from './given.ts';
import { type TakenOver, takeOver } from './taken-over.ts';

const IDENTITIES = `SELECT attrelid::regclass::text AS table, attname, attidentity FROM pg_attribute WHERE attidentity <> ''`;

// What the guide says of tables that are taken over, with the commands of the guide.

describe.each(['chinook', 'northwind', 'pagila', 'names', 'warehouse'])('the tables of %s', (name) => {
  let taken: TakenOver;
  let application: TestApplication;
  beforeAll(async () => {
    taken = await takeOver(name, statementsOf(name), {
      more: ['--with-references'],
      rows: ROWS[name] ?? [],
    });
    application = await taken.start();
  }, 400_000);
  afterAll(async () => {
    await application?.stop();
    await taken?.close();
  });

  test('are made in an empty database, where every entity can be used', async () => {
    expect(await useEveryEntity(taken.model, application.as('admin'), GIVEN[name])).toEqual([]);
  }, 400_000);

  test('fit the migration, and the model: nothing is left to do', async () => {
    const url = `--url=${taken.database.url}`;
    const identities = await taken.database.query(IDENTITIES);
    const checked = await taken.lintel('migrate', 'check', url);
    expect([checked.code, checked.output]).toEqual([0, expect.stringContaining('make exactly the schema')]);
    const recorded = await taken.lintel('migrate', 'baseline', url, `--to=${taken.migration}`);
    expect([recorded.code, recorded.output]).toEqual([0, expect.stringContaining(taken.migration)]);
    const ran = await taken.lintel('migrate', 'run', url);
    expect([ran.code, ran.output]).toEqual([0, expect.any(String)]);
    const drift = await taken.lintel('migrate', 'drift', url);
    expect([drift.code, drift.output]).toEqual([0, expect.any(String)]);
    expect(await taken.database.query(IDENTITIES)).toEqual(expect.arrayContaining(identities));
  }, 400_000);
});
