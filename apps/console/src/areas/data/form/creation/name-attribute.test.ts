import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import type { Rights } from '@lintel/react';
import { nameAttributeOf } from './name-attribute.ts';

const attribute = (name: string, more: Partial<DetailedAttributeInfo> = {}) =>
  ({ name, type: 'string', attributeType: 'DATATYPE', cardinality: 'NONE', persistent: true, ...more }) as never;
const entity = (nameAttributes: readonly string[], more: Partial<DetailedAttributeInfo> = {}) =>
  ({
    ...{ entityName: 'Customer', kind: 'entity', key: 'id', keyGeneration: 'uuid', nameAttributes },
    properties: [attribute('id', { type: 'UUID' }), attribute('name', more), attribute('city')],
  }) as unknown as DetailedEntityInfo;
const rights = (fixed?: string): Rights =>
  ({ may: () => true, mayView: () => true, mayModify: (_: string, name: string) => name !== fixed }) as never;

test.each<[string, string | undefined, DetailedEntityInfo, Rights]>([
  ['one text', 'name', entity(['name']), rights()],
  ['a text of several lines', 'name', entity(['name'], { ui: { widget: 'textarea' } }), rights()],
  ['two texts', undefined, entity(['name', 'city']), rights()],
  ['nothing', undefined, entity([]), rights()],
  ['a number', undefined, entity(['name'], { type: 'int' }), rights()],
  ['the name of a reference', undefined, entity(['owner.name']), rights()],
  ['a text that the user may not change', undefined, entity(['name']), rights('name')],
  ['a text that no user changes', undefined, entity(['name'], { readOnly: true }), rights()],
  ['a secret text', undefined, entity(['name'], { writeOnly: true }), rights()],
])('of a name that is %s, what is typed is %s', (_, expected, info, may) => {
  expect(nameAttributeOf(info, may)).toBe(expected);
});
