// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders

import { bandTree, rowsOf } from '../../../../test/band-tree.ts';
import type { WorkbookDefinition } from '../../../../test/drawn-workbook.ts';
import { caseOf, renderFile, renderWorkbook } from '../../../../test/xlsx-result.ts';

/** Rows 2 to 4 of the result are copies of row 2 of the template. */
const names = { H: 'S!$A$1:$C$1', B: 'S!$A$2:$C$2', F: 'S!$A$3:$C$3' };
const cells = { A1: 'head', A2: '${n}', B2: '${v}', A3: 'total' };
const tree = (rows = 3) =>
  bandTree({
    H: [{}],
    B: rowsOf(...Array.from({ length: rows }, (_, v) => ({ n: `n${v}`, v }))),
    F: [{}],
  });
const render = (sheet: Partial<WorkbookDefinition['sheets'][number]>, more: Partial<WorkbookDefinition> = {}) =>
  renderWorkbook({ sheets: [{ name: 'S', cells, ...sheet }], names: { ...names, ...more.names } }, tree());
const SHEET = 'xl/worksheets/sheet1.xml';
const textsOf = (xml: string, pattern: RegExp): readonly (string | undefined)[] =>
  [...xml.matchAll(pattern)].map(([, text]) => text);

// Asserts contract/report-templates.md#xlsx.
test('a chart reads all copies of the one cell that it names', async () => {
  const { part } = await renderFile(caseOf('chart-one-cell.xlsx'), tree());
  expect(textsOf(part('xl/charts/chart1.xml'), /<f>([^<]*)</g)).toEqual(['S!$A$2:$A$4', 'S!$B$2:$B$4']);
});

// Asserts contract/report-templates.md#xlsx.
test('names, error bars, second axes and extensions of a chart read all copies, and stored values go', async () => {
  const chart =
    '<c:chartSpace xmlns:c="c" xmlns:x="x"><c:ser><c:tx><c:strRef><c:f>S!$A$1</c:f></c:strRef></c:tx>' +
    '<c:errBars><c:plus><c:numRef><c:f>S!$B$2</c:f><c:numCache/></c:numRef></c:plus></c:errBars></c:ser>' +
    '<c:scatterChart><c:xVal><c:numRef><c:f>(S!$B$2,S!$C$2)</c:f></c:numRef></c:xVal></c:scatterChart>' +
    '<x:datalabelsRange><x:f>S!$A$2</x:f><x:dlblRangeCache/></x:datalabelsRange>' +
    '<x:fullRef><x:sqref>S!$A$2</x:sqref></x:fullRef><x:numDim><x:f>S!$B$2</x:f><x:lvl/></x:numDim></c:chartSpace>';
  const of = { kind: 'col', title: 'T', categories: 'S!$A$2', values: 'S!$B$2', from: [5, 8], to: [9, 12] } as const;
  const { part } = await renderWorkbook(
    { sheets: [{ name: 'S', cells, drawing: { charts: [of] } }], names, parts: { 'xl/charts/chart10.xml': chart } },
    tree(),
  );
  const xml = part('xl/charts/chart10.xml');
  expect(textsOf(xml, /<(?:c:f|x:f|x:sqref)>([^<]*)</g)).toEqual([
    'S!$A$1',
    'S!$B$2:$B$4',
    '(S!$B$2:$B$4,S!$C$2:$C$4)',
    'S!$A$2:$A$4',
    'S!$A$2:$A$4',
    'S!$B$2:$B$4',
  ]);
  expect(xml).not.toMatch(/Cache|lvl/);
});

// Asserts contract/report-templates.md#xlsx.
test('names mean all copies; a print area also keeps the cells around the bands', async () => {
  const { part } = await render(
    { name: 'S' },
    { names: { values: 'S!$B$2', both: 'S!$A$2,S!$B$2', head: 'S!$A$1', '_xlnm.Print_Area': 'S!$A$1:$H$20' } },
  );
  expect(textsOf(part('xl/workbook.xml'), /<definedName name="\w+(?:\.\w+)?"[^>]*>([^<]*)</g)).toEqual([
    'S!$B$2:$B$4',
    'S!$A$2:$A$4,S!$B$2:$B$4',
    'S!$A$1',
    'S!$A$1:$H$22',
  ]);
});

