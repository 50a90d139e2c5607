import type { DetailedAttributeInfo, DetailedEntityInfo } from '@lintel/client';
import { compareThreeWays } from './compare.ts';
import { createLine, isNewLine, type Line, type Values } from './values.ts';

const attribute = (
  name: string,
  type = 'string',
  attributeType: DetailedAttributeInfo['attributeType'] = 'DATATYPE',
  cardinality: DetailedAttributeInfo['cardinality'] = 'NONE',
) => ({ name, type, attributeType, cardinality }) as DetailedAttributeInfo;
const SCHEMA = new Map(
  [
    {
      entityName: 'Order',
      properties: [
        ...['id', 'version', 'a', 'b', 'c', 'd', 'e'].map((name) => attribute(name)),
        attribute('address', 'Address', 'EMBEDDED', 'ONE_TO_ONE'),
        attribute('lines', 'Line', 'COMPOSITION', 'ONE_TO_MANY'),
      ],
    },
    { entityName: 'Address', properties: [attribute('city'), attribute('zip')] },
    {
      entityName: 'Line',
      properties: [attribute('id'), attribute('quantity', 'decimal'), attribute('note')],
    },
  ].map((each) => [each.entityName, each as unknown as DetailedEntityInfo]),
);
const compare = (base: Values, mine: Values, theirs: Values, taken: readonly string[] = []) => {
  const { differences, merged } = compareThreeWays(SCHEMA, 'Order', { base, mine, theirs }, new Set(taken));
  return { shown: differences.map(({ path, isConflict }) => [decodeURIComponent(path), isConflict]), merged };
};

test('a conflict is what both have changed to different values; all else is kept of both', () => {
  const base = { version: 1, a: 1, b: 1, c: 1, d: 1, e: 1 };
  const mine = { ...base, a: 2, b: 2, d: 2 };
  const theirs = { version: 2, a: 3, b: 1, c: 4, d: 2, e: 1 };
  expect(compare(base, mine, theirs)).toEqual({
    shown: [
      ['a', true],
      ['b', false],
      ['c', false],
      ['d', false],
    ],
    merged: { version: 2, a: 2, b: 2, c: 4, d: 2, e: 1 },
  });
  expect(compare(base, mine, theirs, ['a']).merged['a']).toBe(3);
});

test('embedded objects are compared by their attributes', () => {
  const [base = {}, mine = {}, theirs = {}] = [
    { city: 'A', zip: '1' },
    { city: 'B', zip: '1' },
    { city: 'A', zip: '2' },
  ].map((address): Values => ({ address }));
  expect(compare(base, mine, theirs)).toEqual({
    shown: [
      ['address/city', false],
      ['address/zip', false],
    ],
    merged: { address: { city: 'B', zip: '2' } },
  });
});

const line = (id: number, quantity: string, more: Values = {}): Line => ({ id, quantity, note: 'n', ...more });
const lines = (...all: readonly Line[]): Values => ({ lines: all });

test('lines are compared by their ids, attribute by attribute', () => {
  expect(
    compare(
      lines(line(1, '1'), line(2, '2')),
      lines(line(1, '5'), line(2, '2', { note: 'x' })),
      lines(line(1, '1.0'), line(2, '7')),
    ),
  ).toEqual({
    shown: [
      ['lines/id:1/quantity', false],
      ['lines/id:2/quantity', false],
      ['lines/id:2/note', false],
    ],
    merged: lines(line(1, '5'), line(2, '7', { note: 'x' })),
  });
});

test('lines that one of both has added or removed', () => {
  const own = createLine({ quantity: '9' });
  const { shown, merged } = compare(
    lines(line(1, '1'), line(2, '2'), line(3, '3')),
    lines(line(1, '1', { _removed: true } as Values), line(2, '2'), line(3, '3'), own),
    lines(line(1, '1'), line(2, '2'), line(4, '4')),
  );
  expect(merged).toEqual(lines({ ...line(1, '1'), _removed: true }, line(2, '2'), line(4, '4'), own));
  expect(shown.map(([path]) => path).slice(0, 3)).toEqual(['lines/id:1', 'lines/id:3', 'lines/id:4']);
  expect(shown.every(([, isConflict]) => isConflict === false)).toBe(true);
});

test('a difference belongs to the user who has changed it, also where both values look the same', () => {
  const isMine = (base: Values, mine: Values, theirs: Values) =>
    compareThreeWays(SCHEMA, 'Order', { base, mine, theirs }).differences.map((each) => each.isMine);
  const [one, other] = ['1', '2'].map((part) => `fs://2026/${part}/plan.pdf`);
  expect(isMine({ a: one, b: one }, { a: other, b: one }, { a: one, b: other })).toEqual([true, false]);
  const [removed, added] = [line(1, '1', { _removed: true } as Values), createLine({ quantity: '9' })];
  expect(
    isMine(
      lines(line(1, '1'), line(2, '2'), line(3, '3')),
      lines(removed, line(2, '2'), line(3, '8'), added),
      lines(line(1, '1'), line(4, '4')),
    ),
  ).toEqual([true, false, true, false, true]);
});

test('a line that one has removed and the other has changed is a conflict', () => {
  const base = lines(line(1, '1'));
  const removed = lines(line(1, '1', { _removed: true } as Values));
  expect(compare(base, removed, lines(line(1, '2')))).toEqual({
    shown: [['lines/id:1', true]],
    merged: lines({ ...line(1, '2'), _removed: true }),
  });
  expect(compare(base, removed, lines(line(1, '2')), ['lines/id%3A1']).merged).toEqual(lines(line(1, '2')));
  // Removed by the other: the input becomes a new line.
  const { shown, merged } = compare(base, lines(line(1, '8')), lines());
  expect(shown).toEqual([['lines/id:1', true]]);
  const [kept] = merged['lines'] as readonly Line[];
  expect(kept).toMatchObject({ quantity: '8', note: 'n' });
  expect(kept !== undefined && isNewLine(kept) && kept['id'] === undefined).toBe(true);
});

test('without a model, a conflict is what both have changed to different values', () => {
  const base = { a: 1, b: 1, c: 1, d: 1, e: 1 };
  const mine = { ...base, a: 2, b: 2, d: 2 };
  const theirs = { ...base, a: 3, c: 4, d: 2 };
  const { differences, merged } = compareThreeWays(new Map(), 'Order', { base, mine, theirs }, new Set(['b']));
  expect(differences.map(({ path, isConflict }) => [path, isConflict])).toEqual([
    ['a', true],
    ['b', false],
    ['c', false],
    ['d', false],
  ]);
  expect(merged).toEqual({ a: 2, b: 1, c: 4, d: 2, e: 1 });
});
