// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { cases, fc } from '@lintel/testkit/properties';
import { bandTree, type TestRow } from '../../../../test/band-tree.ts';
import { renderWorkbook } from '../../../../test/xlsx-result.ts';
import { parseArea } from '../cells/area.ts';

const TEMPLATE = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: '${id}',
        A2: '${id}',
        B3: '=SUM(A2:A2)',
        A3: '${id}',
        A5: '${id}',
        C5: '=COUNT(A2)',
        D1: '${id}',
        D2: '${id}',
      },
    },
  ],
  names: {
    Order: 'S!$A$1',
    Line: 'S!$A$2',
    Sum: 'S!$A$3:$B$3',
    Total: 'S!$A$5:$C$5',
    // Beside all of them, on rows of its own.
    Side: 'S!$D$1:$D$2',
  },
};

/** The rows in the order in which they must stand below each other, numbered in that order. */
function numbered(lineCounts: readonly number[], sideCount: number) {
  let next = 0;
  const row = (more: Omit<TestRow, 'fields'> = {}): TestRow => {
    next += 1;
    return { fields: { id: next }, ...more };
  };
  const orders = lineCounts.map((count) => {
    const { fields = {} } = row();
    const lines = Array.from({ length: count }, () => row());
    return { fields, below: { Line: lines, Sum: [row()] } };
  });
  const total = [row()];
  const side = Array.from({ length: sideCount }, () => ({ fields: { id: -1 } }));
  return { root: bandTree({ Order: orders, Side: side, Total: total }), count: next };
}

// Asserts contract/report-templates.md#xlsx.
test('every row stands once, below the one before, and sums cover the rows of their parent and no others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }), fc.nat(6), async (lineCounts, sideCount) => {
      const { root, count } = numbered(lineCounts, sideCount);
      const cells = (await renderWorkbook(TEMPLATE, root)).cells();
      const rowsOf = (column: string): readonly (readonly [row: number, text: string])[] =>
        Object.entries(cells)
          .filter(([reference]) => reference.startsWith(column))
          .map(([reference, text]) => [Number(reference.slice(1)), text]);
      const main = rowsOf('A').toSorted(([one], [other]) => one - other);
      expect(main.map(([, text]) => Number(text))).toEqual(Array.from({ length: count }, (_, index) => index + 1));
      expect(rowsOf('D').map(([row]) => row)).toEqual(Array.from({ length: 2 * sideCount }, (_, index) => index + 1));
      // The total is below all that stands on the sheet.
      expect(main.at(-1)?.[0]).toBe(Math.max(count - 1, 2 * sideCount) + 1);
      const sums = rowsOf('B').toSorted(([one], [other]) => one - other);
      for (const [index, [row, formula]] of sums.entries()) {
        const lines = lineCounts[index] ?? 0;
        if (lines > 0)
          expect(parseArea(/\((.*)\)/.exec(formula)?.[1] ?? '')).toEqual({
            top: row - lines,
            bottom: row - 1,
            left: 1,
            right: 1,
          });
        // Of an order without lines: none of the report has any, or others have.
        else expect(formula).toMatch(lineCounts.some((one) => one > 0) ? /^ERROR/ : /^=SUM\(A2:A2\)$/);
      }
    }),
    cases(60),
  );
});
