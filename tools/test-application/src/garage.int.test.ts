import { readFileSync } from 'node:fs';
import { startApplication, type TestApplication } from './index.ts';

// The example application examples/garage.

const JOB = 'e0000000-0000-4000-8000-000000000001';
const MADRID = 'f0000000-0000-4000-8000-000000000002';

let garage: TestApplication;
beforeAll(async () => {
  garage = await startApplication({ application: '@lintel/example-garage' });
});
afterAll(() => garage.stop());

const numbersFor = async (user: string): Promise<readonly string[]> =>
  (await garage.as(user).get('/entities/garage_Job?sort=number'))
    .json()
    .map(({ number }: { readonly number: string }) => number);

test('a user sees and creates jobs of the own branch only', async () => {
  expect(await numbersFor('desk')).toEqual(['J-1001', 'J-1002']);
  expect(await numbersFor('lena')).toEqual(['J-1001']);
  const job = { number: 'J-1', car: { id: 'b0000000-0000-4000-8000-000000000001' }, complaint: 'Noise' };
  const of = (branch: object) => ({ ...job, receivedAt: '2026-11-22T08:00:00.000', ...branch });
  const other = await garage.as('lena').post('/entities/garage_Job', of({ branch: { id: MADRID } }));
  expect(other.status).toBe(403);
  expect((await garage.as('lena').post('/entities/garage_Job', of({}))).status).toBe(403);
});

test('a user chooses a branch for the session', async () => {
  const otto = garage.as('otto');
  expect(await numbersFor('otto')).toEqual([]);
  expect((await otto.post('/services/garage_Branches/choose', { branch: MADRID })).text).toBe('Garage Madrid');
  expect(await numbersFor('otto')).toEqual(['J-1002']);
  expect((await otto.post('/services/garage_Branches/choose', { branch: JOB })).status).toBe(404);
  expect(await numbersFor('otto')).toEqual(['J-1002']);
  await otto.post('/services/garage_Branches/choose', {});
  expect(await numbersFor('otto')).toEqual([]);
});

test('measurements are checked by their JSON Schema, and found by a path', async () => {
  const mia = garage.as('mia');
  const path = `/entities/garage_Job/${JOB}`;
  const tread = (...tyreTread: readonly unknown[]) =>
    mia.put(path, { measurements: { tyreTread, brakePads: { front: 2 } } });
  expect((await tread(4, 4, 3.5, 3.5)).status).toBe(200);
  const wrong = await tread(4, -1, 3.5, 3.5);
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('measurements.tyreTread[1]')]);
  const search = (limit: number) => {
    const filter = { conditions: [{ property: 'measurements.brakePads.front', operator: '<', value: limit }] };
    return mia.get(`/entities/garage_Job/search?filter=${encodeURIComponent(JSON.stringify(filter))}`);
  };
  expect((await search(3)).json()).toEqual([expect.objectContaining({ id: JOB })]);
  expect((await search(2)).json()).toEqual([]);
});

const CAR = 'b0000000-0000-4000-8000-000000000001';
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

// Asserts contract/mail.md#sending and contract/jobs.md#schedules.
test('owners get one mail two weeks before an inspection', async () => {
  for (const { id } of await garage.data.loadList('garage_Car'))
    await garage.data.update('garage_Car', id, { inspectionDue: null });
  const due = inDays(16);
  await garage.data.update('garage_Car', CAR, { inspectionDue: due });
  await garage.travel({ days: 1 });
  expect(await garage.mails()).toEqual([]);
  await garage.travel({ days: 1 });
  await garage.travel({ days: 1 });
  expect(await garage.mails()).toEqual([
    expect.objectContaining({ to: 'nora@example.com', subject: 'Inspection of B-NB 412' }),
  ]);
  expect((await garage.mails())[0]?.text).toBe(`Dear Nora Brandt,\n\nB-NB 412 is due on ${due}.\n`);
});

// Asserts contract/events.md#became and #publish.
test('other systems get to know once that a car is ready', async () => {
  await garage.handled();
  garage.events.clear();
  await garage.data.update('garage_Job', JOB, { status: 'IN_PROGRESS' });
  expect(await garage.handled()).toEqual([]);
  const [mechanic] = await garage.data.loadList('garage_Mechanic', { limit: 1 });
  await garage.data.update('garage_Job', JOB, { status: 'DONE', mechanic: { id: mechanic?.id } });
  await garage.data.update('garage_Job', JOB, { complaint: 'None' });
  const subject = `garage_Job/${JOB}`;
  expect(await garage.handled()).toEqual([
    { handler: 'car-ready', type: 'data.entity.changed.v1', subject, attempt: 1 },
  ]);
  const published = garage.events.list().filter(({ type }) => type === 'garage.car-ready.v1');
  expect(published).toEqual([expect.objectContaining({ source: '/garage', subject, data: { plate: 'B-NB 412' } })]);
});

test('the guide to mail shows this test and its application', () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8').replaceAll(/^ +/gm, '');
  const sources = ['garage.int.test.ts', '../../../examples/garage/src/cars/inspection-reminders.ts'].map(read).join();
  const blocks = [...read('../../../docs/guide/mail.md').matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  expect(blocks.length).toBe(3);
  for (const block of blocks) expect(sources).toContain(block);
});
