// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import type { ReportBand, ReportDefinition } from '@lintel/application';
import { wordDocument, workbook } from '@lintel/documents/testing';
import { buildModel, createMessages, integer, keyedEntity, string, toOne } from '@lintel/metadata';
import { checkReport } from './check-report.ts';

const MODEL = buildModel({
  entities: [
    keyedEntity('x_Customer', { key: 'id', attributes: { id: integer(), name: string(10) } }),
    keyedEntity('x_Order', {
      key: 'id',
      attributes: { id: integer(), number: string(10), total: integer(), customer: toOne('x_Customer') },
    }),
  ],
  enums: [],
  fetchPlans: [],
});
const PLAN = { properties: ['number', { name: 'customer', fetchPlan: '_local' }] };
const BANDS: readonly ReportBand[] = [
  { name: 'Head' },
  { name: 'Orders', dataSets: [{ kind: 'entities', name: 'o', entity: 'x_Order', fetchPlan: PLAN }] },
  {
    name: 'Sums',
    dataSets: [{ kind: 'query', name: 's', query: 'select sum(o.total) as total, count(o.id) as n from x_Order o' }],
  },
];

const SET = { kind: 'function', name: 's', rows: async () => [] } as const;

async function check(file: string, bytes: string | Uint8Array, more: Partial<ReportDefinition> = {}) {
  const report: ReportDefinition = {
    id: 'i',
    name: 'n',
    restAccess: true,
    parameters: [{ alias: 'from', name: 'From', type: 'DATE' }],
    bands: BANDS,
    templates: [{ code: 'T', file, outputType: file.slice(file.lastIndexOf('.') + 1).toUpperCase() as 'XLSX' }],
    ...more,
  };
  const problems = await checkReport(report, {
    model: MODEL,
    messages: createMessages(),
    locales: ['en', 'de'],
    readFile: async () => (typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes),
    limits: { maxTags: 100 },
  });
  return problems.map(({ severity, message, location, template }) =>
    [severity, template ?? '', location ?? '', message].join(' | '),
  );
}

const names = { Head: 'S!$A$1:$B$1', Orders: 'S!$A$2:$C$2', Sums: 'S!$A$3:$B$3' };
const good = { A1: '${from} ${Root.from}', A2: '${number}', B2: '${customer.name}', A3: '${total}', B3: '${n}' };

// Asserts contract/reports.md#definition-check.
test('a template without problems has none', async () => {
  expect(await check('t.xlsx', workbook({ sheets: [{ name: 'S', cells: good }], names }))).toEqual([]);
  expect(
    await check(
      't.html',
      '{% for o in Root.bands.Orders %}{{ o.fields.number }}{% endfor %}{{ Root.bands.Sums[0].fields.total }}{{ Root.bands.Sums[0].fields.n }}',
    ),
  ).toEqual([]);
  expect(await check('t.csv', 'Number,Total,N\n${number},${total},${n}')).toEqual([]);
});

test('attributes of an entity parameter that its name does not need have no value', async () => {
  const parameters = [{ alias: 'customer', name: 'Customer', type: 'ENTITY', entity: 'x_Customer' } as const];
  const sheet = { name: 'S', cells: { ...good, A1: '${customer} ${customer.id}', B1: '${customer.name}' } };
  expect(await check('t.xlsx', workbook({ sheets: [sheet], names }), { parameters })).toEqual([
    'error | T | S!B1 | ${customer.name} never has a value: it is no field of the band Head or of one above it',
  ]);
});

