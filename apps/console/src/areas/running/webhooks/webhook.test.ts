import type { Model } from '../../../model/model.ts';
import { ownEventsOf, settableValues, setValuesOf } from './webhook.ts';

const attribute = (name: string, type: string, attributeType = 'DATATYPE') => ({
  ...{ name, type, attributeType },
  ...{ persistent: true, cardinality: 'NONE' },
});
const model = {
  entities: new Map([
    [
      'Order',
      {
        properties: [attribute('status', 'Status', 'ENUM'), attribute('paid', 'boolean'), attribute('note', 'string')],
      },
    ],
  ]),
  enums: new Map([['Status', { name: 'Status', values: [{ name: 'NEW', caption: 'New' }] }]]),
  captions: new Map(),
  messages: {},
  rights: { mayView: (_entity: string, name: string) => name !== 'hidden' },
} as unknown as Model;

test('values of enumerations and booleans can be chosen, one for each attribute', () => {
  const formats = { locale: 'en', text: (key: string) => key, enums: model.enums };
  const values = settableValues(model, 'Order', formats as never);
  expect(values.map(({ value }) => value)).toEqual(['["status","NEW"]', '["paid",true]', '["paid",false]']);
  expect(values[0]?.label).toMatch(/: New$/);
  expect(setValuesOf(values.map(({ value }) => value))).toEqual({ status: 'NEW', paid: false });
  expect(settableValues(model, 'None', formats as never)).toEqual([]);
});

test('events of the platform are no events of the application', () => {
  const channels = { 'data.entity.changed.v1': {}, 'sales.order.shipped.v1': {}, 'auth.keys.rotated.v1': {} };
  expect(ownEventsOf({ channels })).toEqual(['sales.order.shipped.v1']);
  expect(ownEventsOf({})).toEqual([]);
});
