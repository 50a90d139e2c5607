// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders

import { bandTree, rowsOf } from '../../../../test/band-tree.ts';
import { type WorkbookDefinition, workbook } from '../../../../test/drawn-workbook.ts';
import { formatterOf, PICTURES, readWorkbook, renderWorkbook } from '../../../../test/xlsx-result.ts';
import { renderXlsx } from '../render-xlsx.ts';
import { parseXlsxTemplate } from '../template/parse-xlsx-template.ts';

const SHEET = 'xl/worksheets/sheet1.xml';
/** A head of two rows, data in row 4, a foot in row 6. */
const names = {
  Head: 'Data!$A$1:$C$2',
  Row: 'Data!$A$4:$C$4',
  Foot: 'Data!$A$6:$C$6',
  rate: '0.19',
  area: 'Data!$A$4',
};
const cells = { A1: 'Head', A4: '${name}', B4: '${count}', A6: 'Foot' };
const tree = (count = 3) =>
  bandTree(
    {
      Head: [{}],
      Row: rowsOf(
        ...Array.from({ length: count }, (_, index) => ({
          name: `n${index}`,
          count: index,
          style: index === 1 ? 'Good' : 'none',
        })),
      ),
      Foot: [{}],
    },
    { title: 'A/B: "Sales" & more', year: '2026' },
  );
const render = (
  sheet: Partial<WorkbookDefinition['sheets'][number]> = {},
  more: Partial<WorkbookDefinition> = {},
  root = tree(),
) => renderWorkbook({ sheets: [{ name: 'Data', cells, ...sheet }], names, ...more }, root);

describe('a sheet', () => {
  // Asserts contract/report-templates.md#xlsx.
  test('keeps views, columns, protection and page set-up; heights go with their rows', async () => {
    const { part } = await render({
      head: '<sheetViews><sheetView workbookViewId="0"><pane ySplit="2" topLeftCell="A3" state="frozen"/></sheetView></sheetViews>',
      widths: [30, 12],
      heights: { 1: 24, 4: 18.5 },
      tail: '<pageMargins left="1" right="1" top="1" bottom="1" header="0.3" footer="0.3"/><pageSetup orientation="landscape"/>',
    });
    expect(part(SHEET)).toMatch(
      /<pane ySplit="2" .*<cols><col min="1" max="1" width="30" customWidth="1"\/>.*<pageSetup orientation="landscape"\/>/,
    );
    expect(part(SHEET)).toContain('<row r="1" ht="24" customHeight="1">');
    for (const row of [3, 4, 5]) expect(part(SHEET)).toContain(`<row r="${row}" ht="18.5" customHeight="1">`);
  });

  // Asserts contract/report-templates.md#xlsx.
  test('has the merged cells and page breaks of a band in each copy, and no others', async () => {
    const { part } = await render({
      merges: ['A1:C1', 'B4:C4', 'A3:B3'],
      tail: '<rowBreaks count="1" manualBreakCount="1"><brk id="4" max="16383" man="1"/></rowBreaks>',
    });
    expect(part(SHEET)).toContain(
      '<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="B3:C3"/><mergeCell ref="B4:C4"/><mergeCell ref="B5:C5"/></mergeCells>',
    );
    expect([...part(SHEET).matchAll(/<brk id="(\d+)"/g)].map(([, row]) => row)).toEqual(['3', '4', '5']);
  });

  // Asserts contract/report-templates.md#xlsx.
  test('has conditional formats, validations and hyperlinks for all copies', async () => {
    const { part } = await render({
      tail:
        '<conditionalFormatting sqref="A4:C4 F9"><cfRule type="expression" dxfId="0" priority="1"><formula>$B4&gt;SUM($B$4:$B$4)</formula></cfRule></conditionalFormatting>' +
        '<dataValidations count="1"><dataValidation type="list" sqref="C4"><formula1>$B4</formula1></dataValidation></dataValidations>' +
        '<hyperlinks><hyperlink ref="A4" location="Data!B4" display="x"/></hyperlinks>',
    });
    expect(part(SHEET)).toContain('sqref="A3:C5 F9"');
    expect(part(SHEET)).toContain('<formula>$B3&gt;SUM($B$3:$B$5)</formula>');
    expect(part(SHEET)).toContain('sqref="C3:C5"><formula1>$B3</formula1>');
    expect(
      [...part(SHEET).matchAll(/<hyperlink ref="(\w+)" location="([^"]+)"/g)].map(([, ...found]) => found),
    ).toEqual([
      ['A3', 'Data!B3'],
      ['A4', 'Data!B4'],
      ['A5', 'Data!B5'],
    ]);
  });

  // Asserts contract/report-templates.md#xlsx.
  test('has a filter over all rows, and none of what belongs to bands without rows', async () => {
    const tail =
      '<autoFilter ref="A2:C4"/><conditionalFormatting sqref="A4"><cfRule type="duplicateValues" dxfId="0" priority="1"/></conditionalFormatting>';
    expect((await render({ tail })).part(SHEET)).toContain('<autoFilter ref="A2:C5"/>');
    const { part } = await render({ tail }, {}, tree(0));
    expect(part(SHEET)).not.toContain('conditionalFormatting');
  });

  // Asserts contract/report-templates.md#xlsx.
  test('is named by fields, made fit for a name, wherever it is named', async () => {
    const { part } = await renderWorkbook(
      {
        sheets: [
          { name: '${Root.title} ${Root.year}', cells: { A1: '${name}', B1: "='Other'!A1" } },
          { name: 'Other', cells: { A1: "=SUM('${Root.title} ${Root.year}'!A1:A1)" } },
        ],
        names: {
          Row: "'${Root.title} ${Root.year}'!$A$1:$B$1",
          Head: 'Other!$A$1',
          first: "'${Root.title} ${Root.year}'!$A$1",
        },
      },
      tree(),
    );
    expect(part('xl/workbook.xml')).toContain('<sheet name="A_B_ &quot;Sales&quot; &amp; more 2026"');
    expect(part('xl/worksheets/sheet2.xml')).toContain(`<f>SUM('A_B_ "Sales" &amp; more 2026'!A1:A3)</f>`);
    expect(part('xl/workbook.xml')).toContain(
      '<definedName name="first">\'A_B_ "Sales" &amp; more 2026\'!$A$1:$A$3</definedName>',
    );
  });

  // Asserts contract/report-templates.md#xlsx.
  test('has fields in headers and footers of its pages', async () => {
    const { part } = await render({
      tail: '<headerFooter><oddHeader>&amp;L${Root.title}&amp;R&amp;P</oddHeader><evenFooter>${Row.name}</evenFooter></headerFooter>',
    });
    expect(part(SHEET)).toContain(
      '<oddHeader>&amp;LA/B: "Sales" &amp;&amp; more&amp;R&amp;P</oddHeader><evenFooter>n0</evenFooter>',
    );
  });
});