// Asserts contract/reports.md#definition-check.
test('a workbook: aliases, ranges, merged cells and references', async () => {
  const cells = {
    ...good,
    C2: '${totl} ${Sums.n}',
    D2: '${number}',
    A3: '=A2*2+SUM(A2)+F9+Orders+Sums()',
    B3: '=#REF!+1',
    F9: 'note',
  };
  const sheet = { name: 'S', cells, merges: ['A1:A2', 'A2:B2'] };
  const more = { ...names, Sum: 'S!$F$9', other: 'S!$A$1', hint_style_nmae: 'S!$A$2', Head: '' };
  const { Head: _head, ...ranges } = more;
  const bands = [...BANDS, { name: 'Group', bands: [{ name: 'Inner' }] }];
  const found = await check('t.xlsx', workbook({ sheets: [sheet], names: ranges }), { bands });
  expect(found).toEqual([
    'warning | T | S!A1 | ${from} is outside of the ranges of all bands, so its cell is left out',
    'error | T | S!C2 | ${totl} never has a value: it is no field of the band Orders or of one above it',
    'error | T | S!C2 | ${Sums.n} never has a value: it is no field of the band Orders or of one above it',
    'warning | T | S!D2 | ${number} is outside of the ranges of all bands, so its cell is left out',
    'warning | T | S!A3 | the formula refers to A2: of several rows of the band Orders it is the last one',
    'warning | T | S!A3 | the formula refers to F9, which is outside of the ranges of all bands and is left out',
    'error | T | S!A3 | the formula becomes #NAME?: the name Orders is that of a band, which the document does not have',
    'warning | T | S!B3 | the formula has lost a reference (#REF!)',
    'warning | T | S!F9 | content outside of the ranges of all bands is left out',
    'warning | T | S!A1:A2 | the merged cells are split: they are in ranges of Orders',
    'warning | T | S!A2 | the name hint_style_nmae has no effect: no band has this field',
    'warning | T | S!$F$9 | the range Sum is no band of the report; did you mean Sums?',
    'warning | T |  | the band Head is not shown: no range has its name',
    'warning | T |  | the band Group is not shown: no range has its name',
    'warning |  |  | no template shows total of the band Sums',
  ]);
});

// Asserts contract/reports.md#definition-check.
test('form controls of a sheet with bands stay where they are', async () => {
  const controls = '<controls><control shapeId="1025" name="Button 1"/></controls>';
  expect(await check('t.xlsx', workbook({ sheets: [{ name: 'S', cells: good, end: controls }], names }))).toEqual([
    'warning | T | S | the form controls stay where the template has them: bands do not move or copy them',
  ]);
});

// Asserts contract/reports.md#definition-check.
test('aliases outside of cells: without a value in headers, and those that are not filled', async () => {
  const a = 'http://schemas.openxmlformats.org/drawingml/2006/main';
  const anchors = `<xdr:sp><a:p xmlns:a="${a}"><a:r><a:t>To \${Ro</a:t></a:r><a:r><a:t>ot.from}</a:t></a:r></a:p></xdr:sp>`;
  const tail =
    '<dataValidations><dataValidation sqref="A2" prompt="for ${number}"/></dataValidations>' +
    '<headerFooter><oddHeader>&amp;L${Root.from} ${Root.to}</oddHeader><oddFooter>${number}</oddFooter></headerFooter>';
  const title = { kind: 'col', title: 'of ${Head.x}' } as const;
  const chart = { ...title, categories: 'S!$A$2', values: 'S!$B$2', from: [5, 1], to: [9, 9] } as const;
  const sheet = { name: 'S', cells: good, tail, drawing: { charts: [chart], anchors } };
  expect(await check('t.xlsx', workbook({ sheets: [sheet], names }))).toEqual([
    'error | T | S | ${Root.to} never has a value: names of sheets, headers and footers show fields of a band',
    'error | T | S | ${number} never has a value: names of sheets, headers and footers show fields of a band',
    'warning | T | S | ${number} stays as it is written: it is outside of what a run fills',
    'warning | T | S, drawing1.xml | ${Root.from} stays as it is written: it is outside of what a run fills',
    'warning | T | S, chart10.xml | ${Head.x} stays as it is written: it is outside of what a run fills',
  ]);
});

