import type { AttributeInfo, EntityInfo } from '@lintel/client';
import type { Rights } from '@lintel/react';
import { fileAttributesOf, filesOf, nameOfAttribute, planOfFile } from './file-attributes.ts';

const attribute = (name: string, type: string, attributeType = 'DATATYPE', persistent = true) =>
  ({ name, type, attributeType, persistent }) as AttributeInfo;
const entity = (entityName: string, ...properties: AttributeInfo[]): EntityInfo => ({
  entityName,
  ancestor: null,
  properties,
});
const entities = new Map(
  [
    entity(
      'Order',
      attribute('file', 'fileRef'),
      attribute('secret', 'fileRef'),
      attribute('site', 'Site', 'EMBEDDED'),
    ),
    entity('Site', attribute('plan', 'fileRef'), attribute('again', 'Site', 'EMBEDDED'), attribute('city', 'string')),
    entity('Hidden', attribute('file', 'fileRef')),
  ].map((each) => [each.entityName, each] as const),
);
const viewed = ['Order:file', 'Order:site', 'Site:plan', 'Site:again', 'Hidden:file'];
const rights = {
  may: (name: string): boolean => name === 'Order',
  mayView: (name: string, each: string) => viewed.includes(`${name}:${each}`),
} as Partial<Rights> as Rights;

test('attributes are there that the user may view, of readable entities, those of embedded objects too', () => {
  const found = fileAttributesOf({ entities, rights });
  expect(found.map(nameOfAttribute)).toEqual(['Order.file', 'Order.site.plan']);
  expect(found.map(planOfFile)).toEqual([{ file: true }, { site: { plan: true } }]);
});

test('an instance has no file, one, or several', () => {
  const at = { path: ['site', 'plan'] };
  expect(filesOf({ site: { plan: 'a' } }, at)).toEqual(['a']);
  expect(filesOf({ site: { plan: ['a', 'b'] } }, at)).toEqual(['a', 'b']);
  expect([filesOf({ site: null }, at), filesOf({}, at)]).toEqual([[], []]);
});
