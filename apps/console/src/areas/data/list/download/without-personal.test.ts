import type { DetailedAttributeInfo } from '@lintel/client';
import { type PathModel, type ResolvedPath, resolvePath } from '@lintel/react';
import { withoutPersonal } from './without-personal.ts';

const attribute = (name: string, more: Partial<DetailedAttributeInfo> = {}) => ({
  ...{ name, attributeType: 'DATATYPE', type: 'string', cardinality: 'NONE', persistent: true },
  ...more,
});
const entity = (entityName: string, nameAttributes: readonly string[], ...properties: object[]) =>
  [entityName, { entityName, ancestor: null, nameAttributes, properties }] as const;
const reference = { attributeType: 'ASSOCIATION', cardinality: 'MANY_TO_ONE' } as const;

const modelFor = (...permissions: readonly string[]): PathModel =>
  ({
    entities: new Map([
      entity('e_Order', [], attribute('number'), attribute('customer', { ...reference, type: 'e_Customer' })),
      entity(
        'e_Customer',
        ['name'],
        ...[attribute('name', { personal: true }), attribute('grade')],
        attribute('address', { attributeType: 'EMBEDDED', type: 'e_Address', personal: true }),
      ),
      entity('e_Address', [], attribute('city')),
    ]),
    captions: new Map(),
    rights: { has: (name: string) => permissions.includes(name), may: () => true, mayView: () => true },
  }) as unknown as PathModel;
const PATHS = ['number', 'customer', 'customer.name', 'customer.grade', 'customer.address.city'];
const shownTo = (model: PathModel): readonly string[] => {
  const columns = PATHS.map((path) => resolvePath(model, 'e_Order', path) as ResolvedPath);
  return withoutPersonal(model, 'e_Order', columns).map(({ path }) => path);
};

// Asserts contract/personal-data.md#masks.
test('a download has no personal columns, nor names with personal parts, without the permission', () => {
  expect(shownTo(modelFor())).toEqual(['number', 'customer.grade']);
  expect(shownTo(modelFor('personal.read'))).toEqual(PATHS);
  expect(shownTo(modelFor('personal.read.e_Customer'))).toEqual(PATHS);
});
