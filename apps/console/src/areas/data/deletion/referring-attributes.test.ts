import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import type { Rights } from '@lintel/react';
import { referringAttributes } from './referring-attributes.ts';

const reference = (name: string, type: string, more: Partial<DetailedAttributeInfo> = {}) =>
  ({
    name,
    type,
    attributeType: 'ASSOCIATION',
    cardinality: 'MANY_TO_ONE',
    owning: true,
    persistent: true,
    ...more,
  }) as DetailedAttributeInfo;
const entity = (entityName: string, ancestor: string | null, ...properties: readonly DetailedAttributeInfo[]) =>
  [entityName, { entityName, ancestor, kind: 'entity', properties } as unknown as DetailedEntityInfo] as const;
const rights = (hidden: readonly string[]): Rights =>
  ({
    may: (name: string) => !hidden.includes(name),
    mayView: (name: string, attribute: string) => !hidden.includes(`${name}.${attribute}`),
  }) as unknown as Rights;
const entities = new Map([
  entity('Party', null),
  entity('Person', 'Party', reference('orders', 'Order', { cardinality: 'ONE_TO_MANY', owning: false })),
  entity(
    'Order',
    null,
    reference('buyer', 'Person'),
    reference('seller', 'Party'),
    reference('number', 'string', { attributeType: 'DATATYPE' }),
  ),
  entity('Note', null, reference('about', 'Party'), reference('computed', 'Party', { persistent: false })),
]);

test('references to the entity and to those that it extends are found, others and inverse ends are not', () => {
  const found = (target: string, hidden: readonly string[] = []) =>
    referringAttributes({ entities, rights: rights(hidden) }, target).map(
      ({ entity: name, attribute }) => `${name}.${attribute.name}`,
    );
  expect(found('Person')).toEqual(['Order.buyer', 'Order.seller', 'Note.about']);
  expect(found('Party')).toEqual(['Order.seller', 'Note.about']);
  expect(found('Person', ['Note', 'Order.seller'])).toEqual(['Order.buyer']);
});

test('dynamic references are found, by the right to the instance', () => {
  const [name, party] = entity('Task', null);
  const dynamic = [reference('+about', 'Party'), reference('+note', 'string', { attributeType: 'DATATYPE' })];
  const extended = new Map([
    ...entities,
    [name, { ...party, dynamicProperties: dynamic } as unknown as DetailedEntityInfo],
  ]);
  const found = (hidden: readonly string[]) =>
    referringAttributes({ entities: extended, rights: rights(hidden) }, 'Person').map(
      ({ attribute }) => attribute.name,
    );
  expect(found([])).toEqual(['buyer', 'seller', 'about', '+about']);
  expect(found(['Task'])).toEqual(['buyer', 'seller', 'about']);
});
