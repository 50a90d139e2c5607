// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { ExactNumber } from '@lintel/query';
import { bandTree, rowsOf } from '../../../../test/band-tree.ts';
import type { WorkbookDefinition, WorkbookSheet } from '../../../../test/drawn-workbook.ts';
import { renderWorkbook } from '../../../../test/xlsx-result.ts';

const render = async (
  cells: WorkbookSheet['cells'],
  fields: Readonly<Record<string, unknown>>,
  more: { readonly formats?: Readonly<Record<string, string>> } & Pick<
    WorkbookDefinition,
    'isCalendarOf1904' | 'styles'
  > = {},
) => {
  const { formats = {}, ...template } = more;
  const definition = { sheets: [{ name: 'S', cells }], names: { Row: 'S!$A$1:$D$1' }, ...template };
  return renderWorkbook(definition, bandTree({ Row: rowsOf(fields) }, { title: 'All' }), formats);
};
const sheetOf = async (...input: Parameters<typeof render>) =>
  (await render(...input)).part('xl/worksheets/sheet1.xml');

const DATE = { kind: 'temporal', temporal: 'date', text: '2026-11-21' };

// Asserts contract/decisions.md#58, contract/report-templates.md#xlsx.
test('a cell that is one alias has the type of the value, with every digit', async () => {
  const xml = await sheetOf(
    { A1: '${sum}', B1: '${isPaid}', C1: '${day}', D1: '${name}' },
    { sum: new ExactNumber('90071992547409.93'), isPaid: true, day: DATE, name: '=1+1' },
  );
  expect(xml).toContain('<c r="A1"><v>90071992547409.93</v></c>');
  expect(xml).toContain('<c r="B1" t="b"><v>1</v></c>');
  expect(xml).toContain('<c r="C1" s="1"><v>46347</v></c>');
  expect(xml).toContain('<c r="D1" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>');
});

// Asserts contract/report-templates.md#xlsx.
test('dates have the format of the locale where the cell has none, and keep the other formats', async () => {
  const values = { day: DATE, at: { ...DATE, temporal: 'dateTime', text: '2026-11-21T08:30' } };
  const cells = {
    A1: { value: '${day}', style: 1 },
    B1: { value: '${day}', style: 2 },
    C1: { value: '${day}', style: 1 },
    D1: { value: '${at}', style: 3 },
  };
  const styles = [{}, { bold: true }, { format: 'yyyy' }, { format: '@' }];
  const result = await render(cells, values, { styles });
  const xml = result.part('xl/worksheets/sheet1.xml');
  expect([...xml.matchAll(/ s="(\d)"/g)].map(([, style]) => style)).toEqual(['4', '2', '4', '5']);
  const formats = result.part('xl/styles.xml');
  expect(formats).toContain('<numFmt numFmtId="166" formatCode="dd/mm/yyyy"/><numFmt numFmtId="167"');
  expect(formats).toMatch(
    /<xf numFmtId="166" fontId="1"[^>]*><alignment [^>]*shrinkToFit="1"\/><\/xf><xf numFmtId="167"/,
  );
});

// Asserts contract/report-templates.md#xlsx.
test('dates count from 1904 where the workbook does', async () => {
  expect(await sheetOf({ A1: '${day}' }, { day: DATE }, { isCalendarOf1904: true })).toContain('<v>44885</v>');
});

// Asserts contract/report-templates.md#marks, contract/report-templates.md#xlsx.
test('a value with a format is text, and so is a text with aliases', async () => {
  const cells = { A1: '${sum}', B1: 'Sum: ${sum}, ${ name [0]}.', C1: '${none}', D1: '[${none}]' };
  const result = await render(cells, { sum: 1234.5, name: 'Ink' }, { formats: { 'Row.sum': '#,##0.00' } });
  expect(result.cells()).toEqual({ A1: '1,234.50', B1: 'Sum: 1,234.50, I.', D1: '[]' });
});

// Asserts contract/report-templates.md#xlsx.
test('formats within a text with aliases stay; an alias has the format of its first character', async () => {
  const format = (element: string): string => `<rPr><${element}/><sz val="11"/></rPr>`;
  const run = (element: string, text: string): string => `<r>${format(element)}<t xml:space="preserve">${text}</t></r>`;
  const strings = [
    `<si>${run('b', 'To ')}<r><t>$</t></r>${run('i', '{name}, ${none}')}</si>`,
    `<si>${run('b', '${name}')}</si><si>${run('b', '${sum}')}</si>`,
  ];
  const parts = {
    'xl/sharedStrings.xml': `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${strings.join('')}</sst>`,
  };
  const definition = {
    sheets: [{ name: 'S', cells: { A1: 'a', B1: 'b', C1: 'c' } }],
    names: { Row: 'S!$A$1:$D$1' },
    parts,
  };
  const xml = (await renderWorkbook(definition, bandTree({ Row: rowsOf({ name: 'R&D', sum: 5 }) }))).part(
    'xl/worksheets/sheet1.xml',
  );
  const plain = '<r><t xml:space="preserve">R&amp;D</t></r>';
  expect(xml).toContain(`<is>${run('b', 'To ')}${plain}${run('i', ', ')}</is>`);
  expect(xml).toContain(`<is>${run('b', 'R&amp;D')}</is>`);
  expect(xml).toContain('<c r="C1"><v>5</v></c>');
});

test('fields of the bands above are found by their band', async () => {
  expect((await render({ A1: '${Root.title}', B1: '${Row.x} ${Other.x}' }, { x: 7 })).cells()).toEqual({
    A1: 'All',
    B1: '7 ',
  });
});

// Asserts contract/report-templates.md#values.
test('a path leads into an object, also of a band above, with the types of its members', async () => {
  const customer = { kind: 'instance', name: 'n', value: { name: 'ACME', address: { zip: 53111 } } };
  const result = await render(
    { A1: '${customer.name}', B1: '${Row.customer.address.zip}', C1: '${customer}${customer.toString}' },
    { customer },
  );
  expect(result.cells()).toEqual({ A1: 'ACME', B1: '53111', C1: 'n' });
});

test('text that XML cannot hold comes back as it was', async () => {
  const text = 'a\u0001b <&> _x0041_ \r\n \ud800';
  const xml = await sheetOf({ A1: '${text}' }, { text });
  expect(xml).toContain('a_x0001_b &lt;&amp;&gt; _x005F_x0041_ _x000D_\n \ufffd');
});

test('more text than a cell can hold is an error that says where', async () => {
  await expect(render({ A1: '${text}' }, { text: 'x'.repeat(32_768) })).rejects.toThrow(
    'A text of the band [Row] has 32768 characters; a cell holds 32767 (row 1).',
  );
});

// Asserts contract/decisions.md#58, contract/report-templates.md#xlsx.
test('a value never becomes part of a formula', async () => {
  const result = await render(
    { A1: '="Hello ${name}"&${name}', B1: '=${sum}*2', C1: '=IF(${isPaid},${none},${day})' },
    { name: '"&HYPERLINK("x', sum: 2.5, isPaid: false, day: DATE },
  );
  expect(result.cells()).toEqual({
    A1: '="Hello ""&HYPERLINK(""x"&"""&HYPERLINK(""x"',
    B1: '=2.5*2',
    C1: '=IF(FALSE,"",46347)',
  });
});
