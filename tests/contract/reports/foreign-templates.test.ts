// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { eventually, partOfDocument } from '@lintel/testkit';
import { as, baseUrl, type Response, tokenOf } from '../api.ts';

const CASES = new URL('../../../libs/documents/test/cases/', import.meta.url);
const RUN = Date.now();
const CODE = `foreign-${RUN}`;
/** The log names it, so it is of this run of the tests. */
const BROKEN_PATH = `$.broken_${RUN}[*]`;
const PATH = `/rest/reports/run/code/${CODE}`;

const json = (name: string, path: string) => ({ kind: 'json', name, source: { parameter: 'data' }, path });
const DEFINITION = JSON.stringify({
  parameters: ['data', 'title'].map((alias) => ({ alias, name: alias, type: 'TEXT' })),
  bands: [
    { name: 'H' },
    { name: 'B', dataSets: [json('b', '$.B[*]')] },
    { name: 'F' },
    {
      name: 'X',
      orientation: 'cross',
      dataSets: [json('X_dynamic_header', '$.h[*]'), json('X_master_data', '$.m[*]'), json('x', '$.c[*]')],
    },
    {
      name: 'Block',
      dataSets: [json('k', '$.B[*]')],
      bands: [{ name: 'Lines', dataSets: [{ kind: 'collection', name: 'l', field: 'Block.lines' }] }],
    },
    { name: 'Broken', dataSets: [json('broken', BROKEN_PATH)] },
  ],
  formats: { 'B.page': '${html}' },
});
const DATA = {
  B: [1, 2, 3].map((v) => ({
    ...{ n: `n${v}`, v, a: `a${v}`, b: `b${v}`, c: `c${v}`, customer: { name: `N${v}` } },
    lines: Array.from({ length: v }, (_, n) => ({ n: n + 1 })),
    page: '<p style="break-after:page">one</p><p>two</p>',
  })),
  h: [1, 2].map((month) => ({ caption: `M${month}`, year: 2026, month })),
  m: [{ id: 1, name: 'Pen' }],
  c: [2, 1].map((month) => ({
    ...{ X_dynamic_header_year: 2026, X_dynamic_header_month: month, X_master_data_id: 1, amount: month * 10 },
  })),
};
const LONG_TITLE = 'A title '.repeat(12_000);
const FILES: readonly (readonly [name: string, content: Buffer])[] = [
  ...['chart-one-cell.xlsx', 'comments.xlsx', 'block-without-own-alias.docx', 'rows-with-one-number.xlsx'],
  ...['cross-two-fields.xlsx', 'strict.xlsx', 'strict.docx', 'copied-ids.docx', 'copied-ids.xlsx'],
].map((name) => [name, readFileSync(new URL(name, CASES))] as const);
const TEXTS = [
  ['path.csv', Buffer.from('\ufeff"Name"\n${customer.name}\n')],
  ['long-title.csv', Buffer.from(`${LONG_TITLE}\n\${n}\n`)],
  ['two-titles.csv', Buffer.from('One,Two\n${n}\n')],
  ['path.html', Buffer.from('<p>{{ Root.bands.B[1].fields.customer.name }}</p>')],
] as const;

let templates: readonly { readonly code: string; readonly name: string; readonly content: string }[];
let reportId: string;

beforeAll(async () => {
  const stored = await Promise.all(
    [...FILES, ...TEXTS].map(async ([name, body]) => {
      const headers = { 'content-type': 'application/octet-stream' };
      const uploaded = await as('admin', 'POST', `/files?name=${name}`, { body, headers });
      const reportOutputType = name.slice(name.lastIndexOf('.') + 1).toUpperCase();
      return { code: name, name, reportOutputType, isDefault: false, content: uploaded.json().fileRef };
    }),
  );
  templates = stored.map(({ code, name, content }) => ({ code, name, content }));
  const body = { name: `Foreign ${CODE}`, code: CODE, restAccess: true, definition: DEFINITION, templates: stored };
  const saved = await as('admin', 'POST', '/entities/report_Report', { body });
  expect([saved.status, saved.text]).toEqual([201, expect.any(String)]);
  reportId = saved.json().id;
});
afterAll(async () => {
  await as('admin', 'DELETE', `/entities/report_Report/${reportId}`);
});

