// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { type ReportOutputType, type ReportTemplate, report } from '@lintel/application';
import { buildModel, createMessages, displayIn } from '@lintel/metadata';
import { workbook } from '../../test/drawn-workbook.ts';
import type { BandContext } from '../bands/band-context.ts';
import { compileTemplate } from './compile-template.ts';
import type { DocumentConverters } from './converting/document-converters.ts';
import { wordDocument } from './docx/writing/word-document.ts';
import { readPackage } from './ooxml/read-package.ts';
import { renderReport } from './render-report.ts';

const encoder = new TextEncoder();
const FILES: Readonly<Record<string, Uint8Array>> = {
  'list.html': encoder.encode(
    '<p>{{ Root.fields.title }}</p>{% for row in Root.bands.Rows %}<b>{{ row.fields.name }}</b>{% endfor %}',
  ),
  'list.txt': encoder.encode(
    '{{ Root.fields.title }}: {% for row in Root.bands.Rows %}{{ row.fields.name }};{% endfor %}',
  ),
  'list.csv': encoder.encode('Name\n${name}'),
  'list.docx': wordDocument({ body: '<w:p><w:r><w:t>${Root.title}: ${Rows.name}</w:t></w:r></w:p>' }),
  'list.xlsx': workbook({ sheets: [{ name: 'List', cells: { A1: '${name}' } }], names: { Rows: 'List!$A$1:$A$1' } }),
};

const data: BandContext['data'] = {
  load: () => {
    throw new Error('nothing is read');
  },
  select: () => {
    throw new Error('nothing is read');
  },
  readDocument: () => Promise.reject(new Error('nothing is read')),
};
const bands: BandContext = {
  model: buildModel({ entities: [], enums: [], fetchPlans: [] }),
  parameters: { title: '<A>' },
  parameterFields: new Map([['title', { kind: 'text', text: '<A>' }]]),
  data,
  signal: new AbortController().signal,
  maxPathMs: 1_000,
  maxCells: 1_000,
  putEmptyRow: true,
};

/** Converters that say what they were given. */
const asked: string[] = [];
const converters: DocumentConverters = {
  printHtml: async (html) => {
    asked.push(`print ${html}`);
    return encoder.encode('%PDF of html');
  },
  convertOffice: async (document, from, to) => {
    const parts = await readPackage(document);
    const main = parts.get(from === 'docx' ? 'word/document.xml' : 'xl/worksheets/sheet1.xml');
    asked.push(
      `${from} to ${to}: ${new TextDecoder()
        .decode(main)
        .replace(/<[^>]*>/g, '')
        .trim()}`,
    );
    return encoder.encode(`${to} of ${from}`);
  },
  findMissing: async () => [],
  findMissingPackage: () => undefined,
  close: async () => undefined,
};
beforeEach(() => asked.splice(0));

async function run(
  template: Partial<ReportTemplate> & { readonly outputType: ReportOutputType },
  limit = 10,
): Promise<string> {
  const definition = report({
    id: '5a0f6f0e-6a4f-4a52-9a07-0c3f6d1e7b99',
    code: 'list',
    name: 'List',
    restAccess: true,
    bands: [
      {
        name: 'Rows',
        dataSets: [{ kind: 'function', name: 'rows', rows: async () => [{ name: 'x' }, { name: 'y' }] }],
      },
    ],
    templates: [{ code: 'DEFAULT', file: 'list.html', ...template }],
  });
  const [only] = definition.templates;
  if (only === undefined) throw new Error('The report has no template');
  const compiled = await compileTemplate(
    only,
    async () => FILES[only.file] ?? Promise.reject(new Error('no file')),
    definition,
    { maxTags: 5_000 },
  );
  const rendered = await renderReport(definition, compiled, bands, {
    locale: displayIn(createMessages(), 'en'),
    limits: {
      htmlMaxRows: limit,
      liquid: { maxRenderMs: 60_000, maxOutputLength: 1_000_000 },
      csvFormulaGuard: false,
      xlsxMaxRows: 10,
      maxElements: 250_000,
      template: { maxTags: 5_000 },
      maxPathMs: 1_000,
      maxCells: 1_000,
      maxPicturesBytes: 1_000_000,
    },
    converters,
    pictures: { maxTotalBytes: 1_000_000, load: () => Promise.reject(new Error('no pictures')) },
  });
  const pieces = (await Array.fromAsync(rendered.content)).map((piece) => Buffer.from(piece));
  return `${rendered.fileName} ${Buffer.concat(pieces).toString('latin1')}`;
}