// Asserts contract/report-templates.md#xlsx.
test('lists of validations have all copies, also where they are in the band itself', async () => {
  const list = (cell: string, formula: string): string =>
    `<dataValidation type="list" sqref="${cell}"><formula1>${formula}</formula1></dataValidation>`;
  const { part } = await render({
    tail:
      `<dataValidations count="4">${list('C1', '$B$2')}${list('C2', '$A$2')}${list('B2', '$A2')}` +
      '<dataValidation type="whole" sqref="C3"><formula1>SUM($B$2)</formula1></dataValidation></dataValidations>' +
      '<extLst><ext xmlns:y="y" xmlns:m="m"><y:dataValidations><y:dataValidation type="list"><y:formula1><m:f>S!$B$2</m:f></y:formula1><m:sqref>C3</m:sqref></y:dataValidation></y:dataValidations></ext></extLst>',
  });
  expect(textsOf(part(SHEET), /<(?:formula1|m:f)>([^<]*)</g)).toEqual([
    '$B$2:$B$4',
    '$A$2:$A$4',
    '$A2',
    'SUM($B$2:$B$4)',
    'S!$B$2:$B$4',
  ]);
});

// Asserts contract/report-templates.md#xlsx.
test('sparklines and their dates read all copies', async () => {
  const { part } = await render({
    tail: '<extLst><ext xmlns:y="y" xmlns:m="m"><y:sparklineGroups><y:sparklineGroup><m:f>S!$A$2</m:f><y:sparklines><y:sparkline><m:f>S!$B$2</m:f><m:sqref>C3</m:sqref></y:sparkline><y:sparkline><m:f>S!A2:B2</m:f><m:sqref>C2</m:sqref></y:sparkline></y:sparklines></y:sparklineGroup></y:sparklineGroups></ext></extLst>',
  });
  expect(textsOf(part(SHEET), /<m:(?:f|sqref)>([^<]*)</g)).toEqual([
    ...['S!$A$2:$A$4', 'S!$B$2:$B$4', 'C5'],
    ...['S!A2:B2', 'C2', 'S!A3:B3', 'C3', 'S!A4:B4', 'C4'],
  ]);
});

// Asserts contract/report-templates.md#xlsx.
test('rules of a band compare its own cells, and all copies in aggregates', async () => {
  const rule = (formula: string): string =>
    `<conditionalFormatting sqref="A2:C2"><cfRule type="expression" priority="1"><formula>${formula}</formula></cfRule></conditionalFormatting>`;
  const { part } = await render({
    tail: `${rule('$B$2&gt;AVERAGE($B$2:$B$2)')}${rule('RANK($B2,$B$2)=1')}<conditionalFormatting sqref="B2"><cfRule type="dataBar" priority="3"><dataBar><cfvo type="num" val="0"/><cfvo type="num" val="MAX($B$2)"/></dataBar></cfRule></conditionalFormatting>`,
  });
  expect(textsOf(part(SHEET), /<(?:formula>|cfvo type="num" val=")([^"<]*)/g)).toEqual([
    '$B2&gt;AVERAGE($B$2:$B$4)',
    'RANK($B2,$B$2:$B$4)=1',
    '0',
    'MAX($B$2:$B$4)',
  ]);
});

test('functions that Excel added later aggregate as well; shapes show the cell of their copy', async () => {
  const shape = (row: number) =>
    `<xdr:oneCellAnchor><xdr:from><xdr:col>2</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="9" cy="9"/><xdr:sp textlink="S!$B$2"/><xdr:clientData/></xdr:oneCellAnchor>`;
  const result = await render({
    cells: { ...cells, B3: '=_xlfn.STDEV.S(B2)+SUM(_xlfn._xlws.FILTER($B$2,1))' },
    drawing: { anchors: shape(1) },
  });
  expect(result.cells()['B5']).toBe('=_xlfn.STDEV.S(B2:B4)+SUM(_xlfn._xlws.FILTER($B$2:$B$4,1))');
  expect(textsOf(result.part('xl/drawings/drawing1.xml'), /textlink="([^"]*)"/g).toSorted()).toEqual([
    'S!$B$2',
    'S!$B$3',
    'S!$B$4',
  ]);
});

