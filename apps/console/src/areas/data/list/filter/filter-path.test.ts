import type { AttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { createRights, type PathModel } from '@lintel/react';
import { resolveColumn } from '../../paths/resolve-dynamic.ts';
import { resolveFilterPath, withInside } from './filter-path.ts';

const attribute = (name: string, type: string, more: Partial<AttributeInfo> = {}) =>
  ({
    name,
    type,
    attributeType: 'DATATYPE',
    cardinality: 'NONE',
    persistent: true,
    description: name,
    ...more,
  }) as AttributeInfo;
const dynamic = (name: string, type: string, more: Partial<AttributeInfo> = {}) => ({
  ...attribute(name, type, more),
  dynamic: true,
  category: 'Test',
});
const entity = (entityName: string, properties: readonly AttributeInfo[], dynamicProperties: readonly object[] = []) =>
  [entityName, { entityName, properties, dynamicProperties } as unknown as DetailedEntityInfo] as const;
const model: PathModel = {
  captions: { 'Order.customer': 'Customer' },
  entities: new Map([
    entity('Order', [
      attribute('data', 'json'),
      attribute('hidden', 'json'),
      attribute('number', 'string'),
      attribute('customer', 'Customer', { attributeType: 'ASSOCIATION', cardinality: 'MANY_TO_ONE' }),
    ]),
    entity(
      'Customer',
      [attribute('profile', 'json')],
      [
        dynamic('+vip', 'boolean', { description: 'Is important' }),
        dynamic('+secret', 'Secret', { attributeType: 'ASSOCIATION' }),
        dynamic('+friend', 'Customer', { attributeType: 'ASSOCIATION' }),
      ],
    ),
    entity('Secret', []),
  ]),
  rights: createRights({
    authorities: [],
    entities: ['Order', 'Customer'].map((name) => ({ target: `${name}:read`, value: 1 })),
    entityAttributes: ['Order:data', 'Order:number', 'Order:customer', 'Customer:profile'].map((target) => ({
      target,
      value: 1,
    })),
    specifics: [],
  }),
};
const found = (path: string) => resolveFilterPath(model, 'Order', path);

test.each([
  ['data', 'data', ''],
  ['data.tags.0', 'data', 'tags.0'],
  ['customer.profile.address.city', 'customer.profile', 'address.city'],
  ['number', 'number', undefined],
])('%s leads to %s, and inside of it to %s', (path, base, inside) => {
  expect(found(path)).toMatchObject({ path, base, inside });
});

test('a dynamic attribute ends a path, and has the caption that an administrator has given', () => {
  expect(found('customer.+vip')).toMatchObject({
    owner: 'Customer',
    caption: 'Customer › Is important',
    isMany: false,
  });
  expect(found('customer.+friend')?.attribute.type).toBe('Customer');
});

test.each([
  'hidden.a',
  'number.a',
  'customer.+none',
  '+vip',
  'customer.+vip.x',
  'customer.+friend.profile',
  'customer.+secret',
])('%s leads to nothing that the user may see', (path) => {
  expect(found(path)).toBeUndefined();
});

test('a path inside is appended, an empty one is the value itself', () => {
  expect([withInside('data', ' a.b '), withInside('data', '  ')]).toEqual(['data.a.b', 'data']);
});

test('a column is an attribute or a dynamic attribute of one row, as far as the user may see it', () => {
  const column = (path: string) => resolveColumn(model, 'Order', path)?.caption;
  expect(['customer', 'customer.+vip', 'customer.+secret', '+vip', 'hidden'].map(column)).toEqual([
    'Customer',
    'Customer › Is important',
    undefined,
    undefined,
    undefined,
  ]);
});
