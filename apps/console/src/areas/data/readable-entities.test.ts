import { listedEntities, readableEntities } from './readable-entities.ts';

const entityOf = (entityName: string, kind: string) => [entityName, { entityName, kind }] as const;
const model = {
  entities: new Map([
    entityOf('Order', 'entity'),
    entityOf('Address', 'embeddable'),
    entityOf('Quote', 'dto'),
    entityOf('Customer', 'entity'),
    entityOf('Salary', 'entity'),
  ]),
  captions: { Customer: 'Buyer', Order: 'Purchase' },
  rights: { may: (name: string) => name !== 'Salary' },
} as never;

test('entities, embeddables and DTOs that the user may read are sorted by their captions', () => {
  expect(readableEntities(model, 'en').map(({ entityName }) => entityName)).toEqual([
    'Address',
    'Customer',
    'Order',
    'Quote',
  ]);
});

test('embeddables and DTOs have no lists', () => {
  expect(listedEntities(model, 'en').map(({ entityName }) => entityName)).toEqual(['Customer', 'Order']);
});