// Asserts contract/reports.md#definition-check.
test('charts that copies do not have, pictures that rows may cover, and fixed rows of formulas', async () => {
  const chart = { kind: 'col', title: 't', categories: 'S!$A$2', values: 'S!$B$2', to: [9, 9] } as const;
  const charts = [
    { ...chart, from: [1, 1] },
    { ...chart, from: [0, 8] },
    { ...chart, from: [7, 8] },
  ] as const;
  const sheet = { name: 'S', cells: { ...good, C2: '=SUM(B$2:B2)+SUM($B$2)+$B2' }, drawing: { charts } };
  expect(await check('t.xlsx', workbook({ sheets: [sheet], names }))).toEqual([
    'warning | T | S!C2 | the formula refers to B$2:B2 of the same band: also a fixed row moves with each copy',
    'warning | T | S!C2 | the formula refers to $B$2 of the same band: also a fixed row moves with each copy',
    'warning | T | S!B2 | the chart or table is there once, not for each row of the band Orders',
    'warning | T | S!A9 | the object stays here: it belongs to no band, and rows of the band Orders may be below it',
  ]);
});

// Asserts contract/reports.md#definition-check.
test.each([
  ['A2:B3', ['warning | T | S!A2 | the chart or table is there once, not for each row of the band Orders']],
  ['A1:B2', []],
])('a table with its header in %s is one for all copies', async (ref, expected) => {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const parts = {
    'xl/tables/table1.xml': `<table xmlns="${main}" id="1" name="T" displayName="T" ref="${ref}"/>`,
    'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/table" Target="../tables/table1.xml"/></Relationships>`,
  };
  expect(await check('t.xlsx', workbook({ sheets: [{ name: 'S', cells: good }], names, parts }))).toEqual(expected);
});

// Asserts contract/reports.md#definition-check.
test('merged cells over a row of a band and of another one are split', async () => {
  const sheet = { name: 'S', cells: good, merges: ['A2:A3', 'A1:B1'] };
  expect(await check('t.xlsx', workbook({ sheets: [sheet], names }))).toEqual([
    'warning | T | S!A2:A3 | the merged cells are split: they are in ranges of Orders, Sums',
  ]);
});

// Asserts contract/reports.md#definition-check.
test('a Word document: aliases, tables of bands', async () => {
  const p = (content: string): string => `<w:p><w:r><w:t>${content}</w:t></w:r></w:p>`;
  const row = (content: string): string => `<w:tr><w:tc>${p(content)}</w:tc></w:tr>`;
  const body =
    p('${Root.from} ${Sums.total} ${Sums.none} ${alone}') +
    `<w:tbl>${row('##band=Orders Number')}${row('${number} ${customer.name} ${customer.x} ${Root.x}')}</w:tbl>` +
    `<w:tbl>${row('##band=Ordes ${number}')}</w:tbl>`;
  const second = `<w:tbl>${row('##band=Orders')}${row('##band=Orders ${number}')}</w:tbl>${p('##band=Orders')}`;
  const control = `<w:tbl>${row('##band=HeadControl ${x}')}${row('${x}')}</w:tbl>`;
  const bandsOfControl = [...BANDS, { name: 'HeadControl', dataSets: [SET] }];
  expect(await check('t.docx', wordDocument({ body: second + control }), { bands: bandsOfControl })).toEqual([
    'warning | T | paragraph 2 | the label ##band has no effect and stays as it is written: a table has one, ##band=Name, in its first row',
    'warning | T | paragraph 3 | the label ##band has no effect and stays as it is written: a table has one, ##band=Name, in its first row',
    'warning | T |  | the band Head is not shown: no table belongs to it',
    'warning | T |  | the band Sums is not shown: no table belongs to it',
    'warning |  |  | no template shows total, n of the band Sums',
  ]);
  const field = `<w:p><w:r><w:instrText> HYPERLINK "\${Root.from}" </w:instrText></w:r></w:p>`;
  expect(await check('t.docx', wordDocument({ body: p('a') + field }))).toContain(
    'warning | T | paragraph 2 | ${Root.from} stays as it is written: it is outside of what a run fills',
  );
  expect(await check('t.docx', wordDocument({ body, header: p('${Sums.n} ${Nothing.n}') }))).toEqual([
    'error | T | paragraph 4 | the table belongs to the band Ordes, which the report does not have; did you mean Orders?',
    'error | T | paragraph 1 | ${Sums.none} never has a value: the band Sums has no such field',
    'warning | T | paragraph 1 | ${alone} stays as it is written: it is outside of the tables of bands and names none',
    'error | T | paragraph 3 | ${customer.x} never has a value: it is no field of the band Orders',
    'error | T | paragraph 3 | ${Root.x} never has a value: the band Root has no such field',
    'warning | T | paragraph 4 | ${number} stays as it is written: it is outside of the tables of bands and names none',
    'warning | T | header1.xml, paragraph 1 | ${Nothing.n} stays as it is written: it is outside of the tables of bands and names none',
    'warning | T |  | the band Head is not shown: no table belongs to it',
  ]);
});

