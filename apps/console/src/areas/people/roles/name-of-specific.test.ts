import { createText } from '../../../language/create-text.ts';
import { aboutSpecific, nameOfSpecific } from './name-of-specific.ts';

const texts = {
  'permission.rest.enabled': 'Use the application',
  'permission.rest.enabled.about': 'Needed by everyone.',
  'permission.history.read': 'History',
  'permission.history.read.about': 'Shows earlier values.',
};
const text = createText('en', texts, {});
const model = { captions: { sales_Order: 'Order' } } as never;

test.each([
  ['rest.enabled', 'Use the application', 'Needed by everyone.'],
  ['history.read.sales_Order', 'History: Order', 'Shows earlier values.'],
  ['sales.discount.approve', 'sales.discount.approve', undefined],
  ['rest', 'rest', undefined],
])('%s is %s', (name, words, about) => {
  expect([nameOfSpecific(name, text, model), aboutSpecific(name, text)]).toEqual([words, about]);
});
