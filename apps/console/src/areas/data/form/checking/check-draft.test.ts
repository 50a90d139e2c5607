import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { createLine, joinPath, keyOfLine } from '@lintel/react';
import { createText } from '../../../../language/create-text.ts';
import type { FormAttribute } from '../attributes/form-attributes.ts';
import { checkDraft, mistakeOf } from './check-draft.ts';

const text = createText('en', {}, {});
const attribute = (name: string, type: string, more: Partial<DetailedAttributeInfo> = {}) =>
  ({ name, type, attributeType: 'DATATYPE', cardinality: 'NONE', mandatory: false, ...more }) as DetailedAttributeInfo;

test.each<[string, Partial<DetailedAttributeInfo>, unknown, string | undefined]>([
  ['string', { mandatory: true }, '', 'check.mandatory'],
  ['string', { mandatory: true }, null, 'check.mandatory'],
  ['string', {}, '', undefined],
  ['string', { length: 3 }, 'abcd', 'check.length'],
  ['string', { length: 3 }, 'abc', undefined],
  ['string', { rules: [{ kind: 'size', min: 2, max: 3 }] }, 'a', 'check.size'],
  ['string', { rules: [{ kind: 'not-blank' }] }, '  ', 'check.mandatory'],
  ['string', { rules: [{ kind: 'pattern', pattern: '[A-Z]+' }] }, 'aB', 'check.pattern'],
  ['string', { rules: [{ kind: 'pattern', pattern: '[A-Z]+|x' }] }, 'AB', undefined],
  ['string', { rules: [{ kind: 'pattern', pattern: '(' }] }, 'left to the server', undefined],
  ['string', { rules: [{ kind: 'pattern', pattern: '[A-Z]+', message: 'Capitals only' }] }, 'aB', 'Capitals only'],
  ['string', { rules: [{ kind: 'pattern', pattern: '\\p{L}+' }] }, 'Zoë', undefined],
  ['string', { rules: [{ kind: 'size', min: 2, max: 3, message: 'Two or three' }] }, 'a', 'Two or three'],
  ['string', { rules: [{ kind: 'not-blank', message: 'Say something' }] }, ' ', 'Say something'],
  ['string', { length: 3 }, '👍👍👍', undefined],
  ['string', { rules: [{ kind: 'size', min: 2, max: 3 }] }, '👍', 'check.size'],
  ['decimal', { rules: [{ kind: 'min', value: '0', inclusive: true, message: 'No debts' }] }, '-1', 'No debts'],
  ['decimal', {}, 'ten', 'check.number'],
  ['double', {}, 1e-7, undefined],
  ['float', {}, '-1.5E+21', undefined],
  ['double', {}, '1e', 'check.number'],
  ['decimal', {}, '1e3', 'check.number'],
  ['int', {}, '1e3', 'check.number'],
  ['decimal', { precision: 5, scale: 2 }, '1234', 'check.digits'],
  ['decimal', { precision: 5, scale: 2 }, '1.234', 'check.digits'],
  ['decimal', { precision: 5, scale: 2 }, '0123.4500', undefined],
  ['decimal', { rules: [{ kind: 'min', value: '0', inclusive: false }] }, '0.00', 'check.minExclusive'],
  ['decimal', { rules: [{ kind: 'max', value: '100', inclusive: true }] }, '100.0', undefined],
  ['decimal', { rules: [{ kind: 'max', value: '100', inclusive: true }] }, '100.01', 'check.max'],
  ['int', {}, '1.5', 'check.integer'],
  ['int', {}, '2147483648', 'check.max'],
  ['long', {}, '9223372036854775807', undefined],
  ['short', {}, '-32769', 'check.min'],
])('%s %j: %j is %s', (type, more, value, expected) => {
  expect(mistakeOf(attribute('a', type, more), value, text, true)).toBe(expected);
});

test('a secret value that is stored need not be entered again', () => {
  const password = attribute('password', 'string', { mandatory: true, writeOnly: true });
  expect([mistakeOf(password, undefined, text, true), mistakeOf(password, undefined, text, false)]).toEqual([
    'check.mandatory',
    undefined,
  ]);
});

test('children are checked at any depth, without removed ones and the way back to the parent', () => {
  const properties: Readonly<Record<string, readonly DetailedAttributeInfo[]>> = {
    Order: [
      attribute('number', 'string', { mandatory: true }),
      attribute('lines', 'Line', { attributeType: 'COMPOSITION', cardinality: 'ONE_TO_MANY', inverse: 'order' }),
    ],
    Line: [
      attribute('order', 'Order', { attributeType: 'ASSOCIATION', cardinality: 'MANY_TO_ONE', mandatory: true }),
      attribute('quantity', 'decimal', { mandatory: true }),
    ],
  };
  const schema = new Map(
    Object.entries(properties).map(([entityName, all]) => [
      entityName,
      { entityName, properties: all } as DetailedEntityInfo,
    ]),
  );
  const fieldsOf = (entity: string): readonly FormAttribute[] =>
    (properties[entity] ?? []).map((each) => ({ attribute: each, widget: 'text', isReadOnly: false }));
  const fresh = createLine({});
  const draft = { number: 'A', lines: [{ id: 1, quantity: '1' }, { id: 2, _removed: true }, fresh] };
  expect([...checkDraft({ schema, fieldsOf, text }, 'Order', draft, false)]).toEqual([
    [['lines', keyOfLine(fresh), 'quantity'].reduce(joinPath, ''), 'check.mandatory'],
  ]);
});
