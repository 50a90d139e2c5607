import { type Application, defineApplication, withMessages } from '@lintel/application';
import { dateTime, integer, localDate, softDeletedEntity, standardEntity, string, toOne } from '@lintel/metadata';
import { compareWithModel, detectDrift, runMigrations, type SchemaMigration } from '@lintel/schema';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';
import { type DataFixture, startDataOn } from '../data-fixture.ts';

/** A clinic: one doctor has one visit at a time, unless it was cancelled. */
const application: Application = withMessages(
  defineApplication({
    id: 'clinic',
    name: 'Clinic',
    entities: [
      standardEntity('clinic_Doctor', {
        attributes: { name: string(50).unique('{msg://nameTaken}'), license: string(20) },
        indexes: [
          { attributes: ['license'], unique: true, expression: 'upper({license})', message: 'The license is known' },
          { attributes: ['name'], unique: false, method: 'gin', operatorClass: 'gin_trgm_ops' },
          { attributes: ['name'], unique: false, where: '{license} IS NULL' },
        ],
      }),
      standardEntity('clinic_Holiday', {
        attributes: { from: localDate(), to: localDate() },
        exclusions: { overlap: { period: ['from', 'to'], endIncluded: true } },
      }),
      softDeletedEntity('clinic_Visit', {
        attributes: {
          doctor: toOne('clinic_Doctor').mandatory(),
          startsAt: dateTime(),
          endsAt: dateTime(),
          state: string(10),
          price: integer(),
        },
        checks: { endAfterStart: '{startsAt} < {endsAt}', priced: { condition: '{price} >= 0', message: 'Not free' } },
        exclusions: {
          doubleBooking: { equal: ['doctor'], period: ['startsAt', 'endsAt'], where: `{state} <> 'CANCELLED'` },
        },
      }),
    ],
  }),
  [
    {
      locale: '',
      texts: {
        'clinic/nameTaken': 'Another doctor has this name',
        'clinic/Visit.endAfterStart': 'The visit ends before it starts',
        'clinic/Visit.doubleBooking': 'The doctor has another visit at this time',
      },
    },
  ],
);

let server: TestDatabase;
let data: DataFixture;
let migrations: readonly SchemaMigration[];

beforeAll(async () => {
  server = await createTestDatabase('clinic');
  const { up, down, warnings } = await compareWithModel({ url: server.url, model: application.model, migrations: [] });
  expect(warnings).toEqual([]);
  migrations = [{ name: '1795000000000-initial', up, down }];
  await runMigrations({ url: server.url, migrations });
  data = await startDataOn(server, application, { admin: { resourceRoles: ['system-full-access'], locale: 'en' } });
  await data.service.start();
});
afterAll(async () => {
  await data?.close();
  await server.drop();
});

const send = async (method: string, path: string, body?: object) => {
  const response = await data.send('admin', method, `/entities/${path}`, body);
  return { status: response.status, body: response.text === '' ? undefined : response.json() };
};
const at = (hour: number): string => `2026-11-28T${String(hour).padStart(2, '0')}:00:00`;

test('a database of the migrations has the declared checks, exclusions and indexes, and nothing is left to generate', async () => {
  expect(await detectDrift({ url: server.url, model: application.model, migrations })).toEqual({
    fits: true,
    findings: [],
    migrations: [],
  });
  expect((await compareWithModel({ url: server.url, model: application.model, migrations })).up).toEqual([]);
});

test('a violation has the text of the application, at the attributes that the constraint names (contract/writing.md#database-errors)', async () => {
  const doctor = (await send('POST', 'clinic_Doctor', { name: 'Ada', license: 'x1' })).body.id as string;
  const visit = (from: number, to: number, more: object = {}) =>
    send('POST', 'clinic_Visit', {
      doctor: { id: doctor },
      startsAt: at(from),
      endsAt: at(to),
      state: 'OPEN',
      ...more,
    });

  expect(await visit(9, 10)).toMatchObject({ status: 201 });
  expect(await visit(10, 11)).toMatchObject({ status: 201 });
  expect(await visit(9, 11, { state: 'CANCELLED' })).toMatchObject({ status: 201 });
  expect(await visit(10, 12)).toEqual({
    status: 409,
    body: { error: 'Unique constraint violation', details: 'The doctor has another visit at this time' },
  });

  const item = { message: 'The visit ends before it starts', messageTemplate: '{msg:///clinic/Visit.endAfterStart}' };
  expect(await visit(14, 13)).toMatchObject({ status: 400 });
  // Without the exclusion, whose range has no end before its start.
  expect(await visit(14, 14, { state: 'CANCELLED' })).toEqual({
    status: 400,
    body: [
      { ...item, path: 'startsAt', invalidValue: null },
      { ...item, path: 'endsAt', invalidValue: null },
    ],
  });
  expect(await visit(15, 16, { price: -1 })).toMatchObject({
    status: 400,
    body: [{ message: 'Not free', path: 'price' }],
  });

  expect(await send('POST', 'clinic_Doctor', { name: 'Ada' })).toMatchObject({
    status: 409,
    body: { details: 'Another doctor has this name' },
  });
  expect(await send('POST', 'clinic_Doctor', { name: 'Bob', license: 'X1' })).toMatchObject({
    status: 409,
    body: { details: 'The license is known' },
  });
});

test('a period to whose days its end belongs may be one day; the end is not before the start', async () => {
  const holiday = (from: number, to: number) =>
    send('POST', 'clinic_Holiday', { from: `2026-12-0${from}`, to: `2026-12-0${to}` });
  expect(await holiday(4, 4)).toMatchObject({ status: 201 });
  expect(await holiday(4, 4)).toMatchObject({ status: 409 });
  expect(await holiday(2, 4)).toMatchObject({ status: 409 });
  expect(await holiday(5, 6)).toMatchObject({ status: 201 });
  expect(await holiday(9, 8)).toMatchObject({ status: 400, body: [{ message: 'A period ends before it begins' }] });
});

test('a soft-deleted visit no longer excludes others', async () => {
  const doctor = (await send('POST', 'clinic_Doctor', { name: 'Eve' })).body.id as string;
  const book = () =>
    send('POST', 'clinic_Visit', { doctor: { id: doctor }, startsAt: at(9), endsAt: at(10), state: 'OPEN' });
  const first = await book();
  expect(await send('DELETE', `clinic_Visit/${first.body.id}`)).toMatchObject({ status: 204 });
  expect(await book()).toMatchObject({ status: 201 });
});