const bodyOf = (template: string, more: object = {}, data: object = DATA, title = 'A title') => ({
  template,
  parameters: [
    { name: 'data', value: JSON.stringify(data) },
    { name: 'title', value: title },
  ],
  ...more,
});
async function documentOf(template: string, ...given: [more?: object, data?: object, title?: string]) {
  const headers = { authorization: `Bearer ${await tokenOf('manager')}` };
  const body = JSON.stringify(bodyOf(template, ...given));
  const response = await fetch(baseUrl + PATH, { method: 'POST', headers, body });
  return new Uint8Array(await response.arrayBuffer());
}
const found = (xml: string, pattern: RegExp) => [...xml.matchAll(pattern)].map(([, text]) => text);
const textOf = async (template: string, more?: object): Promise<string> =>
  Buffer.from(await documentOf(template, more)).toString('latin1');

describe('templates that other programs wrote (contract/report-templates.md#xlsx, #docx)', () => {
  const partOf = async (template: string, part: string, data?: object): Promise<string> =>
    partOfDocument(await documentOf(template, {}, data), part);

  // Asserts contract/report-templates.md#xlsx.
  test('charts and comments of copied rows, rows with one number and cross tables come back whole', async () => {
    const chart = await partOf('chart-one-cell.xlsx', 'xl/charts/chart1.xml');
    expect(found(chart, /<f>([^<]*)</g)).toEqual(['S!$A$2:$A$4', 'S!$B$2:$B$4']);
    const comments = await partOf('comments.xlsx', 'xl/comments/comment1.xml');
    expect(found(comments, / ref="(\w+)"/g)).toEqual(['A2', 'A3', 'A4', 'A5']);
    const rows = await partOf('rows-with-one-number.xlsx', 'xl/worksheets/sheet1.xml');
    expect(found(rows, /<t [^>]*>([^<]*)</g)).toEqual([1, 2, 3].flatMap((v) => [`a${v}`, `b${v}`, `c${v}`]));
    const renamed = DATA.c.map((cell) =>
      Object.fromEntries(Object.entries(cell).map(([name, value]) => [name.replace(/_(?=[a-z]+$)/, '@'), value])),
    );
    for (const c of [DATA.c, renamed]) {
      const cross = await partOf('cross-two-fields.xlsx', 'xl/worksheets/sheet1.xml', { ...DATA, c });
      expect(found(cross, /<v>(\d+)</g)).toEqual(['10', '20']);
    }
  });

  // Asserts contract/report-templates.md#docx.
  test('a block of Word is repeated with its lines, and is there once without rows', async () => {
    const block = await partOf('block-without-own-alias.docx', 'word/document.xml');
    expect(found(block, /<w:t[^>]*>([^<]+)</g).join('')).toBe('aH1H12H123b');
    // By default an empty row stands for rows that are missing.
    const empty = await partOf('block-without-own-alias.docx', 'word/document.xml', { ...DATA, B: [] });
    expect(found(empty, /<w:t[^>]*>([^<]+)</g).join('')).toBe('aHb');
  });

  // Asserts contract/report-templates.md#values, contract/report-templates.md#formats.
  test('paths lead into objects, and a byte order mark of a template is no text', async () => {
    const lines = '"N1"\n"N2"\n"N3"\n';
    expect(await textOf('path.csv')).toBe(`"Name"\n${lines}${lines}`);
    expect(await textOf('path.csv', { bom: true })).toBe(`\u00ef\u00bb\u00bf"Name"\n${lines}${lines}`);
    expect(await textOf('path.html')).toContain('<p>N2</p>');
  });

  // Asserts contract/report-templates.md#xlsx.
  test('strict documents are refused with the reason', async () => {
    for (const strict of ['strict.xlsx', 'strict.docx']) expect(await textOf(strict)).toContain('a strict document');
  });

  // Asserts contract/report-templates.md#docx, contract/report-templates.md#xlsx.
  test('ids are unique in documents with copies of pictures, text boxes, controls, comments and VML', async () => {
    const word = await documentOf('copied-ids.docx');
    const shapes = ['word/document.xml', 'word/header1.xml'].map((part) => partOfDocument(word, part)).join('');
    const book = await documentOf('copied-ids.xlsx');
    const drawing = partOfDocument(book, 'xl/drawings/drawing1.xml');
    const notes = partOfDocument(book, 'xl/drawings/vmlDrawing1.vml');
    for (const [xml, pattern, count] of [
      [shapes, /<wp:docPr id="(\d+)"/g, 7],
      [shapes, /<(?:wps|pic):cNvPr id="(\d+)"/g, 7],
      [shapes, /<v:shape id="([^"]+)"/g, 6],
      [shapes, /<w:sdtPr>.*?<w:id w:val="([^"]+)"/g, 1],
      [shapes, /<w:bookmarkStart [^>]*w:id="(\d+)"/g, 1],
      [shapes, /<v:shapetype id="([^"]+)"/g, 1],
      [drawing, /<xdr:cNvPr id="(\d+)"/g, 15],
      [notes, /<v:shape id="([^"]+)"/g, 3],
    ] as const) {
      const ids = found(xml, pattern);
      expect([pattern.source, ids.length, new Set(ids).size]).toEqual([pattern.source, count, count]);
    }
    expect(found(shapes, / w14:paraId="(\w+)"/g).length).toBeLessThanOrEqual(6);
  });

  // Asserts contract/report-templates.md#values, contract/report-templates.md#html, contract/report-templates.md#xlsx.
  test('page breaks of HTML, the title of PDF and long headers are as documented', async () => {
    const word = await partOf('copied-ids.docx', 'word/document.xml');
    expect(found(word, /<w:br w:type="(page)"\/>|<w:(pageBreakBefore)/g)).toHaveLength(3);
    const pdf = await textOf('path.html', { outputType: 'PDF' });
    expect(pdf).toMatch(/\/Title ?\(path\)/);
    const book = await documentOf('copied-ids.xlsx', {}, DATA, 'x'.repeat(300));
    const [header = ''] = found(partOfDocument(book, 'xl/worksheets/sheet1.xml'), /<oddHeader>([^<]*)</g);
    expect(header.replace('&amp;', '&')).toHaveLength(255);
  });

  // Asserts contract/reports.md#definition-check.
  test('a check names merged cells of two bands, and titles without columns', async () => {
    const wanted = templates.filter(({ name }) => ['copied-ids.xlsx', 'two-titles.csv'].includes(name));
    const body = { definition: DEFINITION, templates: wanted };
    const { problems } = (await as('admin', 'POST', '/reports/definition/check', { body })).json();
    expect(problems).toEqual(
      expect.arrayContaining([
        {
          severity: 'warning',
          message: 'the merged cells are split: they are in ranges of B, F',
          template: 'copied-ids.xlsx',
          location: 'S!E2:E3',
        },
        { severity: 'error', message: 'the template has 2 titles and 1 columns', template: 'two-titles.csv' },
      ]),
    );
  });
});

