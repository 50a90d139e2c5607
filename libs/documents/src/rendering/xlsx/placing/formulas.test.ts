// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { bandTree, rowsOf } from '../../../../test/band-tree.ts';
import { renderWorkbook } from '../../../../test/xlsx-result.ts';

/** A head in row 1, orders in row 2, their lines in row 3 with a sum of each order in row 4, totals in row 6. */
const names = {
  Head: 'S!$A$1:$E$1',
  Order: 'S!$A$2:$E$2',
  Line: 'S!$A$3:$E$3',
  Sum: 'S!$A$4:$E$4',
  Total: 'S!$A$6:$E$6',
  Never: 'S!$A$8:$E$8',
};
const order = (...lines: readonly number[]) => ({
  below: { Line: rowsOf(...lines.map((price) => ({ price }))), Sum: [{}] },
});
const tree = (...orders: readonly (readonly number[])[]) =>
  bandTree({ Head: [{}], Order: orders.map((lines) => order(...lines)), Total: [{}] });
const render = async (cells: Readonly<Record<string, string | number>>, root = tree([1, 2], [3])) =>
  (await renderWorkbook({ sheets: [{ name: 'S', cells }], names }, root)).cells();

// Asserts contract/report-templates.md#xlsx.
test('references within the own copy move with it, dollar signs or not', async () => {
  expect(await render({ A3: '${price}', B3: '=A3*2+$A$3+S!A3' })).toMatchObject({
    B3: '=A3*2+$A$3+S!A3',
    B4: '=A4*2+$A$4+S!A4',
    B7: '=A7*2+$A$7+S!A7',
  });
});

// Asserts contract/report-templates.md#xlsx.
test('a sum covers the rows of its own parent', async () => {
  expect(await render({ A4: '=SUM(A3:A3)', B4: '=SUM(A3)', C4: '=A3' })).toMatchObject({
    A5: '=SUM(A3:A4)',
    B5: '=SUM(A3:A4)',
    C5: '=A4',
    A8: '=SUM(A7:A7)',
    B8: '=SUM(A7)',
    C8: '=A7',
  });
});

// Asserts contract/report-templates.md#xlsx.
test('a total covers all rows, a row refers to what is above it', async () => {
  expect(await render({ A6: '=SUM(A3:A3)&AVERAGE($A$4)', B6: '=NPV(B1,A3)', A3: '=B1*B2' })).toMatchObject({
    A9: '=SUM(A3:A7)&AVERAGE($A$5:$A$8)',
    B9: '=NPV(B1,A3:A7)',
    A3: '=B1*B2',
    A4: '=B1*B2',
    A7: '=B1*B6',
  });
});

// Asserts contract/report-templates.md#xlsx.
test('an area over several bands grows around all of them; columns and unknown names stay', async () => {
  expect(await render({ A6: '=SUM(A3:A4)+SUM(A:A)+rate+X9+SUM(3:3)' })).toMatchObject({
    A9: '=SUM(A3:A8)+SUM(A:A)+rate+X9+SUM(3:7)',
  });
});

// Asserts contract/report-templates.md#xlsx.
test('a reference to a band without rows below the parent is an error in the cell; one to a band without any rows stays', async () => {
  const cells = { A4: '=SUM(A3:A3)', B4: '=A8' };
  expect(await render(cells, tree([1], []))).toMatchObject({
    A4: '=SUM(A3:A3)',
    A6: 'ERROR: Formula references to empty range',
    B4: '=A8',
  });
});
