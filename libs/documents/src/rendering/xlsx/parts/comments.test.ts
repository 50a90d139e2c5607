// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { zipSync } from 'fflate';
import { bandTree, rowsOf } from '../../../../test/band-tree.ts';
import { caseOf, renderFile } from '../../../../test/xlsx-result.ts';
import { readPackage } from '../../ooxml/read-package.ts';

const tree = (rows = 3) =>
  bandTree({ H: [{}], B: rowsOf(...Array.from({ length: rows }, (_, n) => ({ n }))), F: [{}] });
const found = (xml: string, pattern: RegExp): readonly (string | undefined)[] =>
  [...xml.matchAll(pattern)].map(([, text]) => text);

// Asserts contract/report-templates.md#xlsx.
test('comments move and are copied with their cells, each with a shape of its own', async () => {
  const { part } = await renderFile(caseOf('comments.xlsx'), tree());
  const comments = part('xl/comments/comment1.xml');
  expect(found(comments, /ref="(\w+)"/g)).toEqual(['A2', 'A3', 'A4', 'A5']);
  expect(found(comments, /<t>([^<]*)</g)).toEqual([...Array(3).fill('about the line'), 'about the total']);
  const shapes = part('xl/drawings/commentsDrawing1.vml');
  expect(found(shapes, /:Row>(\d+)</g)).toEqual(['1', '2', '3', '4']);
  expect(found(shapes, / id="(_x0000_s\d+)"/g)).toEqual([
    '_x0000_s1026',
    '_x0000_s2049',
    '_x0000_s2050',
    '_x0000_s1027',
  ]);
  expect(shapes).toContain('data="1,2"');
});

// Asserts contract/report-templates.md#xlsx.
test('comments of a band without rows go', async () => {
  const { part } = await renderFile(caseOf('comments.xlsx'), tree(0));
  expect(found(part('xl/comments/comment1.xml'), /ref="(\w+)"/g)).toEqual(['A2']);
  expect(found(part('xl/drawings/commentsDrawing1.vml'), /:Row>(\d+)</g)).toEqual(['1']);
});

// Asserts contract/report-templates.md#xlsx.
test('threads are copied with their replies, linked by new ids; shapes of comments are read as Office writes them', async () => {
  const root = '{11111111-1111-4111-8111-111111111111}';
  const reply = '{22222222-2222-4222-8222-222222222222}';
  const parts = new Map(await readPackage(caseOf('comments.xlsx')));
  const edit = (name: string, change: (text: string) => string) =>
    parts.set(name, new TextEncoder().encode(change(new TextDecoder().decode(parts.get(name)))));
  edit('xl/comments/comment1.xml', (xml) =>
    xml
      .replace('<author>me</author>', `<author>me</author><author>tc=${root}</author>`)
      .replace('ref="A2" authorId="0"', `ref="A2" authorId="1" xmlns:xr="xr" xr:uid="${root}"`),
  );
  edit('xl/drawings/commentsDrawing1.vml', (xml) =>
    xml
      .replace('<div style="text-align:left"/>', '<div>a<br>b</div>')
      .replace(/<(ns2):Row>/, '<$1:Anchor>1, 15, 1, 2, 3, 15, 5, 4</$1:Anchor><$1:Row>'),
  );
  edit('xl/worksheets/_rels/sheet1.xml.rels', (xml) =>
    xml.replace(
      '</Relationships>',
      '<Relationship Type="http://schemas.microsoft.com/office/2017/10/relationships/threadedComment" Target="/xl/threadedComments/t.xml" Id="t"/></Relationships>',
    ),
  );
  edit(
    'xl/threadedComments/t.xml',
    () =>
      `<ThreadedComments><threadedComment ref="A2" id="${root}" personId="{P}"><text>q</text></threadedComment><threadedComment ref="A2" id="${reply}" parentId="${root}" personId="{P}"><text>a</text></threadedComment></ThreadedComments>`,
  );
  const { part } = await renderFile(zipSync(Object.fromEntries(parts)), tree());
  const threads = part('xl/threadedComments/t.xml');
  expect(found(threads, /ref="(\w+)"/g)).toEqual(['A2', 'A3', 'A4', 'A2', 'A3', 'A4']);
  const ids = found(threads, / id="([^"]*)"/g);
  expect(ids.slice(0, 3)).toEqual(found(threads, /parentId="([^"]*)"/g));
  expect([ids[0], ids[3], new Set(ids).size]).toEqual([root, reply, 6]);
  const comments = part('xl/comments/comment1.xml');
  expect(found(comments, /<author>tc=([^<]*)</g)).toEqual(ids.slice(0, 3));
  expect(found(comments, /xr:uid="([^"]*)"/g)).toEqual(ids.slice(0, 3));
  expect(found(comments, /authorId="(\d)"/g)).toEqual(['1', '2', '3', '0']);
  expect(found(part('xl/drawings/commentsDrawing1.vml'), /:Anchor>(\d[^<]*)</g)).toEqual([
    '1, 15, 1, 2, 3, 15, 5, 4',
    '1, 15, 2, 2, 3, 15, 6, 4',
    '1, 15, 3, 2, 3, 15, 7, 4',
  ]);
});
