import { defineApplication } from '@lintel/application';
import { standardEntity, string } from '@lintel/metadata';
import { type DataFixture, startData } from '../data-fixture.ts';

const attributes = { name: string(20) };
const application = defineApplication({
  id: 'k',
  name: 'Records',
  entities: [
    standardEntity('k_Short', { attributes, history: { retention: 'P1Y' }, accessLog: { retention: 'P1Y' } }),
    standardEntity('k_Long', { attributes, history: true }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  const users = { admin: { resourceRoles: ['system-full-access'] } };
  data = await startData(application, users, {}, undefined, { runsJobsOnDemand: true });
  await data.service.start();
});
afterAll(() => data.close());

/** Runs the job as if a day had passed. */
async function nextDay() {
  const passed = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-01-02T00:00:00Z') };
  return data.service.runDueJobs({ jobs: ['lintel.records'], passed });
}
const partitions = async () =>
  (
    await data.query(`SELECT relname FROM pg_class
      WHERE relname ~ '^(access|change|entry)_\\d{4}_\\d\\d$' AND relkind = 'r' ORDER BY 1`)
  ).map(({ relname }) => String(relname));

// Asserts contract/history.md#retention, contract/access-log.md#access-log-retention.
test('each day the job makes the next partitions, and deletes what is past its retention', async () => {
  const made = await partitions();
  expect(made).toHaveLength(9);
  for (const name of made.slice(-3)) await data.query(`DROP TABLE history.${name}`);
  for (const name of ['Short', 'Long']) {
    await data.query(`INSERT INTO k.${name.toLowerCase()} (id, version, name) VALUES (gen_random_uuid(), 1, 'old')`);
    await data.query(`INSERT INTO k.${name.toLowerCase()} (id, version, name) VALUES (gen_random_uuid(), 1, 'new')`);
  }
  for (const table of ['change', 'entry'])
    await data.query(`UPDATE history.${table} x SET recorded_at = '2001-02-03Z' FROM history.entry e
      WHERE e.after ->> 'name' = 'old' AND ${table === 'change' ? 'x.id = e.change_id' : 'x.id = e.id'}`);
  for (const time of [`'2001-02-03Z'`, 'now()'])
    await data.query(`INSERT INTO history.access (id, recorded_at, username, operation, entity, count)
      VALUES (gen_random_uuid(), ${time}, 'ada', 'list', 'k_Short', 0)`);

  expect(await nextDay()).toEqual([{ job: 'lintel.records', id: expect.any(String), attempt: 1 }]);
  expect(await partitions()).toEqual(made);
  const entries = await data.query(`SELECT source, after ->> 'name' AS name FROM history.entry ORDER BY 1, 2`);
  expect(entries.map(({ source, name }) => `${source} ${name}`)).toEqual(['k.long new', 'k.long old', 'k.short new']);
  expect(await data.query('SELECT count(*)::int AS changes FROM history.change')).toEqual([{ changes: 3 }]);
  expect(await data.query('SELECT count(*)::int AS reads FROM history.access')).toEqual([{ reads: 1 }]);
  await nextDay();
  expect(await data.query('SELECT count(*)::int AS changes FROM history.change')).toEqual([{ changes: 3 }]);
});
