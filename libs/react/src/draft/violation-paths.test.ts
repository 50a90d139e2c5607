import { createLine, joinPath, keyOfLine } from './values.ts';
import { draftPathOf, messagesByPath } from './violation-paths.ts';

const fresh = createLine({ discounts: [{ id: 'd1' }] });
const draft = {
  number: 'A',
  address: { city: '' },
  tags: ['a', 'b'],
  lines: [{ id: 1, _removed: true as const }, { id: 2 }, fresh],
};
const pathOf = (...segments: readonly string[]): string => segments.reduce(joinPath, '');

test.each([
  ['number', pathOf('number')],
  ['address.city', pathOf('address', 'city')],
  ['tags[1]', pathOf('tags')],
  ['lines[0].quantity', pathOf('lines', 'id:2', 'quantity')],
  ['lines[1].discounts[0].percent', pathOf('lines', keyOfLine(fresh), 'discounts', 'id:"d1"', 'percent')],
  ['lines[1]', pathOf('lines', keyOfLine(fresh))],
  ['', ''],
])('%s of the server is %s', (path, expected) => {
  expect(draftPathOf(draft, path)).toBe(expected);
});

test('several messages of one value are joined, each once', () => {
  const messages = messagesByPath(draft, [
    { path: 'number', message: 'too long' },
    { path: 'number', message: 'no digits' },
    { path: 'number', message: 'too long' },
  ]);
  expect([...messages]).toEqual([['number', 'too long; no digits']]);
});