// Asserts contract/report-templates.md#formats.
test.each<[string, ReportOutputType, string]>([
  ['list.html', 'HTML', 'list.html <p>&lt;A&gt;</p><b>x</b><b>y</b>'],
  ['list.html', 'CUSTOM', 'list.html <p>&lt;A&gt;</p><b>x</b><b>y</b>'],
  ['list.html', 'CSV', 'list.csv <p>&lt;A&gt;</p><b>x</b><b>y</b>'],
  ['list.txt', 'TXT', 'list.txt <A>: x;y;'],
  ['list.txt', 'CUSTOM', 'list.txt <A>: x;y;'],
  ['list.csv', 'CSV', 'list.csv "Name"\n"x"\n"y"\n'],
])('%s becomes %s', async (file, outputType, document) => {
  expect(await run({ file, outputType })).toBe(document);
  expect(asked).toEqual([]);
});

// Asserts contract/report-templates.md#formats.
test.each<[string, ReportOutputType]>([
  ['list.docx', 'DOCX'],
  ['list.xlsx', 'XLSX'],
])('%s becomes %s without any converter', async (file, outputType) => {
  expect(await run({ file, outputType })).toMatch(new RegExp(`^${file} PK`));
  expect(asked).toEqual([]);
});

// Asserts contract/report-templates.md#formats.
test.each<[string, ReportOutputType, string, string]>([
  ['list.html', 'PDF', 'list.pdf %PDF of html', 'print <title>list</title><p>&lt;A&gt;</p><b>x</b><b>y</b>'],
  ['list.docx', 'PDF', 'list.pdf pdf of docx', 'docx to pdf: &lt;A&gt;: x'],
  ['list.docx', 'HTML', 'list.html html of docx', 'docx to html: &lt;A&gt;: x'],
  ['list.xlsx', 'PDF', 'list.pdf pdf of xlsx', 'xlsx to pdf: xy'],
  ['list.xlsx', 'HTML', 'list.html html of xlsx', 'xlsx to html: xy'],
])('%s becomes %s by a converter', async (file, outputType, document, given) => {
  expect(await run({ file, outputType })).toBe(document);
  expect(asked).toEqual([given]);
});

// Asserts contract/report-templates.md#formats.
test.each<[string, ReportOutputType]>([
  ['list.html', 'HTML'],
  ['list.html', 'PDF'],
  ['list.txt', 'TXT'],
  ['list.docx', 'DOCX'],
  ['list.docx', 'PDF'],
  ['list.xlsx', 'PDF'],
])('%s with more rows than it may have is no %s', async (file, outputType) => {
  await expect(run({ file, outputType }, 1)).rejects.toMatchObject({ code: 'REPORT_RUN_ERROR' });
});

describe('a template in code', () => {
  // Asserts contract/report-templates.md#formats.
  test('makes any document of the bands, and needs no file', async () => {
    const document = await run({
      file: 'labels.zpl',
      outputType: 'CUSTOM',
      render: ({ root, parameters, locale, signal }) =>
        `${locale} ${signal.aborted} ${parameters['title']} ${root.fields['title']} ${root.bands['Rows']?.map(({ name, fields }) => `${name}=${fields['name']}`)}`,
    });
    expect(document).toBe('labels.zpl en false <A> <A> Rows=x,Rows=y');
    const bytes = await run({ file: 'x', outputType: 'PDF', render: async () => new Uint8Array([65, 66]) });
    expect(bytes).toBe('x.pdf AB');
  });

  test('that fails is not taken for a mistake of the client', async () => {
    const render = () => {
      throw new Error('broken');
    };
    await expect(run({ outputType: 'CUSTOM', render })).rejects.toThrow('broken');
  });
});
