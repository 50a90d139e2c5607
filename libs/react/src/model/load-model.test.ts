import { captionOf, loadModel } from './load-model.ts';

const attribute = (name: string, more: object = {}) => ({
  ...{ name, type: 'string', attributeType: 'DATATYPE', cardinality: 'NONE', readOnly: false, ...more },
});
const RESPONSES: readonly (readonly [RegExp, unknown])[] = [
  [
    /metadata\/entities/,
    [
      {
        entityName: 'Order',
        properties: [attribute('number')],
        dynamicProperties: [attribute('+vip', { description: 'Is important' })],
      },
      { entityName: 'Total', properties: [attribute('sum', { readOnly: true })] },
    ],
  ],
  [/metadata\/enums/, [{ name: 'Status', values: [] }]],
  [
    /permissions/,
    {
      ...{ authorities: [], entityAttributes: [], specifics: [] },
      entities: ['Order:update', 'Total:update'].map((target) => ({ target, value: 1 })),
    },
  ],
  [/userInfo/, { username: 'zoë' }],
  [/messages/, { Order: 'Purchase', 'Order.number': 'Number' }],
];
const model = await loadModel({
  baseUrl: 'http://localhost:8080',
  fetch: async (input) => Response.json(RESPONSES.find(([path]) => path.test(String(input)))?.[1]),
});

test('entities and attributes have the captions of the messages, and others their names', () => {
  const captions = [captionOf(model, 'Order'), captionOf(model, 'Order', 'number'), captionOf(model, 'Order', 'other')];
  expect(captions).toEqual(['Purchase', 'Number', 'other']);
  expect(captionOf(model, 'Unknown')).toBe('Unknown');
});

test('attributes that administrators have defined have the captions that they were given', () => {
  expect(captionOf(model, 'Order', '+vip')).toBe('Is important');
  expect(captionOf(model, 'Order', '+none')).toBe('+none');
});

test('no caller may change an entity that has read-only attributes alone', () => {
  expect([model.rights.may('Order', 'update'), model.rights.may('Total', 'update')]).toEqual([true, false]);
});

test('entities and enums are found by their names', () => {
  expect([model.entities.get('Total')?.properties.length, model.enums.has('Status'), model.user.username]).toEqual([
    ...[1, true, 'zoë'],
  ]);
});
