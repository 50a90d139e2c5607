import type { Paths } from '@lintel/client';
import { listRequest } from './entity-requests.ts';

const bodyOf = (property: string, { sort = 'name', showsDynamic = false } = {}): unknown => {
  const filter = { conditions: [{ property, operator: 'isNull' }] };
  const list = { entityName: 'sales_Customer', filter, sort, plan: { name: true }, showsDynamic, limit: 10 };
  return listRequest({ entities: '/rest/entities' } as Paths, list).body;
};

test('the request for a list asks for dynamic attributes where its filter, its sort or a column is one', () => {
  expect(bodyOf('name')).not.toHaveProperty('dynamicAttributes');
  expect(bodyOf('customer.+vip')).toMatchObject({ sort: 'name', limit: 10, dynamicAttributes: true });
  expect(bodyOf('name', { sort: '-+vip' })).toMatchObject({ sort: '-+vip', dynamicAttributes: true });
  expect(bodyOf('name', { showsDynamic: true })).toMatchObject({ dynamicAttributes: true });
});
