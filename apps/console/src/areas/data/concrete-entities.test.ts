import type { DetailedEntityInfo } from '@lintel/client';
import { concreteEntitiesOf } from './concrete-entities.ts';

const entity = (entityName: string, ancestor: string | null, abstract = false) =>
  [
    entityName,
    { entityName, ancestor, abstract, kind: 'entity', properties: [] } as unknown as DetailedEntityInfo,
  ] as const;
const entities = new Map([
  entity('Party', null, true),
  entity('Company', 'Party'),
  entity('Bank', 'Company'),
  entity('Person', 'Party'),
  entity('Order', null),
]);
const model = { entities, rights: { may: (name: string) => name !== 'Person' } };

test('new instances are of the entity itself or of those that extend it, as far as they may be created', () => {
  expect(concreteEntitiesOf(model, 'Party')).toEqual(['Company', 'Bank']);
  expect(concreteEntitiesOf(model, 'Company')).toEqual(['Company', 'Bank']);
  expect(concreteEntitiesOf(model, 'Order')).toEqual(['Order']);
  expect(concreteEntitiesOf(model, 'Person')).toEqual([]);
});
