// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { bandTree, rowsOf } from '../band-tree.ts';
import { caseOf } from '../xlsx-result.ts';
import { bodyOf, docxOf, fillDocx, partsOf } from './docx-fixture.ts';

const cell = (content: string): string => `<w:tr><w:tc>${content}</w:tc></w:tr>`;
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const textsOf = (body: string): readonly string[] =>
  [...body.matchAll(/<w:t(?: [^>]*)?>([^<]*)</g)].map(([, text]) => text ?? '').filter((text) => text !== '');

describe('a block whose aliases are in the table within it', () => {
  const bandNames = new Set(['Block', 'Lines', 'Other']);
  const fill = async (blocks: readonly (readonly number[])[], template = caseOf('block-without-own-alias.docx')) => {
    const root = bandTree({
      Block: blocks.map((lines) => ({ below: { Lines: rowsOf(...lines.map((n) => ({ n }))) } })),
      Other: rowsOf({ n: 'x' }),
    });
    return textsOf(await bodyOf(await fillDocx(template, { root, bandNames })));
  };

  // Asserts contract/report-templates.md#docx.
  test('is repeated with its lines, and goes without rows', async () => {
    expect(await fill([[1], [2, 3]])).toEqual(['a', 'H', '1', 'H', '2', '3', 'b']);
    expect(await fill([])).toEqual(['a', 'b']);
  });

  // Asserts contract/report-templates.md#docx.
  test('keeps its head and the tables of other bands', async () => {
    const inner = (band: string): string => `<w:tbl>${cell(paragraph(`##band=${band} \${n}`))}</w:tbl><w:p/>`;
    const template = docxOf({
      body: `<w:tbl>${cell(paragraph('##band=Block Head'))}${cell(inner('Lines') + inner('Other'))}</w:tbl>`,
    });
    expect(await fill([[1], [2]], template)).toEqual(['Head', '1', 'x', '2', 'x']);
    expect(await fill([], template)).toEqual(['Head']);
  });
});

// Asserts contract/report-templates.md#docx.
test('copies of a row have ids of their own: drawings, text boxes, controls, shapes, comments', async () => {
  const drawing = (id: number): string =>
    `<w:r><w:drawing wp14:anchorId="1A" xmlns:wp14="wp14"><wp:inline xmlns:wp="wp"><wp:docPr id="${id}" name="P"/><a:graphic xmlns:a="a" xmlns:wps="wps"><wps:cNvPr id="${id + 1}"/><a:stCxn id="${id + 1}"/><a:ext><a:creationId id="{1}"/></a:ext></a:graphic></wp:inline></w:drawing></w:r>`;
  const vml =
    '<w:r><w:object xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="o"><v:shapetype id="_x0000_t75"/><v:shape id="_x0000_i1025" type="#_x0000_t75"/><o:OLEObject ShapeID="_x0000_i1025" ObjectID="_1"/></w:object></w:r>';
  const control =
    '<w:sdt><w:sdtPr><w:alias w:val="c"/><w:id w:val="7"/></w:sdtPr><w:sdtContent><w:r><w:t>c</w:t></w:r></w:sdtContent></w:sdt>';
  const template = docxOf({
    header: `<w:p>${drawing(50)}</w:p>`,
    body: `<w:tbl>${cell(`${paragraph('##band=Lines ${n}')}<w:p><w:commentRangeStart w:id="1"/>${drawing(3)}${vml}${control}</w:p>`)}</w:tbl>`,
  });
  const document = await fillDocx(template, {
    root: bandTree({ Lines: rowsOf({ n: 1 }, { n: 2 }, { n: 3 }) }),
    bandNames: new Set(['Lines']),
  });
  const body = (await partsOf(document)).get('word/document.xml') ?? '';
  const all = (pattern: RegExp): readonly string[] => [...body.matchAll(pattern)].map(([, id]) => id ?? '');
  const drawings = all(/(?:docPr|cNvPr) id="(\d+)"/g);
  expect([drawings.length, new Set([...drawings, '50', '51']).size]).toEqual([6, 8]);
  expect(all(/stCxn id="(\d+)"/g)).toEqual(all(/cNvPr id="(\d+)"/g));
  const shapes = all(/<v:shape id="([^"]*)"/g);
  expect(new Set(shapes).size).toBe(3);
  expect(all(/ShapeID="([^"]*)"/g)).toEqual(shapes);
  expect(new Set(all(/ type="([^"]*)"/g))).toEqual(new Set(['#_x0000_t75']));
  for (const single of [
    /<v:shapetype/g,
    /w:sdtPr><w:alias w:val="c"\/><w:id/g,
    /commentRangeStart/g,
    /anchorId/g,
    /creationId/g,
  ])
    expect([single.source, body.match(single)?.length]).toEqual([single.source, 1]);
  expect(new Set(all(/ObjectID="([^"]*)"/g)).size).toBe(3);
});