describe('a run that fails after the first bytes (contract/reports.md#run-response)', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n: `number ${n}` }));
  const failing = (template: string, count: number) =>
    JSON.stringify(bodyOf(template, {}, { B: rows(count), [`broken_${RUN}`]: [1] }));

  // Asserts contract/reports.md#run-response.
  test.each([
    ['few rows', 'path.csv', 3],
    ['a frame of more than 64 KiB', 'long-title.csv', 0],
  ])('a run that fails after %s returns the status and the message', async (_case, template, count) => {
    const response: Response = await as('manager', 'POST', `/reports/run/code/${CODE}`, {
      body: failing(template, count),
    });
    expect([response.status, response.json()]).toEqual([
      500,
      {
        error: 'Run report error',
        details:
          'An error occurred while loading data for band [Broken] and query [broken]. ' +
          `Report name [Foreign ${CODE}]\nThe path ${BROKEN_PATH} does not lead to objects`,
      },
    ]);
  });

  // Asserts contract/reports.md#run-response.
  test('a document of which a client has rows ends without its end, for HTTP 1.1 and 1.0', async () => {
    const body = failing('long-title.csv', 5_000);
    const headers = { authorization: `Bearer ${await tokenOf('manager')}` };
    // A reset connection may take the bytes before it along: then the request fails at once.
    const whole = fetch(baseUrl + PATH, { method: 'POST', headers, body }).then((response) => response.text());
    await expect(whole).rejects.toThrow();
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    socket.resume();
    const lines = Object.entries({ host: hostname, ...headers, 'content-length': Buffer.byteLength(body) });
    socket.write(
      `POST ${PATH} HTTP/1.0\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    );
    const end = await new Promise((resolve) => {
      socket.on('error', resolve).on('end', () => resolve('end'));
    });
    expect(end).toMatchObject({ code: 'ECONNRESET' });
    // The log of a system that others have started is not here.
    const log = process.env['LINTEL_SYSTEM_LOG'];
    if (log === undefined) return;
    const isCut = (line: string): boolean => line.includes(BROKEN_PATH) && /\bcut"?[:=]true/.test(line);
    await eventually(() => expect(readFileSync(log, 'utf8').split('\n').filter(isCut)).toHaveLength(2));
  });
});
