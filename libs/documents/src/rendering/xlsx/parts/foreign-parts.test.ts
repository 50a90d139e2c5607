// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders

import { bandTree, rowsOf } from '../../../../test/band-tree.ts';
import { type WorkbookDefinition, workbook } from '../../../../test/drawn-workbook.ts';
import { renderFile, renderWorkbook } from '../../../../test/xlsx-result.ts';
import { readPackage } from '../../ooxml/read-package.ts';
import { writePackage } from '../../ooxml/write-package.ts';

const names = { B: 'S!$A$2:$C$2', F: 'S!$A$3:$C$4' };
const cells = { A2: '${n}', A3: 'total' };
const root = bandTree({ B: rowsOf({ n: 1 }, { n: 2 }), F: [{}] });
const SHEET = 'xl/worksheets/sheet1.xml';
const sheets = [{ name: 'S', cells }];

/** Renders the template after a change of its sheet. */
async function changed(change: (xml: string) => string, more: Partial<WorkbookDefinition> = {}) {
  const parts = new Map(await readPackage(workbook({ sheets, names, ...more })));
  const xml = new TextDecoder().decode(parts.get(SHEET));
  return renderFile(await writePackage(parts.set(SHEET, new TextEncoder().encode(change(xml)))), root);
}

test('copies of a row have its format, its thick borders and its closed group', async () => {
  const { part } = await changed((xml) =>
    xml
      .replace('<row r="2">', '<row r="2" spans="1:3" s="3" customFormat="1" thickBot="1" collapsed="true">')
      .replace('<row r="3">', '<row r="3" s="4" customFormat="false" thickTop="false" ph="0">'),
  );
  expect([...part(SHEET).matchAll(/<row [^>]*>/g)].map(([row]) => row)).toEqual([
    '<row r="1" s="3" customFormat="1" collapsed="1" thickBot="1">',
    '<row r="2" s="3" customFormat="1" collapsed="1" thickBot="1">',
    '<row r="3">',
  ]);
});

test('formulas that fill as many cells as they have values, and values with a picture, stay what they are', async () => {
  const { part } = await changed((xml) =>
    xml.replace(
      /<row r="3">.*?<\/row>/,
      '<row r="3"><c r="A3" cm="1"><f t="array" ref="A3">SORT(A2)</f><v>1</v></c><c r="B3" t="e" vm="1"><v>#VALUE!</v></c></row>',
    ),
  );
  expect(part(SHEET)).toContain('<c r="A3" cm="1"><f t="array" ref="A3">SORT(A1:A2)</f></c>');
  expect(part(SHEET)).toContain('<c r="B3" t="e" vm="1"><v>#VALUE!</v></c>');
});

test('stored views of a sheet keep what they select', async () => {
  const view =
    '<customSheetViews><customSheetView guid="{1}"><selection sqref="C1:D65536"/></customSheetView></customSheetViews>';
  const { part } = await renderWorkbook({ sheets: [{ name: 'S', cells, tail: view }], names }, root);
  expect(part(SHEET)).toContain('sqref="C1:D65536"');
});

test('a chart keeps what it has stored of names and of cells that the template has filled', async () => {
  const ref = (formula: string): string =>
    `<c:strRef><c:f>${formula}</c:f><c:strCache><c:pt idx="0"><c:v>of ${formula}</c:v></c:pt></c:strCache></c:strRef>`;
  const chart = `<c:chartSpace xmlns:c="c">${['S!$A$3', 'S!$A$2', 'S!$A$2:$A$3', 'S!Figures'].map(ref).join('')}</c:chartSpace>`;
  const drawing = {
    charts: [{ kind: 'col', title: 'T', categories: 'S!$A$2', values: 'S!$A$2', from: [4, 0], to: [9, 3] }],
  } as const;
  const parts = { 'xl/charts/chart10.xml': chart };
  const { part } = await renderWorkbook({ sheets: [{ name: 'S', cells, drawing }], names, parts }, root);
  expect([...part('xl/charts/chart10.xml').matchAll(/<c:v>([^<]*)</g)].map(([, text]) => text)).toEqual([
    'of S!$A$3',
    'of S!Figures',
  ]);
});

test('a pivot table moves with the band of its first cell', async () => {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const parts = {
    'xl/pivotTables/pivotTable1.xml': `<pivotTableDefinition ${main} name="P"><location ref="A3:B8" firstHeaderRow="1"/></pivotTableDefinition>`,
    'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/pivotTable" Target="../pivotTables/pivotTable1.xml"/></Relationships>`,
  };
  const rows = bandTree({ B: rowsOf({ n: 1 }, { n: 2 }, { n: 3 }), F: [{}] });
  const { part } = await renderWorkbook({ sheets, names, parts }, rows);
  expect(part('xl/pivotTables/pivotTable1.xml')).toContain('<location ref="A4:B9" firstHeaderRow="1"/>');
});

// Asserts contract/report-templates.md#xlsx.
test('the list of a form control means all copies, and its cell moves', async () => {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const parts = {
    'xl/ctrlProps/ctrlProp1.xml':
      '<formControlPr xmlns="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" objectType="Drop" fmlaLink="$A$3" fmlaRange="$A$2"/>',
    'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/ctrlProp" Target="../ctrlProps/ctrlProp1.xml"/></Relationships>`,
  };
  const definition = {
    sheets: [{ name: 'S', cells: { A2: '${n}', A3: 'foot' } }],
    names: { B: 'S!$A$2', F: 'S!$A$3' },
    parts,
  };
  const rows = bandTree({ B: rowsOf({ n: 1 }, { n: 2 }, { n: 3 }), F: [{}] });
  const { part } = await renderWorkbook(definition, rows);
  expect(part('xl/ctrlProps/ctrlProp1.xml')).toContain('fmlaLink="$A$4" fmlaRange="$A$1:$A$3"');
});
