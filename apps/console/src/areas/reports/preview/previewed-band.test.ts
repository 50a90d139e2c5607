import { fieldsOf, textOfField } from './previewed-band.ts';

test('rows have the fields of all of them, in the order in which they come first', () => {
  expect(
    fieldsOf([
      { b: 1, a: null },
      { c: 2, b: 3 },
    ]),
  ).toEqual(['b', 'a', 'c']);
  expect(fieldsOf([])).toEqual([]);
});

test.each([
  [null, ''],
  [undefined, ''],
  ['', ''],
  [0, '0'],
  [false, 'false'],
  ['Zoë', 'Zoë'],
  [['a', null, 2], 'a, , 2'],
  [{ city: 'Köln' }, '{"city":"Köln"}'],
  [[{ id: 1 }, { id: 2 }], '{"id":1}, {"id":2}'],
])('the value %j is the text %j', (value, expected) => {
  expect(textOfField(value)).toBe(expected);
});