// Asserts contract/report-templates.md#xlsx.
test.each([
  [
    'outside of all ranges is dropped',
    'head',
    undefined,
    2,
    'ref="A1:C3" totalsRowCount="1"',
    ['A1:C3', ['Head', 'B', 'C']],
  ],
  ['that is dropped leaves a single row', 'head', undefined, 1, 'ref="A1:C2"', ['A1:C1', ['Head', 'B', 'C']]],
  [
    'with aliases names its columns',
    '${n} of ${n}',
    'S!$A$1:$C$1',
    2,
    'ref="A1:C3" totalsRowCount="1"',
    ['A1:C4', ['x of x', 'B', 'C']],
  ],
] as const)('a header of a table %s', async (_title, A1, range, rows, table, expected) => {
  const columns = ['Head', 'B', 'C'].map((name, at) => `<tableColumn id="${at + 1}" name="${name}"/>`).join('');
  const { part } = await renderWorkbook(
    {
      sheets: [
        {
          name: 'S',
          cells: { ...cells, A1 },
          end: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        },
      ],
      names: { B: names.B, F: names.F, ...(range && { H: range }) },
      parts: {
        'xl/tables/table1.xml': `<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ${table}><autoFilter ref="A1:C2"/><tableColumns count="3">${columns}</tableColumns></table>`,
        'xl/worksheets/_rels/sheet1.xml.rels':
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/table" Target="../tables/table1.xml"/></Relationships>',
      },
    },
    bandTree({ H: rowsOf({ n: 'x' }), B: rowsOf(...Array.from({ length: rows }, (_, v) => ({ n: v, v }))), F: [{}] }),
  );
  const xml = part('xl/tables/table1.xml');
  expect([/ ref="([^"]*)"/.exec(xml)?.[1], textsOf(xml, /<tableColumn [^>]*name="([^"]*)"/g)]).toEqual(expected);
  const isDropped = range === undefined;
  expect([xml.includes('headerRowCount="0"'), xml.includes('<autoFilter')]).toEqual([isDropped, !isDropped]);
});

// Asserts contract/report-templates.md#xlsx.
test('tables grow with their filters and sorts, consolidated pivot tables with each source', async () => {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relationships = (...targets: readonly (readonly [string, string])[]): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
      .map(
        ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`;
  const { part } = await renderWorkbook(
    {
      sheets: [{ name: 'S', cells, end: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>' }],
      names,
      parts: {
        'xl/tables/table1.xml': `<table ${main} id="1" name="T" displayName="T" ref="A1:C2"><autoFilter ref="A1:C2"/><sortState ref="A2:C2"><sortCondition ref="B2"/></sortState></table>`,
        'xl/worksheets/_rels/sheet1.xml.rels': relationships(['table', '../tables/table1.xml']),
        'xl/pivotCache/pivotCacheDefinition1.xml': `<pivotCacheDefinition ${main}><cacheSource type="consolidation"><consolidation><rangeSets><rangeSet ref="A1:C2" sheet="S"/></rangeSets></consolidation></cacheSource></pivotCacheDefinition>`,
        'xl/_rels/workbook.xml.rels': relationships(
          ['worksheet', 'worksheets/sheet1.xml'],
          ['styles', 'styles.xml'],
          ['sharedStrings', 'sharedStrings.xml'],
          ['pivotCacheDefinition', 'pivotCache/pivotCacheDefinition1.xml'],
        ),
      },
    },
    tree(),
  );
  expect(textsOf(part('xl/tables/table1.xml'), / ref="([^"]*)"/g)).toEqual(['A1:C4', 'A1:C4', 'A2:C4', 'B2:B4']);
  expect(part('xl/pivotCache/pivotCacheDefinition1.xml')).toContain('ref="A1:C4"');
});
