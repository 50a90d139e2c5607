// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { bandTree, rowsOf } from '../../../../test/band-tree.ts';
import { renderWorkbook } from '../../../../test/xlsx-result.ts';

const sheet = (cells: Readonly<Record<string, string | number>>) => ({ name: 'S', cells });

describe('horizontal bands', () => {
  // Asserts contract/report-templates.md#formats, contract/report-templates.md#xlsx.
  test('follow each other downwards, children below their parent', async () => {
    const template = {
      sheets: [sheet({ A1: 'Title', A2: '${name}', B3: '${item}', A5: 'End' })],
      names: { Head: 'S!$A$1', Order: 'S!$A$2:$B$2', Line: 'S!$A$3:$B$3', Foot: 'S!$A$5' },
    };
    const root = bandTree({
      Head: [{}],
      Order: [
        { fields: { name: 'one' }, below: { Line: rowsOf({ item: 'a' }, { item: 'b' }) } },
        { fields: { name: 'two' }, below: { Line: rowsOf({ item: 'c' }) } },
      ],
      Foot: [{}],
    });
    expect((await renderWorkbook(template, root)).cells()).toEqual({
      A1: 'Title',
      A2: 'one',
      B3: 'a',
      B4: 'b',
      A5: 'two',
      B6: 'c',
      A7: 'End',
    });
  });

  // Asserts contract/report-templates.md#xlsx.
  test('of the first level stand side by side when their ranges share a row', async () => {
    const template = {
      sheets: [sheet({ A1: '${a}', C1: '${b}', A3: 'End' })],
      names: { Left: 'S!$A$1', Right: 'S!$C$1', Foot: 'S!$A$3' },
    };
    const root = bandTree({
      Left: rowsOf({ a: 1 }, { a: 2 }),
      Right: rowsOf({ b: 7 }, { b: 8 }, { b: 9 }),
      Foot: [{}],
    });
    expect((await renderWorkbook(template, root)).cells()).toEqual({
      A1: '1',
      C1: '7',
      A2: '2',
      C2: '8',
      C3: '9',
      A4: 'End',
    });
  });

  // Asserts contract/report-templates.md#xlsx.
  test('begin on the row of their parent when their ranges do', async () => {
    const template = {
      sheets: [sheet({ A1: '${name}', B1: '${item}' })],
      names: { Order: 'S!$A$1', Line: 'S!$B$1' },
    };
    const root = bandTree({
      Order: [
        { fields: { name: 'one' }, below: { Line: rowsOf({ item: 'a' }, { item: 'b' }) } },
        { fields: { name: 'two' }, below: { Line: rowsOf({ item: 'c' }) } },
      ],
    });
    expect((await renderWorkbook(template, root)).cells()).toEqual({ A1: 'one', B1: 'a', B2: 'b', A3: 'two', B3: 'c' });
  });

  // Asserts contract/report-templates.md#xlsx.
  test('without a range let their children be seen', async () => {
    const template = { sheets: [sheet({ A1: '${item}' })], names: { Line: 'S!$A$1' } };
    const root = bandTree({
      Order: [{ below: { Line: rowsOf({ item: 'a' }) } }, { below: { Line: rowsOf({ item: 'b' }) } }],
    });
    expect((await renderWorkbook(template, root)).cells()).toEqual({ A1: 'a', A2: 'b' });
  });
});

describe('vertical bands', () => {
  const vertical = (...rows: readonly Readonly<Record<string, unknown>>[]) =>
    rows.map((fields) => ({ fields, isVertical: true }));

  // Asserts contract/report-templates.md#xlsx.
  test('go to the right, others beside them and those below them too', async () => {
    const template = {
      sheets: [sheet({ A1: 'Name', B1: '${month}', C1: '${sum}', A2: 'Below' })],
      names: { Head: 'S!$A$1', Month: 'S!$B$1', Sum: 'S!$C$1', Foot: 'S!$A$2' },
    };
    const root = bandTree({
      Head: [{}],
      Month: vertical({ month: 'Jan' }, { month: 'Feb' }, { month: 'Mar' }),
      Sum: vertical({ sum: 'Sum' }),
      Foot: [{}],
    });
    expect((await renderWorkbook(template, root)).cells()).toEqual({
      A1: 'Name',
      B1: 'Jan',
      C1: 'Feb',
      D1: 'Mar',
      E1: 'Sum',
      A2: 'Below',
    });
  });

  // Asserts contract/report-templates.md#xlsx.
  test('make a cross table with the bands of a cross band, and columns as wide as the first one', async () => {
    const template = {
      sheets: [{ ...sheet({ A1: 'Product', B1: '${code}', A2: '${name}', B2: '${count}' }), widths: [20, 9] }],
      names: {
        T_header: 'S!$A$1',
        T_dynamic_header: 'S!$B$1',
        T_master_data: 'S!$A$2',
        T: 'S!$B$2',
      },
    };
    const row = (name: string, ...counts: readonly (number | undefined)[]) => ({
      fields: { name },
      below: { T: vertical(...counts.map((count) => ({ count: count ?? null }))) },
    });
    const root = bandTree({
      T_header: [{ below: { T_dynamic_header: vertical({ code: 'N' }, { code: 'S' }) } }],
      T_master_data: [row('Pen', 5, 7), row('Ink', undefined, 3)],
    });
    const result = await renderWorkbook(template, root);
    expect(result.cells()).toEqual({
      A1: 'Product',
      B1: 'N',
      C1: 'S',
      A2: 'Pen',
      B2: '5',
      C2: '7',
      A3: 'Ink',
      C3: '3',
    });
    expect(result.part('xl/worksheets/sheet1.xml')).toContain('<col min="3" max="3" width="9" customWidth="1"/>');
  });
});
