import { randomUUID } from 'node:crypto';
import { defineApplication, mail, REPORT_DELIVERY_MAIL } from '@lintel/application';
import { REPORT_DELIVERY_JOB } from '@lintel/entities';
import { createDatabase, storeJobQueue } from '@lintel/persistence';
import { cloneTestDatabase } from '@lintel/testkit';
import { deliveryJobs } from '../../src/report-deliveries/delivery-job.ts';
import { lockDue } from '../../src/report-deliveries/delivery-store.ts';
import { schemaOf } from '../schema-of.ts';

const application = defineApplication({
  id: 'd',
  name: 'Deliveries',
  entities: [],
  mails: [
    mail(REPORT_DELIVERY_MAIL, {
      templates: { en: { subject: '{{ name }}', text: '{{ document }}' } },
      example: { name: 'a', document: 'b' },
    }),
  ],
});
const testDatabase = await cloneTestDatabase(schemaOf(application.model), 'report-deliveries');
const database = createDatabase({
  url: testDatabase.url,
  maxConnections: 2,
  statementTimeoutMs: 60_000,
  applicationName: 'report-deliveries-test',
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const addDelivery = (id: string, owner: string, nextRun: string) =>
  testDatabase.query(
    `INSERT INTO sys.report_delivery
       (id, version, name, report, recipients, schedule, time_zone, active, owner, owner_id, next_run)
     VALUES ($1, 1, 'a', 'gone', 'a@example.com', '0 1 * * *', 'UTC', true, $2, $1, $3::timestamp)`,
    [id, owner, nextRun],
  );

// Asserts contract/mail.md#reports.
test('a refused report is not run again when its owner cannot be notified', async () => {
  const asked: string[] = [];
  const warnings: string[] = [];
  const [job] = deliveryJobs({
    ports: {
      application,
      database,
      clock: { now: () => 0 },
      ids: { next: randomUUID },
      authAdministration: { call: async () => ({ jwt: 'a', expiresAt: 1 }) },
      reports: {
        async sendJson(path) {
          asked.push(path);
          return { status: 404, headers: {}, body: { error: 'Entity not found' } };
        },
      },
    },
    write: {} as never,
  });
  const delivery = randomUUID();
  await addDelivery(delivery, 'ada', '2030-01-01');
  await testDatabase.query('ALTER TABLE sys.notification RENAME TO notification_away');
  await job?.handler({
    args: { delivery } as never,
    data: {} as never,
    signal: new AbortController().signal,
    log: { info: () => {}, warn: (text) => warnings.push(text) },
    run: { id: randomUUID(), attempt: 1 },
    progress: () => {},
  });
  expect([asked, warnings]).toEqual([['/rest/reports/run/code/gone'], [expect.stringContaining('notified')]]);
  expect(await testDatabase.query('SELECT last_error FROM sys.report_delivery WHERE last_error IS NOT NULL')).toEqual([
    { last_error: '404 Entity not found' },
  ]);
});

// Asserts contract/mail.md#reports.
test('the reports of an owner who had 50 runs in the last 55 minutes wait', async () => {
  const [many, few] = [randomUUID(), randomUUID()];
  await addDelivery(many, 'many', '2026-01-01T10:00:00');
  await addDelivery(few, 'few', '2026-01-01T10:00:00');
  const addRuns = (owner: string, runs: number) =>
    testDatabase.query(
      `INSERT INTO job.job (name, group_id, created_on)
       SELECT $1, $2, '2026-01-01T10:00:30Z' FROM generate_series(1, $3)`,
      [REPORT_DELIVERY_JOB.name, owner, runs],
    );
  await storeJobQueue(database, REPORT_DELIVERY_JOB);
  await addRuns('many', 50);
  await addRuns('few', 49);
  const dueAt = async (time: string) => (await lockDue(database, time)).map(({ owner }) => owner).toSorted();
  expect(await dueAt('2026-01-01T10:55:00')).toEqual(['few']);
  expect(await dueAt('2026-01-01T10:56:00')).toEqual(['few', 'many']);
});
