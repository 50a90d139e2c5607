// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders

import { bandTree, rowsOf } from '../../../../test/band-tree.ts';
import type { WorkbookDefinition } from '../../../../test/drawn-workbook.ts';
import { renderWorkbook } from '../../../../test/xlsx-result.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TEMPLATE: WorkbookDefinition = {
  names: { Head: 'S!$A$1:$C$1', Row: 'S!$A$2:$C$2', Other: 'Other!$A$1' },
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 'Unit & price',
        B1: 'each',
        A2: '${name}',
        B2: 'each',
        C2: 'Price ${price} of ${name}',
        A9: 'Outside of bands',
      },
    },
    { name: 'Other', cells: { A1: 'Other' } },
  ],
};
const render = (template: WorkbookDefinition, names: readonly string[], others = 1) =>
  renderWorkbook(
    template,
    bandTree({
      Head: [{}],
      Row: rowsOf(...names.map((name) => ({ name, price: 2 }))),
      Other: rowsOf(...Array.from({ length: others }, () => ({}))),
    }),
  );
const textsIn = (part: string): readonly string[] =>
  [...part.matchAll(/<si>(.*?)<\/si>/g)].map(([, inner = '']) => inner.replace(/<[^>]*>/g, ''));

test('the texts that cells share are those that a cell of the result shows, counted', async () => {
  const { part, cells } = await render(TEMPLATE, ['Pen', 'Ink']);
  const strings = part('xl/sharedStrings.xml');
  expect(strings).toContain(`<sst xmlns="${MAIN}" count="5" uniqueCount="3">`);
  expect(textsIn(strings)).toEqual(['Unit &amp; price', 'each', 'Other']);
  expect(strings).not.toMatch(/\$\{|Outside/);
  expect(cells()).toEqual({
    A1: 'Unit & price',
    B1: 'each',
    A2: 'Pen',
    B2: 'each',
    C2: 'Price 2 of Pen',
    A3: 'Ink',
    B3: 'each',
    C3: 'Price 2 of Ink',
  });
  expect(cells(2)).toEqual({ A1: 'Other' });
});

test('texts of bands without rows are not among them; without any the part is empty', async () => {
  const only: WorkbookDefinition = { ...TEMPLATE, names: { Row: 'S!$A$2:$C$2', Other: 'Other!$A$1' } };
  const { part } = await render(only, [], 0);
  expect(part('xl/sharedStrings.xml')).toContain(`<sst xmlns="${MAIN}" count="0" uniqueCount="0"></sst>`);
});

test('equal texts are stored once; formats and blanks within a text stay, with any prefix of the namespace', async () => {
  const rich = '<r><rPr><b/></rPr><t xml:space="preserve"> a </t></r><r><t>b</t></r>';
  const sheet = `<worksheet xmlns="${MAIN}"><sheetData><row r="1">${[0, 1, 2, 7]
    .map((index, column) => `<c r="${'ABCD'[column]}1" t="s"><v>${index}</v></c>`)
    .join('')}</row></sheetData></worksheet>`;
  for (const prefix of ['', 'x:']) {
    const prefixed = (xml: string): string => xml.replace(/<(\/?)(?=[a-z])/gi, `<$1${prefix}`);
    const declared = prefix === '' ? `xmlns="${MAIN}"` : `xmlns:x="${MAIN}"`;
    const strings = prefixed(`<si>${rich}</si><si>${rich}</si><si><t>c</t></si>`);
    const { part } = await renderWorkbook(
      {
        names: { Head: 'S!$A$1:$D$1' },
        sheets: [{ name: 'S', cells: {} }],
        parts: {
          'xl/worksheets/sheet1.xml': sheet,
          'xl/sharedStrings.xml': `<${prefix}sst ${declared} count="3" uniqueCount="3">${strings}</${prefix}sst>`,
        },
      },
      bandTree({ Head: [{}] }),
    );
    const result = part('xl/sharedStrings.xml').replaceAll(` ${declared}`, '').replaceAll('x:', '');
    expect(result).toContain(`<sst${prefix === '' ? '' : ` xmlns="${MAIN}"`} count="3" uniqueCount="2">`);
    expect(result).toContain(`<si>${rich}</si><si><t>c</t></si></sst>`);
    // The fourth cell names a text that there is not.
    expect(part('xl/worksheets/sheet1.xml')).toContain(
      '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>',
    );
  }
});