// Asserts contract/reports.md#definition-check.
test('links to other content are cut, but no hyperlinks', async () => {
  const links = ['image', 'attachedTemplate', 'hyperlink'].map(
    (type, index) =>
      `<Relationship Id="rId${index}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="https://example.org/${type}" TargetMode="External"/>`,
  );
  const parts = {
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links.join('')}</Relationships>`,
  };
  expect(await check('t.docx', wordDocument({ body: '<w:p/>', parts }), { bands: [] })).toEqual([
    'warning | T | document.xml | a link to other content (image) is cut: embed what the document should show',
  ]);
});

// Asserts contract/reports.md#definition-check.
test('a sum of the rows of all groups has the sums of the groups, too', async () => {
  const rows = { name: 'Rows', dataSets: [{ ...SET, name: 'r' }] };
  const bands: readonly ReportBand[] = [{ name: 'Group', dataSets: [SET], bands: [rows] }, { name: 'All' }];
  const ranges = { Group: 'S!$A$1:$C$1', Rows: 'S!$A$2:$C$2', All: 'S!$A$3:$C$3' };
  const cells = { A1: 'of ${a}', B1: '=SUM(B2)', C1: '=SUBTOTAL(9,C2)', A2: '${a}', B2: '${b}', C2: '${c}' };
  const totals = { A3: '=COUNTA(A2)', B3: '=SUM(B2)', C3: '=SUBTOTAL(9,C2)' };
  const sheets = [{ name: 'S', cells: { ...cells, ...totals } }];
  expect(await check('t.xlsx', workbook({ sheets, names: ranges }), { bands })).toEqual([
    'warning | T | S!B3 | the formula refers to B2 of all groups: values of Group count, too',
  ]);
});

// Asserts contract/reports.md#definition-check.
test('texts that resemble aliases, INDIRECT, and ranges that overlap are named', async () => {
  const stays = (text: string): string =>
    `${text} stays as it is written: an alias is \${name}, of letters, digits, _ and dots`;
  const cells = {
    ...good,
    C2: '$ {a-b} ${number}, #{n}',
    D1: '{{ title }}',
    E1: 'a {1} $5',
    C3: '=SUM(INDIRECT("A"&2))',
  };
  const ranges = { Head: 'S!$A$1:$E$1', Orders: 'S!$A$2:$C$2', Sums: 'S!$A$2:$C$3' };
  const comments = '<comments><comment ref="A2"><text><t>of ${x}</t></text></comment></comments>';
  const parts = {
    'xl/comments1.xml': comments,
    'docProps/core.xml': '<p><title>${x}</title></p>',
    'xl/worksheets/_rels/sheet1.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="../comments1.xml"/></Relationships>',
  };
  expect(await check('t.xlsx', workbook({ sheets: [{ name: 'S', cells }], names: ranges, parts }))).toEqual([
    `warning | T | S!D1 | ${stays('{{ title }}')}`,
    `warning | T | S!C2 | ${stays('$ {a-b}')}`,
    `warning | T | S!C2 | ${stays('#{n}')}`,
    'warning | T | S!C3 | INDIRECT has its references as text, which bands do not move',
    'warning | T | S!A2:C2 | the cells are in the ranges of Orders and of Sums',
    'warning | T | docProps/core.xml | ${x} stays as it is written: it is outside of what a run fills',
    'warning | T | S, comments1.xml | ${x} stays as it is written: it is outside of what a run fills',
  ]);
  const p = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
  const tables = ['##Band=Orders', '##band=Orders ##band=Sums ${number}', '##band=Orders no alias']
    .map((text) => `<w:tbl><w:tr><w:tc>${p(text)}</w:tc></w:tr></w:tbl>`)
    .join('');
  const found = await check('t.docx', wordDocument({ body: `${p('${first name} ${open')}${tables}` }));
  expect(found.slice(0, 5)).toEqual([
    'warning | T | paragraph 4 | no row is repeated for the band Orders: none has one of its aliases',
    'warning | T | paragraph 2 | the label ##band has no effect and stays as it is written: a table has one, ##band=Name, in its first row',
    'warning | T | paragraph 3 | the label ##band has no effect and stays as it is written: a table has one, ##band=Name, in its first row',
    `warning | T | paragraph 1 | ${stays('${first name}')}`,
    `warning | T | paragraph 1 | ${stays('${open')}`,
  ]);
});

// Asserts contract/reports.md#definition-check.
test('fields of Word that load something, and fields of form letters, are named', async () => {
  const field = (instr: string): string =>
    `<w:p><w:fldSimple w:instr="${instr}"><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>`;
  const body = `<w:p/>${field(' INCLUDEPICTURE &quot;logo.png&quot; ')}${field(' MERGEFIELD Name ')}${field(' PAGE ')}`;
  expect(await check('t.docx', wordDocument({ body }), { bands: [] })).toEqual([
    'warning | T | document.xml | the field INCLUDEPICTURE becomes what it shows in the template: documents load nothing',
    'warning | T | paragraph 3 | the field MERGEFIELD Name stays as it is: aliases such as ${Band.Name} are filled',
  ]);
});

// Asserts contract/reports.md#definition-check.
test('HTML has its formatting in Word alone', async () => {
  const formats = { 'Orders.number': '${html}' };
  const warning = 'the format ${html} of Orders.number has no effect here: the text is shown with its tags';
  const sheets = [{ name: 'S', cells: good }];
  expect(await check('t.xlsx', workbook({ sheets, names }), { formats })).toEqual([`warning | T |  | ${warning}`]);
  expect(await check('t.csv', '${number},${total},${n}', { formats })).toEqual([`warning | T |  | ${warning}`]);
  const page =
    '{% for o in Root.bands.Orders %}{{ o.fields.number }}{% endfor %}{{ Root.bands.Sums[0].fields.total }} n';
  expect(await check('t.html', page, { formats })).toEqual([]);
});

// Asserts contract/reports.md#definition-check.
test('text: columns and titles of CSV, bands and fields of a page', async () => {
  expect(await check('t.csv', 'Number,Total\n${number},${nothing},${total},${n}')).toEqual([
    'error | T |  | the column ${nothing} is always empty: no band of the first level has this field',
    'error | T |  | the template has 2 titles and 4 columns',
  ]);
  const cross: ReportBand = { name: 'X', orientation: 'cross', dataSets: [{ ...SET, name: 'x_master_data' }] };
  expect(await check('t.csv', '${number},${amount},${total},${n}', { bands: [...BANDS, cross] })).toEqual([
    'error | T |  | the column ${amount} is always empty: no band of the first level has this field',
  ]);
  expect(await check('t.csv', 'Number;Total;\n"${number}";EUR ${total};${n}\nend')).toEqual([
    'warning | T |  | the text beside the aliases is left out: EUR',
    'warning | T |  | the text below the aliases becomes a part of the titles: end',
  ]);
  const page =
    '{% for o in Root.bands.Orders %}\n{{ o.fields.number }}{{ o.fields.customer.x }}\n{% endfor %}{{ Root.bands.Nothing[0].fields.x }} {{ Root.fields.to }} total n';
  expect(await check('t.html', page)).toEqual([
    'error | T | line 3 | the report has no band Nothing',
    'error | T | line 2 | fields.customer.x never has a value: the band Orders has no such field',
    'error | T | line 3 | fields.to never has a value: the band Root has no such field',
  ]);
  expect(await check('t.csv', 'Number,Total')).toContain(
    'error | T |  | the template has no columns: no line has an alias',
  );
  const bytes = new Uint8Array(Buffer.from('Gr\u00f6\u00dfe', 'latin1'));
  expect(await check('t.csv', bytes)).toContain('error | T |  | the file is not UTF-8: save it with this encoding');
  const lists =
    '{% assign all = Root.bands.Orders %}\n{% for o in all %}{{ o.fields["nmber"] }}{{ o.nmber }}{% endfor %}\n' +
    '{% assign sum = Root.bands.Sums[0] %}{{ sum.fields.totl }}{{ all.size }}{{ total }} n{% for x in O %}{{ x }}{% endfor %}\n' +
    '<#list x as y>${o.number}<img src="logo.png"><script></script><img src="data:x"><a href="#x">';
  expect(await check('t.html', lists)).toEqual([
    'error | T | line 2 | fields.nmber never has a value: the band Orders has no such field',
    'error | T | line 3 | fields.totl never has a value: the band Sums has no such field',
    'error | T | line 2 | o.nmber never has a value: o.fields.nmber is the field of the row',
    'error | T | line 3 | total never has a value: all data are below Root',
    'error | T | line 3 | O never has a value: all data are below Root',
    'warning | T | line 4 | <#list stays as it is written: pages are in the Liquid language, {{ … }}',
    'warning | T | line 4 | ${o.number} stays as it is written: pages are in the Liquid language, {{ … }}',
    'warning | T | line 4 | logo.png is not loaded: a template is one file, with addresses of https: and data:',
    'warning | T | line 4 | scripts do not run in documents',
  ]);
  const rows =
    '{{ Root.from }}\n{% for o in Root.bands.Orders %}{{ o.number | append: "o.x" }}{{ forloop.index }} o.x{% endfor %}\n{{ Root.bands.Sums.fields.n }}{{ Root.bands.Sums.first.fields.total }}';
  expect(await check('t.html', rows)).toEqual([
    'error | T | line 1 | Root.from never has a value: Root.fields.from is the field of the row',
    'error | T | line 2 | o.number never has a value: o.fields.number is the field of the row',
    'error | T | line 3 | bands.Sums is a list: bands.Sums[0] is its first row, and a loop has all of them',
  ]);
});

// Asserts contract/reports.md#definition-check.
test('formats, a template that cannot be read, and fields of data that only a run knows', async () => {
  const formats = { 'Sums.total': '#,##0.00', 'Sums.n': '#,#,0.0.0 ggg', 'Orders.none': 'dd.MM.yyyy', number: '%10s' };
  const bands: readonly ReportBand[] = [
    ...BANDS,
    { name: 'Json', dataSets: [{ kind: 'json', name: 'j', source: { parameter: 'from' }, path: '$' }] },
  ];
  expect(await check('t.csv', '${number},${total},${n},${anything.at.all}', { formats, bands })).toEqual([
    'error |  |  | the format #,#,0.0.0 ggg of Sums.n is one of neither numbers nor dates in en, de',
    'warning |  |  | the format of Orders.none is used by no field',
  ]);
  expect((await check('t.xlsx', 'no zip'))[0]).toMatch(/^error \| T \| {2}\| the file is no zip archive/);
});
