import type { Difference } from '@lintel/react';
import { attribute, children, entity, modelOf, reference } from '../../../../../test/page/model-of-tests.ts';
import { createText } from '../../../../language/create-text.ts';
import { captionOfDifference, valueOfDifference } from './describe-difference.ts';

const model = modelOf([
  entity('Order', [
    attribute('total', 'decimal'),
    reference('customer', 'Customer'),
    children('lines', 'Line', 'order'),
  ]),
  entity('Line', [attribute('quantity', 'int')]),
]);
const text = createText('en', {}, { 'conflict.newLine': 'New entry', 'conflict.noLine': 'Not there' });
const words = { model, text, locale: 'de' };
const ofOrder = (of: ReturnType<typeof attribute>) => ({ entity: 'Order', attribute: of });
const difference = (steps: Difference['steps']): Difference => ({
  ...{ path: 'x', steps, before: undefined, mine: undefined, theirs: undefined, isMine: false, isConflict: false },
});
const LINES = ofOrder(children('lines', 'Line', 'order'));
const QUANTITY = { entity: 'Line', attribute: attribute('quantity', 'int') };

test('the caption leads from the instance to the value', () => {
  const line = { id: 'l1', _instanceName: 'Chair' };
  expect(captionOfDifference(difference([LINES, { instance: line }, QUANTITY]), words)).toBe(
    'LINES › Chair › QUANTITY',
  );
});

test.each([
  [{ id: 'l1', _instanceName: '' }, 'l1'],
  [{ id: { order: 1, line: 2 } }, '{"order":1,"line":2}'],
  [{ quantity: 1 }, 'New entry'],
])('a line %j is called %s', (instance, expected) => {
  expect(captionOfDifference(difference([{ instance }]), words)).toBe(expected);
});

test('values are shown in the form of the language, with all their digits', () => {
  const total = difference([ofOrder(attribute('total', 'decimal'))]);
  const shown = ['12345678901234567890.10', null, undefined].map((value) => valueOfDifference(total, value, words));
  expect(shown).toEqual(['12.345.678.901.234.567.890,10', '', '']);
});

test('a line that was removed is not there', () => {
  const line = difference([LINES, { instance: { id: 'l1', _instanceName: 'Chair' } }]);
  const shown = [{ id: 'l1', _instanceName: 'Chair' }, undefined].map((value) => valueOfDifference(line, value, words));
  expect(shown).toEqual(['Chair', 'Not there']);
});

test('a difference without steps has no value', () => {
  expect(valueOfDifference(difference([]), 1, words)).toBe('');
});
