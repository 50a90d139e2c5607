import { defineApplication, entityListener, restMethod, service, t } from '@lintel/application';
import { keyedEntity, string } from '@lintel/metadata';
import { type DataFixture, startData } from '../data-fixture.ts';

const Location = keyedEntity('p_Location', { key: 'code', attributes: { code: string(10), name: string(20) } });

const application = defineApplication({
  id: 'p',
  name: 'Locations',
  entities: [Location],
  listeners: [
    // Counts the changes of the name in a dynamic attribute.
    entityListener({
      entity: 'p_Location',
      afterSave: async ({ change, id, before, after }, { data }) => {
        if (change === 'deleted' || before?.['name'] === after?.['name']) return;
        const location = await data.load('p_Location', id, { dynamicAttributes: true });
        await data.update('p_Location', id, { '+visits': Number(location?.['+visits'] ?? 0) + 1 });
      },
    }),
  ],
  services: [
    service('p_Locations', {
      one: restMethod({ params: { code: t.string }, returns: t.object }, async ({ code }, { data }) => ({
        location: await data.load('p_Location', code, { fetchPlan: '_local', dynamicAttributes: true }),
        plain: await data.load('p_Location', code, { fetchPlan: '_local' }),
      })),
      all: restMethod({ returns: t.any }, (_none, { data }) =>
        data.loadList('p_Location', { sort: 'code', fetchPlan: '_local', dynamicAttributes: true }),
      ),
      types: restMethod({ params: { code: t.string }, returns: t.string }, async ({ code }, { data }) => {
        const location = await data.load('p_Location', code, { dynamicAttributes: true });
        return ['+price', '+visits', '+prices'].map((name) => JSON.stringify(location?.[name])).join(' ');
      }),
      write: restMethod({ params: { code: t.string, price: t.decimal } }, ({ code, price }, { data }) =>
        data.update('p_Location', code, { '+price': price, '+prices': [price], '+near': { id: code } }),
      ),
      remove: restMethod({ params: { code: t.string } }, ({ code }, { data }) => data.remove('p_Location', code)),
    }),
  ],
});

let data: DataFixture;
beforeAll(async () => {
  data = await startData(application, { admin: { resourceRoles: ['system-full-access'] } });
  const categoryAttrs = [
    { name: 'Visits', code: 'visits', dataType: 'INTEGER' },
    { name: 'Price', code: 'price', dataType: 'DECIMAL' },
    { name: 'Prices', code: 'prices', dataType: 'DECIMAL', isCollection: true },
    { name: 'Near', code: 'near', dataType: 'ENTITY', entityClass: 'p_Location' },
  ].map((each, orderNo) => ({ ...each, orderNo }));
  const body = { name: 'Locations', entityType: 'p_Location', categoryAttrs };
  expect((await data.send('admin', 'POST', '/entities/dynat_Category', body)).status).toBe(201);
  await data.send('admin', 'POST', '/entities/p_Location', { code: 'A', name: 'Alm' });
});
afterAll(() => data.close());

const call = (method: string, parameters: object = {}) =>
  data.send('admin', 'POST', `/services/p_Locations/${method}`, parameters);

test('application code reads dynamic attributes on request, and writes them', async () => {
  expect((await call('write', { code: 'A', price: '1.50' })).status).toBe(204);
  const one = (await call('one', { code: 'A' })).json();
  expect(one.location).toMatchObject({ name: 'Alm', '+visits': 1, '+near': { id: 'A' } });
  expect(one.plain).not.toHaveProperty('+visits');
  expect((await call('all')).json()).toEqual([expect.objectContaining({ code: 'A', '+visits': 1 })]);
});

test('decimals are exact texts, integers are numbers', async () => {
  expect((await call('types', { code: 'A' })).text).toBe('"1.50" 1 ["1.50"]');
});

test('a listener reads and writes dynamic attributes in the transaction of the change', async () => {
  const updated = await data.send('admin', 'PUT', '/entities/p_Location/A', { name: 'Alp' });
  expect(updated.json()).toMatchObject({ '+visits': 2 });
});

test('removing an instance in application code removes its dynamic values', async () => {
  const values = () => data.query(`SELECT 1 FROM dynat.attribute_value WHERE owner_key = 'A'`);
  expect(await values()).not.toHaveLength(0);
  expect((await call('remove', { code: 'A' })).status).toBe(204);
  expect(await values()).toHaveLength(0);
});
