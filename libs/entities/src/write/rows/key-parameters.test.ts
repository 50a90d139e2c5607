import { keyParameters } from './key-parameters.ts';

const COLUMNS = ['code', 'rank'].map((name) => ({ name, type: 'integer', nullable: false }));
const TYPES = [
  { kind: 'datatype', datatype: 'string' },
  { kind: 'datatype', datatype: 'int' },
] as const;

test('the parts of one key are parameters of their own', () => {
  expect(keyParameters(COLUMNS, TYPES, [['EUR', '1']], true)).toEqual(['EUR', '1']);
});

test('the parts of several keys are arrays, one for each column', () => {
  const keys = [
    ['EUR', '1'],
    ['USD', '2'],
  ];
  expect(keyParameters(COLUMNS, TYPES, keys)).toEqual([
    ['EUR', 'USD'],
    ['1', '2'],
  ]);
});
