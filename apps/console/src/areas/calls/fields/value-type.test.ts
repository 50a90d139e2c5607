import { missingOf, type NamedType, sentValues, type ValueType } from './value-type.ts';

const of = (type: string): ValueType => ({ kind: 'datatype', type });
const named = (name: string, valueType: ValueType, required = true): NamedType => ({ name, valueType, required });

test.each<[string, ValueType, unknown, unknown]>([
  ['decimals keep their digits', of('decimal'), '12345678901234567890.10', '12345678901234567890.10'],
  ['a boolean', of('boolean'), 'false', false],
  ['an enum', { kind: 'enum', type: 'E' }, 'NEW', 'NEW'],
  ['an instance', { kind: 'entity', type: 'E' }, 'i1', { id: 'i1' }],
  ['an id', { kind: 'datatype', type: 'uuid', entity: 'E' }, 'i1', 'i1'],
  ['a list without empty elements', { kind: 'list', item: of('int') }, ['1', '', '2'], ['1', '2']],
  ['a list of one, as an address has it', { kind: 'list', item: of('int') }, '1', ['1']],
  [
    'an object with members',
    { kind: 'record', members: [named('a', of('int')), named('b', of('int'), false)] },
    { a: '1', b: '' },
    { a: '1' },
  ],
  ['JSON as a text', { kind: 'object' }, '{"a":1.10}', '{"a":1.10}'],
  ['any JSON', { kind: 'any' }, '[1]', [1]],
  ['any text', { kind: 'any' }, 'a b', 'a b'],
])('%s', (_, type, entered, sent) => {
  expect(sentValues([named('x', type)], { x: entered, other: 1 })).toEqual({ x: sent });
});

test('what was left empty is not sent, except a required list; the other required parameters are missing', () => {
  const types = [
    named('a', of('int'), false),
    named('b', { kind: 'list', item: of('int') }),
    named('c', { kind: 'list', item: of('int') }, false),
    named('d', of('string')),
  ];
  expect(sentValues(types, { a: '', d: '' })).toEqual({ b: [] });
  expect(missingOf(types, { a: '', d: '' })).toEqual(['d']);
});
