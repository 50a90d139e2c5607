import type { Paths } from '@lintel/client';
import { listRequest } from './entity-requests.ts';

const bodyOf = (property: string): unknown => {
  const filter = { conditions: [{ property, operator: 'isNull' }] };
  const list = { entityName: 'sales_Customer', filter, sort: 'name', plan: { name: true }, limit: 10 };
  return listRequest({ entities: '/rest/entities' } as Paths, list).body;
};

test('the request for a list asks for dynamic attributes where its filter names one', () => {
  expect(bodyOf('name')).not.toHaveProperty('dynamicAttributes');
  expect(bodyOf('customer.+vip')).toMatchObject({ sort: 'name', limit: 10, dynamicAttributes: true });
});
