import { bindApplication } from '@lintel/application';
import { type DataFixture, startData } from '../data-fixture.ts';
import { clinic } from '../security/clinic-application.ts';

let data: DataFixture;
beforeAll(async () => {
  // The declaration is all that the application needs.
  const entities = (clinic.entities ?? []).map((one) => (one.name === 'c_Patient' ? { ...one, history: {} } : one));
  const full = { resourceRoles: ['system-full-access'] };
  data = await startData(bindApplication({ ...clinic, entities }, []), {
    admin: full,
    german: { ...full, rowLevelRoles: ['own', 'cheap'], attributes: { country: 'DE' } },
  });
});
afterAll(() => data.close());

const send = async (method: string, path: string, body?: unknown, user = 'admin') => {
  const response = await data.send(user, method, path, body);
  expect([path, response.status < 300, response.text]).toEqual([path, true, expect.anything()]);
  return response;
};
const plan = (properties: unknown) => encodeURIComponent(JSON.stringify({ entity: 'c_Patient', properties }));

// Asserts contract/history.md#recorded, contract/history.md#changes, contract/history.md#at.
test('a clinic has histories of its patients, with all children and under its row-level policies', async () => {
  const items = [
    { name: 'cheap', price: 10 },
    { name: 'dear', price: 500 },
  ];
  const { id } = (
    await send('POST', '/entities/c_Patient', {
      ...{ name: 'Ada', country: 'DE', treatments: [{ name: 'x-ray', items }], chart: { name: 'chart' } },
    })
  ).json();
  const [{ time }] = (await send('GET', `/history/c_Patient/${id}`)).json();
  await data.query(`UPDATE c.item SET name = name || ' 2'`);
  await send('PUT', `/entities/c_Patient/${id}`, { name: 'Bea', country: 'FR' });
  const all = (await send('GET', `/history/c_Patient/${id}`)).json();
  expect(
    all.map(({ operation, user, databaseUser }: Record<string, string>) => [operation, user ?? typeof databaseUser]),
  ).toEqual([
    ['updated', 'admin'],
    ['updated', 'string'],
    ['created', 'admin'],
  ]);
  expect(all[1].children[0].children).toHaveLength(2);
  // The patient is French now; what the caller may see of it ends with the move.
  const shown = (await send('GET', `/history/c_Patient/${id}`, undefined, 'german')).json();
  expect(shown.map(({ operation }: { operation: string }) => operation)).toEqual(['deleted', 'updated', 'created']);
  expect(JSON.stringify(shown)).not.toMatch(/dear|Bea/);
  const children = { name: 'treatments', fetchPlan: { properties: [{ name: 'items', fetchPlan: '_local' }] } };
  const at = `/history/c_Patient/${id}/at?time=${time}&fetchPlan=${plan(['name', children])}`;
  const former = (await send('GET', at, undefined, 'german')).json();
  expect([former.name, former.treatments[0].items.map(({ name }: { name: string }) => name)]).toEqual([
    'Ada',
    ['cheap'],
  ]);
  await send('POST', `/history/c_Patient/${id}/restore`, { time });
  expect((await send('GET', `/entities/c_Patient/${id}`)).json()).toMatchObject({ name: 'Ada', country: 'DE' });
});
