import { cases, fc } from '@lintel/testkit/properties';
import { EVERYTHING, isSelected, NOTHING, type Selected, withPage, withRow } from './selected.ts';

const rows = ['a', 'b', 'c'].map((id) => ({ id }));
const [a = {}, b = {}] = rows;
const idsOf = ({ rows: selected }: Selected) => [...selected.values()].map(({ id }) => id);

test('a row is added by the first click and removed by the second', () => {
  const one = withRow(NOTHING, a, rows);
  expect([idsOf(one), isSelected(one, 'a'), isSelected(one, 'b')]).toEqual([['a'], true, false]);
  expect(idsOf(withRow(withRow(one, b, rows), a, rows))).toEqual(['b']);
});

test('a row without a key cannot be selected', () => {
  expect(idsOf(withRow(NOTHING, { name: 'x' }, rows))).toEqual([]);
  expect(idsOf(withPage(NOTHING, [{ name: 'x' }, { id: null }, a]))).toEqual(['a']);
});

test('a row is known by its id, of several attributes too, and not by its values', () => {
  const id = { order: 1, line: 'ü' };
  const selected = withRow(NOTHING, { id, quantity: 1 }, rows);
  expect(idsOf(withRow(selected, { id: { ...id }, quantity: 2 }, rows))).toEqual([]);
});

test('a page is selected unless all of it is, and the rows of other pages stay', () => {
  const other = withRow(NOTHING, { id: 'z' }, []);
  const whole = withPage(withRow(other, a, rows), rows);
  expect(idsOf(whole)).toEqual(['z', 'a', 'b', 'c']);
  expect(idsOf(withPage(whole, rows))).toEqual(['z']);
});

test('where all that match are selected, a click on a row leaves the others of its page, and not that row alone', () => {
  const others = withRow(EVERYTHING, a, rows);
  expect([idsOf(others), others.isAll]).toEqual([['b', 'c'], false]);
});

test('where all that match are selected, a click on the page selects nothing', () => {
  expect(withPage(EVERYTHING, rows)).toEqual(NOTHING);
});

const ROW = fc.record({ id: fc.oneof(fc.integer(), fc.string({ unit: 'binary' })) });
const PAGE = fc.uniqueArray(ROW, { selector: ({ id }) => String(id), maxLength: 20 });

test('two clicks on a row or on a page that is not selected change nothing', () => {
  fc.assert(
    fc.property(PAGE, PAGE, ROW, (chosen, page, row) => {
      const selected = chosen.reduce<Selected>((before, each) => withRow(before, each, page), NOTHING);
      const keys = (of: Selected) => new Set(of.rows.keys());
      expect(keys(withRow(withRow(selected, row, page), row, page))).toEqual(keys(selected));
      const others = page.filter(({ id }) => !selected.rows.has(String(id)));
      expect(keys(withPage(withPage(selected, others), others))).toEqual(keys(selected));
    }),
    cases(200),
  );
});