// Asserts contract/report-templates.md#xlsx.
test('a header that is too long is cut, and the log says so', async () => {
  const template = {
    sheets: [{ name: 'Data', cells, tail: '<headerFooter><oddHeader>&amp;L${Root.long}</oddHeader></headerFooter>' }],
    names,
  };
  const warnings: string[] = [];
  const parsed = await parseXlsxTemplate(workbook(template), [{ name: 'Row' }]);
  const { signal } = new AbortController();
  const options = {
    formatter: formatterOf(),
    pictures: PICTURES,
    signal,
    maxElements: 1_000,
    warn: (text: string) => warnings.push(text),
  };
  const root = bandTree({ Row: rowsOf({ name: 'a' }) }, { long: `${'x'.repeat(252)}&y` });
  const { part } = await readWorkbook(Buffer.concat(await Array.fromAsync(renderXlsx(parsed, root, options))));
  expect(part(SHEET)).toContain(`<oddHeader>&amp;L${'x'.repeat(252)}</oddHeader>`);
  expect(warnings).toEqual(['The oddHeader of the sheet Data has 257 characters; Excel reads 255, and it was cut']);
});

describe('a workbook', () => {
  // Asserts contract/report-templates.md#xlsx.
  test('names no bands, moves its other names, and is calculated when it is opened', async () => {
    const { part, parts } = await render(
      {},
      {
        parts: {
          'xl/calcChain.xml': '<calcChain xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>',
          'xl/_rels/workbook.xml.rels': relationships(
            ['worksheet', 'worksheets/sheet1.xml'],
            ['styles', 'styles.xml'],
            ['sharedStrings', 'sharedStrings.xml'],
            ['calcChain', 'calcChain.xml'],
          ),
        },
      },
    );
    expect(part('xl/workbook.xml')).toContain(
      '<definedNames><definedName name="rate">0.19</definedName><definedName name="area">Data!$A$3:$A$5</definedName></definedNames><calcPr calcMode="auto" fullCalcOnLoad="1"/>',
    );
    expect(parts.has('xl/calcChain.xml')).toBe(false);
    expect(part('[Content_Types].xml') + part('xl/_rels/workbook.xml.rels')).not.toContain('calcChain');
  });

  // Asserts contract/report-templates.md#xlsx.
  test('has charts that show all rows, move with the band they touch and remember no old values', async () => {
    const chart = { kind: 'col', title: 'T', categories: 'Data!$A$4:$A$4', values: 'Data!$B$4:$B$4' } as const;
    const { part } = await render({
      drawing: {
        charts: [
          { ...chart, from: [5, 0], to: [9, 3] },
          { ...chart, from: [0, 5], to: [2, 9] },
        ],
      },
    });
    expect(part('xl/charts/chart10.xml')).toContain('<c:f>Data!$A$3:$A$5</c:f></c:strRef>');
    expect(part('xl/charts/chart10.xml')).toContain('<c:f>Data!$B$3:$B$5</c:f></c:numRef>');
    expect(part('xl/drawings/drawing1.xml')).toMatch(/<xdr:row>0<.*<xdr:row>3<.*<xdr:from>.*<xdr:row>5<.*<xdr:row>9</);
  });

  // Asserts contract/report-templates.md#xlsx.
  test('has a picture of a band once for each copy', async () => {
    const anchor = (id: number) =>
      `<xdr:oneCellAnchor><xdr:from><xdr:col>2</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>3</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="9" cy="9"/><xdr:sp><xdr:nvSpPr><xdr:cNvPr id="${id}" name="S"/><xdr:cNvSpPr/></xdr:nvSpPr><xdr:spPr/></xdr:sp><xdr:clientData/></xdr:oneCellAnchor>`;
    const { part } = await render({ drawing: { anchors: anchor(7) } });
    const drawing = part('xl/drawings/drawing1.xml');
    expect([...drawing.matchAll(/<xdr:row>(\d+)</g)].map(([, row]) => row).sort()).toEqual(['2', '3', '4']);
    expect(new Set([...drawing.matchAll(/cNvPr id="(\d+)"/g)].map(([, id]) => id)).size).toBe(3);
  });

  // Asserts contract/report-templates.md#xlsx.
  test('has a chart of a newer kind once, and also without rows of its band', async () => {
    const anchor = `<xdr:oneCellAnchor><xdr:from><xdr:col>2</xdr:col><xdr:row>3</xdr:row></xdr:from><mc:AlternateContent xmlns:mc="urn:mc"><mc:Choice><xdr:graphicFrame/></mc:Choice></mc:AlternateContent></xdr:oneCellAnchor>`;
    for (const rows of [3, 0]) {
      const { part } = await render({ drawing: { anchors: anchor } }, {}, tree(rows));
      expect(part('xl/drawings/drawing1.xml').match(/graphicFrame/g)).toHaveLength(1);
    }
  });

  // Asserts contract/report-templates.md#values.
  test('shows fields with the format of a picture as pictures of that size, next to what is drawn already', async () => {
    const root = bandTree({
      Row: rowsOf({ logo: 'one', name: 'a' }, { logo: '', name: 'b' }, { logo: 'two', name: 'c' }),
    });
    const sheet = { name: 'Data', cells: { A4: '${name}', B4: '${logo}' } };
    const formats = { 'Row.logo': '${bitmap:30x20}' };
    const chart = {
      kind: 'col',
      title: 'T',
      categories: 'Data!$A$4',
      values: 'Data!$B$4',
      from: [5, 0],
      to: [9, 3],
    } as const;
    for (const [drawing, part] of [
      [undefined, 'xl/drawings/reportDrawing1.xml'],
      [{ charts: [chart] }, 'xl/drawings/drawing1.xml'],
    ] as const) {
      const sheets = [drawing === undefined ? sheet : { ...sheet, drawing }];
      const result = await renderWorkbook({ sheets, names }, root, formats);
      expect(result.cells()).toEqual({ A1: 'a', A2: 'b', A3: 'c' });
      const xml = result.part(part);
      expect(
        [...xml.matchAll(/<xdr:col>1<.*?<xdr:row>(\d)<.*?<xdr:ext cx="(\d+)" cy="(\d+)"/g)].map(
          ([, ...found]) => found,
        ),
      ).toEqual([
        ['0', '285750', '190500'],
        ['2', '285750', '190500'],
      ]);
      expect([xml.includes('graphicFrame'), result.parts.has('xl/media/report1.png')]).toEqual([
        drawing !== undefined,
        true,
      ]);
      expect(result.part(SHEET)).toMatch(/<drawing r:id="rId1"\/>/);
      expect(result.part('[Content_Types].xml')).toContain('Extension="png"');
    }
  });

  // Asserts contract/report-templates.md#xlsx.
  test('has tables and sources of pivot tables over all rows', async () => {
    const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
    const { part } = await render(
      { end: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>' },
      {
        parts: {
          'xl/tables/table1.xml': `<table ${main} id="1" name="T" displayName="T" ref="A2:C4"><autoFilter ref="A2:C4"/></table>`,
          'xl/worksheets/_rels/sheet1.xml.rels': relationships(['table', '../tables/table1.xml']),
          'xl/pivotCache/pivotCacheDefinition1.xml': `<pivotCacheDefinition ${main}><cacheSource type="worksheet"><worksheetSource ref="A2:C4" sheet="Data"/></cacheSource></pivotCacheDefinition>`,
          'xl/_rels/workbook.xml.rels': relationships(
            ['worksheet', 'worksheets/sheet1.xml'],
            ['styles', 'styles.xml'],
            ['sharedStrings', 'sharedStrings.xml'],
            ['pivotCacheDefinition', 'pivotCache/pivotCacheDefinition1.xml'],
          ),
        },
      },
    );
    expect(part('xl/tables/table1.xml')).toContain('ref="A2:C5"><autoFilter ref="A2:C5"/>');
    expect(part('xl/pivotCache/pivotCacheDefinition1.xml')).toContain('<worksheetSource ref="A2:C5" sheet="Data"/>');
    expect(part('xl/pivotCache/pivotCacheDefinition1.xml')).toContain('refreshOnLoad="1"');
  });
});

describe('hints', () => {
  const styles = [{}, { border: 'all', name: 'Plain' }, { bold: true, fill: 'C6EFCE', name: 'Good' }] as const;

  // Asserts contract/report-templates.md#xlsx.
  test('give cells the style that a field names, with the border of their own', async () => {
    const { part } = await render(
      { cells: { ...cells, A4: { value: '${name}', style: 1 } } },
      { styles, names: { ...names, hint_style_style_1: 'Data!$A$4:$B$4' } },
    );
    const xml = part(SHEET);
    expect([xml.includes('<c r="A3" s="1"'), xml.includes('<c r="A4" s="3"'), xml.includes('<c r="B4" s="4"')]).toEqual(
      [true, true, true],
    );
    const formats = /<cellXfs.*<\/cellXfs>/.exec(part('xl/styles.xml'))?.[0] ?? '';
    expect(
      [...formats.matchAll(/<xf [^>]*fontId="(\d)" fillId="(\d)" borderId="(\d)" /g)].slice(3).map(([, ...ids]) => ids),
    ).toEqual([
      ['2', '4', '1'],
      ['2', '4', '0'],
    ]);
    expect(part('xl/workbook.xml')).not.toContain('hint_');
  });

  // Asserts contract/report-templates.md#xlsx.
  test('make rows as high as their texts need, up to what a row can have', async () => {
    const long = (words: number) => Array.from({ length: words }, () => 'word').join(' ');
    const root = bandTree({ Row: rowsOf({ name: 'one' }, { name: long(10) }, { name: long(5000) }, { name: 'a\nb' }) });
    const { part } = await render({ widths: [20] }, { names: { ...names, hint_rowAutoHeight: 'Data!$A$4' } }, root);
    expect([...part(SHEET).matchAll(/ ht="([\d.]+)"/g)].map(([, height]) => Number(height))).toEqual([
      14.96, 44.88, 409, 29.92,
    ]);
  });
});

function relationships(...targets: readonly (readonly [type: string, target: string])[]): string {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;
}

describe('what copies of a band add', () => {
  const links = (count: number): string =>
    `<hyperlinks>${'<hyperlink ref="A4" location="Data!B4"/>'.repeat(count)}</hyperlinks>`;
  const rendered = (sheet: Partial<WorkbookDefinition['sheets'][number]>, maxElements?: number) =>
    renderWorkbook({ sheets: [{ name: 'Data', cells, ...sheet }], names }, tree(300), {}, maxElements);

  test('is there for thousands of hyperlinks', async () => {
    // One by one these would take minutes.
    const { part } = await rendered({ tail: links(200) });
    expect(part(SHEET).match(/<hyperlink /g)).toHaveLength(60_000);
  });

  test.each([
    ['hyperlinks', links(4)],
    [
      'areas of formats',
      '<conditionalFormatting sqref="A4 C4"><cfRule type="expression" priority="1"><formula>A4</formula></cfRule></conditionalFormatting>'.repeat(
        600,
      ),
    ],
  ])('has a limit: %s', async (_name, tail) => {
    await expect(rendered({ tail }, 1_000)).rejects.toMatchObject({
      code: 'REPORT_RUN_ERROR',
      message: expect.stringMatching(/more than 1000 elements/),
    });
  });
});
