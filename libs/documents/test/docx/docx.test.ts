// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { appendBand, type BandData, rootBand } from '../../src/bands/band-data.ts';
import { parseDocxTemplate } from '../../src/rendering/docx/docx-template.ts';
import { bodyOf, docxOf, fieldsOf, fillDocx, PIXEL, partsOf, sampleData, text } from './docx-fixture.ts';

const paragraph = (content: string): string => `<w:p><w:r><w:t>${content}</w:t></w:r></w:p>`;
const plain = (xml: string): string => xml.replace(/<[^>]*>/g, '');

describe('texts', () => {
  // Asserts contract/report-templates.md#formats.
  test('of headers are filled as those of the body', async () => {
    const parts = await partsOf(await fillDocx(docxOf({ body: '<w:p/>', header: paragraph('${Root.title}') })));
    expect(parts.get('word/header1.xml')).toContain('<w:t>Prices &amp; &lt;more&gt;</w:t>');
  });

  // Asserts contract/report-templates.md#formats.
  test('of values are read neither as aliases nor as markers of bands', async () => {
    const root = rootBand(fieldsOf({ title: text('${Lines.name} ##band=Lines'), secret: text('seen') }));
    const line = fieldsOf({ name: text('${Root.secret} ${name}'), html: text('<p>${Root.secret}</p>') });
    appendBand(root, { name: 'Lines', orientation: 'horizontal', data: line, isPlaceholder: false });
    const row = `<w:tbl><w:tr><w:tc>${paragraph('##band=Lines ${name}')}${paragraph('${html}')}<w:p/></w:tc></w:tr></w:tbl>`;
    const template = docxOf({ body: `${paragraph('${Root.title}')}${row}${paragraph('${Lines.html}')}` });
    const body = plain(await bodyOf(await fillDocx(template, { root, formats: { html: '${html}' } })));
    expect(body).toBe('${Lines.name} ##band=Lines${Root.secret} ${name}${Root.secret}${Root.secret}');
  });

  test('lose characters that no XML can hold', async () => {
    const root = rootBand(fieldsOf({ title: text('a\u0000b\u000bc\ud800d') }));
    expect(plain(await bodyOf(await fillDocx(docxOf({ body: paragraph('${Root.title}') }), { root })))).toBe(
      'abc\ufffdd',
    );
  });
});

describe('hyperlinks', () => {
  const link = (id: string, content: string): string =>
    `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>${content}</w:t></w:r></w:hyperlink></w:p>`;
  const targets = async (document: Uint8Array): Promise<readonly string[]> => {
    const relationships = (await partsOf(document)).get('word/_rels/document.xml.rels') ?? '';
    const used = [...(await bodyOf(document)).matchAll(/<w:hyperlink[^>]* r:id="([^"]*)"/g)].map((found) => found[1]);
    return used.map((id) => new RegExp(`Id="${id}"[^>]* Target="([^"]*)"`).exec(relationships)?.[1] ?? '');
  };

  // Asserts contract/report-templates.md#docx.
  test('have aliases in their addresses, percent-encoded as Office writes them', async () => {
    const links = {
      l1: 'https://example.org/$%7BLines.page%7D?q=$%7bLines.name%7d&amp;r=%2F',
      l2: '$%7BRoot.site%7D',
      l3: 'https://example.org/${Nobody.x}',
      l4: 'https://example.org/plain%20page',
    };
    const body = ['l1', 'l2', 'l3', 'l4'].map((id) => link(id, '${Lines.name}')).join('');
    expect(await targets(await fillDocx(docxOf({ body, links })))).toEqual([
      'https://example.org/p%2F1?q=Pen&amp;r=%2F',
      'https://example.org/a%20b?c=1',
      'https://example.org/${Nobody.x}',
      'https://example.org/plain%20page',
    ]);
  });

  // Asserts contract/report-templates.md#docx.
  test('of repeated rows lead where each row says', async () => {
    const body = `<w:tbl><w:tr><w:tc>${paragraph('##band=Lines ')}${link('l1', '${name}')}</w:tc></w:tr></w:tbl>`;
    const document = await fillDocx(docxOf({ body, links: { l1: 'https://example.org/$%7Bpage%7D' } }));
    expect(await targets(document)).toEqual(['https://example.org/p%2F1', 'https://example.org/p2']);
  });

  // Asserts contract/report-templates.md#docx.
  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'vbscript:x'])(
    'do not become %s',
    async (address) => {
      const root = rootBand(fieldsOf({ site: text(address) }));
      const template = docxOf({ body: link('l1', 'x'), links: { l1: '$%7BRoot.site%7D' } });
      expect(await targets(await fillDocx(template, { root }))).toEqual(['#']);
    },
  );
});

describe('pictures', () => {
  // Asserts contract/report-templates.md#values.
  test('become parts of the package, each source once', async () => {
    const body = paragraph('${Root.logo}') + paragraph('${Root.logo}');
    const parts = await partsOf(await fillDocx(docxOf({ body, header: paragraph('${Root.logo}') })));
    expect([...parts.keys()].filter((name) => name.startsWith('word/media/'))).toEqual(['word/media/report1.png']);
    expect(parts.get('[Content_Types].xml')).toContain('Extension="png" ContentType="image/png"');
    expect(parts.get('word/_rels/header1.xml.rels')).toContain('/word/media/report1.png');
  });

  test.each([
    ['text', Buffer.from('no picture').toString('base64'), /Root\.logo cannot be used: it is no PNG, JPEG or GIF/],
    ['a bomb of pixels', pngOf(60_000, 60_000), /Root\.logo cannot be used: it has more than 100000000 pixels/],
  ])('that are %s stop the run, which names the field', async (_, bytes, message) => {
    const root = rootBand(fieldsOf({ logo: text(bytes) }));
    await expect(fillDocx(docxOf({ body: paragraph('${Root.logo}') }), { root })).rejects.toThrow(message);
  });

  test('without a value are left out', async () => {
    const root = rootBand(fieldsOf({ logo: { kind: 'empty' } }));
    expect(await bodyOf(await fillDocx(docxOf({ body: paragraph('[${Root.logo}]') }), { root }))).toBe(paragraph('[]'));
  });
});

describe('HTML', () => {
  const fill = async (html: string, options: object = {}): Promise<string> => {
    const root = rootBand(fieldsOf({ note: text(html) }));
    return bodyOf(await fillDocx(docxOf({ body: paragraph('${Root.note}') }), { root, ...options }));
  };

  // Asserts contract/report-templates.md#safety.
  test.each([
    '<script>alert(1)</script>',
    '<style>p { color: red }</style>',
    '<iframe src="file:///etc/passwd">x</iframe>',
    '<object data="x">y</object>',
    '<svg onload="x"><text>z</text></svg>',
    '<img src="file:///etc/passwd">',
    '<a href="javascript:alert(1)"></a>',
    '<!-- ${Root.note} -->',
  ])('loses %s', async (html) => {
    const body = await fill(`<p>before</p>${html}<p>after</p>`);
    expect(plain(body)).toBe('beforeafter');
    expect(body).not.toMatch(/hyperlink|drawing/);
  });

  // Asserts contract/report-templates.md#values.
  test.each([
    ['<p>a</p><p style="page-break-before: always">b</p><p>c</p>', '-a +b -c'],
    ['<div style="break-after:page">a</div>b', '-a +b'],
    ['a<br style="page-break-before:always">b', '-a +b'],
    ['<ul><li>a</li><li style="break-before:page">b</li></ul>', '-•a +•b'],
    ['<p style="break-before:page">a</p><table><tr><td>b</td></tr></table>', '+a -b'],
    ['a<table style="break-before: page"><tr><td>b</td></tr></table>', '-a +b'],
    ['a<p style="break-after:page">b</p>', '-a -b -page'],
  ])('keeps the page breaks of %s', async (html, expected) => {
    const paragraphs = (await fill(html)).match(/<w:p>.*?<\/w:p>/g) ?? [];
    const drawn = paragraphs.map(
      (xml) =>
        `${xml.includes('pageBreakBefore') ? '+' : '-'}${plain(xml)}${xml.includes('w:type="page"') ? 'page' : ''}`,
    );
    expect(drawn.filter((text) => text.length > 1).join(' ')).toBe(expected);
  });

  test('begins the page that its paragraph begins, once', async () => {
    const root = rootBand(fieldsOf({ note: text('<p>a</p><p>b</p>') }));
    const template = '<w:p><w:pPr><w:keepNext/><w:pageBreakBefore/></w:pPr><w:r><w:t>${Root.note}</w:t></w:r></w:p>';
    const body = await bodyOf(await fillDocx(docxOf({ body: template }), { root }));
    expect(body.match(/pageBreakBefore/g)).toHaveLength(1);
    expect(body).toMatch(/^<w:p><w:pPr><w:keepNext\/><w:pageBreakBefore\/>/);
  });

  // Asserts contract/report-templates.md#values.
  test('keeps links, colours, sizes, alignment and tables', async () => {
    const body = await fill(
      '<h1 style="text-align:center">T</h1><p style="color:#f00;font-size:14pt">a <a href="https://e.org/?a&b">l</a></p>' +
        '<table><tr><th>H</th></tr><tr><td>c</td><td>d</td></tr></table>',
    );
    expect(body).toContain('<w:jc w:val="center"/>');
    expect(body).toContain('<w:color w:val="FF0000"/><w:sz w:val="28"/>');
    expect(body).toMatch(/<w:hyperlink [^>]*r:id="rId4"><w:r>.*<w:u w:val="single"\/>.*<w:t>l<\/w:t>/);
    expect([...body.matchAll(/<w:tr>/g), ...body.matchAll(/<w:tc>/g)]).toHaveLength(5);
  });

  test('has pictures of data addresses, no larger than they are', async () => {
    const body = await fill(`<p><img src="data:image/png;base64,${PIXEL}"></p>`);
    expect(body).toContain('<wp:extent cx="9525" cy="9525"/>');
  });

  test('has lists with numbers, literal text and rules', async () => {
    const body = await fill('<ol><li>a</li><li><b>b</b><ul><li>c</li></ul></li></ol><pre>d  e\nf</pre><hr>g   h');
    expect(plain(body)).toBe('1.a2.b•cd  efg h');
    expect(body).toContain('<w:ind w:left="720" w:hanging="360"/>');
    expect(body).toMatch(/<w:t>d {2}e<\/w:t><w:br\/><w:t>f<\/w:t>/);
    expect(body).toContain('<w:pBdr>');
  });

  test('has tables of as many columns as Word has', async () => {
    const body = await fill(`<table><tr>${'<td>x</td>'.repeat(100)}</tr></table>`);
    expect([...body.matchAll(/<w:tc>/g)]).toHaveLength(63);
  });

  // Asserts contract/report-templates.md#values.
  test.each([
    ['<tr><td colspan=2>a</td><td>b</td></tr><tr><td>c</td><td>d</td><td>e</td></tr>', 'a2 b | c d e', 3],
    ['<tr><td rowspan=2>a</td><td>b</td></tr><tr><td>c</td></tr><tr><td>d</td></tr>', 'a+ b | ^ c | d', 2],
    ['<tr><td>a</td><td rowspan=2 colspan=2>b</td></tr><tr><td>c</td></tr>', 'a b2+ | c ^2', 3],
    ['<tr><td>a</td><td rowspan=0>b</td></tr><tr></tr><tr><td>c</td></tr>', 'a b+ | c ^', 2],
    [
      '<tr><td>a</td><td>b</td><td rowspan=3>c</td></tr><tr><td>d</td></tr><tr><td colspan=9>e',
      'a b c+ | d  ^ | e2 ^',
      3,
    ],
    ['<thead><tr><td rowspan=9>a</td></tr></thead><tr><td>b</td></tr>', 'a+ | b', 1],
    [`<tr><td colspan=9999 rowspan=x>a</td><td>b</td></tr>`, 'a63', 63],
  ])('has merged cells: %s', async (rows, expected, columns) => {
    const body = await fill(`<table>${rows}</table>`);
    const drawn = body
      .split('<w:tr>')
      .slice(1)
      .map((row) =>
        row
          .split('<w:tc>')
          .slice(1)
          .map((cell) => {
            const span = /<w:gridSpan w:val="(\d+)"/.exec(cell)?.[1] ?? '';
            const merge = /<w:vMerge w:val="(\w+)"/.exec(cell)?.[1];
            return merge === 'continue' ? `^${span}` : `${plain(cell)}${span}${merge === 'restart' ? '+' : ''}`;
          })
          .join(' '),
      );
    expect([drawn.join(' | '), body.match(/<w:gridCol /g)?.length]).toEqual([expected, columns]);
  });

  test('has the caption of a table above it, and no line for a continued cell within a paragraph', async () => {
    const html = '<table><caption>T</caption><tr><td rowspan=2>a</td><td>b</td></tr><tr><td>c</td></tr></table>';
    expect(plain(await fill(html))).toBe('Tabc');
    const root = rootBand(fieldsOf({ note: text(html) }));
    const body = await bodyOf(await fillDocx(docxOf({ body: paragraph('x ${Root.note}') }), { root }));
    expect([plain(body), body.match(/<w:br\/>/g)?.length]).toEqual(['x Tabc', 3]);
  });

  test('whose cells continue in too many rows is refused', async () => {
    const row = `<tr>${'<td rowspan=0></td>'.repeat(60)}</tr>`;
    await expect(fill(`<table>${row}${'<tr><td></td></tr>'.repeat(200)}</table>`)).rejects.toThrow(
      'more than 10000 rows',
    );
  });

  // Asserts contract/report-templates.md#safety.
  test('that is very deep or very long does no harm', async () => {
    expect(plain(await fill(`${'<div>'.repeat(20_000)}x`))).toBe('');
    await expect(fill('x'.repeat(2_000_001))).rejects.toThrow('more than 2000000 characters');
  });
});

describe('the table of contents', () => {
  const heading = (content: string, style = 'Heading1'): string =>
    `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${content}</w:t></w:r></w:p>`;
  const styles =
    '<w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>' +
    '<w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="Heading2"/></w:style>' +
    '<w:style w:styleId="Heading2"><w:name w:val="heading 2"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>' +
    '<w:style w:styleId="Contents1"><w:name w:val="toc 1"/></w:style>';
  const field = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const contents =
    `<w:p>${field('begin')}<w:r><w:instrText> TOC \\o "1-2" \\h </w:instrText></w:r>${field('separate')}<w:r><w:t>Old</w:t></w:r></w:p>` +
    `<w:p><w:r><w:t>Older</w:t></w:r></w:p><w:p>${field('end')}</w:p>`;

  // Asserts contract/report-templates.md#docx.
  test('has the headings that the document has now, linked, without page numbers', async () => {
    const body = await bodyOf(
      await fillDocx(
        docxOf({ body: `${contents}${heading('${Root.title}')}${heading('Deep', 'Own')}${paragraph('text')}`, styles }),
      ),
    );
    expect(plain(body)).toBe(' TOC \\o "1-2" \\h Prices &amp; &lt;more&gt;DeepPrices &amp; &lt;more&gt;Deeptext');
    expect(body).toContain('<w:pStyle w:val="Contents1"/>');
    expect(body).toMatch(/w:anchor="_TocReport1".*<w:bookmarkStart w:id="1" w:name="_TocReport1"\/>/);
    expect([...body.matchAll(/fldCharType="(\w+)"/g)].map((found) => found[1])).toEqual(['begin', 'separate', 'end']);
  });

  test('lists paragraphs of the styles that it names', async () => {
    const own = '<w:style w:styleId="A"><w:name w:val="Appendix"/></w:style>';
    const list = (switches: string): string => contents.replace('\\o "1-2" \\h', switches);
    const texts = `${heading('One')}${heading('Extra', 'A')}`;
    const filled = async (switches: string): Promise<string> =>
      plain(await bodyOf(await fillDocx(docxOf({ body: list(switches) + texts, styles: styles + own }))));
    expect(await filled('\\o "1-2" \\t "Appendix,1"')).toContain(' OneExtraOneExtra');
    expect(await filled('\\t "Appendix;1"')).toContain(' ExtraOneExtra');
  });

  test.each(['\\h \\z \\c "Table"', '\\f A', '\\b part'])(
    'of other things than headings stays: TOC %s',
    async (switches) => {
      const list = contents.replace('\\o "1-2" \\h', switches);
      expect(plain(await bodyOf(await fillDocx(docxOf({ body: list + heading('One'), styles }))))).toBe(
        ` TOC ${switches} OldOlderOne`,
      );
    },
  );

  // Asserts contract/report-templates.md#docx.
  test('is empty where there are no headings', async () => {
    expect(plain(await bodyOf(await fillDocx(docxOf({ body: contents, styles }))))).toBe(' TOC \\o "1-2" \\h ');
  });
});

describe('templates', () => {
  const relationships = (type: string, target: string): string =>
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
    `<Relationship Id="rId1" Type="http://x/${type}" Target="${target}" TargetMode="External"/></Relationships>`;

  // Asserts contract/report-templates.md#conversion, contract/report-templates.md#safety.
  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['macros', { 'word/vbaProject.bin': 'x' }, /macros and controls are not allowed/],
    ['controls', { 'word/activeX/activeX1.xml': '<x/>' }, /macros and controls are not allowed/],
    [
      'external entities in any part',
      { 'word/theme/theme1.xml': '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>' },
      /theme1\.xml has a document type/,
    ],
    ['content types that are no XML', { '[Content_Types].xml': '' }, /\[Content_Types\]\.xml is not well-formed/],
    ['another root', { 'word/document.xml': '<html/>' }, /no Word document/],
    ['a body that is no XML', { 'word/document.xml': '<w:document>' }, /word\/document\.xml is not well-formed/],
  ])('with %s are refused', async (_, more, message) => {
    await expect(parseDocxTemplate(docxOf({ body: '<w:p/>', parts: more }))).rejects.toThrow(message);
  });

  // Asserts contract/report-templates.md#conversion.
  test('load nothing from outside', async () => {
    const parts = {
      'word/_rels/settings.xml.rels': relationships('attachedTemplate', 'http://evil/x.dotm'),
      'word/_rels/header1.xml.rels': relationships('image', 'file:///etc/passwd'),
    };
    const filled = await partsOf(
      await fillDocx(docxOf({ body: '<w:p/>', parts, links: { l1: 'https://example.org' } })),
    );
    expect(filled.get('word/_rels/settings.xml.rels')).toContain('Target="about:blank"');
    expect(filled.get('word/_rels/header1.xml.rels')).toContain('Target="about:blank"');
    expect(filled.get('word/_rels/document.xml.rels')).toContain('https://example.org');
  });

  test('load no picture that is declared as a hyperlink', async () => {
    const body = `<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata r:id="l1"/></v:shape></w:pict></w:r></w:p>`;
    const filled = await partsOf(await fillDocx(docxOf({ body, links: { l1: 'file://evil/x', l2: 'https://a.org' } })));
    expect(filled.get('word/_rels/document.xml.rels')).not.toContain('evil');
    expect(filled.get('word/_rels/document.xml.rels')).toContain('https://a.org');
  });

  test('are the same for each run', async () => {
    const template = docxOf({ body: paragraph('${Root.title}') });
    const parsed = await parseDocxTemplate(template);
    const before = new Map(parsed.parts);
    expect(await fillDocx(template)).toEqual(await fillDocx(template));
    expect(parsed.parts).toEqual(before);
  });

  const manyRows = (): BandData => {
    const root = sampleData();
    for (let index = 0; index < 1_000; index++)
      appendBand(root, {
        name: 'Many',
        orientation: 'horizontal',
        data: fieldsOf({ a: text(`row ${index}`), b: text('b') }),
        isPlaceholder: false,
      });
    return root;
  };
  const cell = (content: string): string => `<w:tc>${paragraph(content)}</w:tc>`;
  const table = `<w:tbl><w:tr>${cell('##band=Many A')}</w:tr><w:tr>${cell('${a}')}${cell('${b}').repeat(9)}</w:tr></w:tbl>`;

  test('of a thousand rows are filled', async () => {
    const rows = await bodyOf(await fillDocx(docxOf({ body: table }), { root: manyRows() }));
    expect([...rows.matchAll(/<w:tr>/g)]).toHaveLength(1_001);
  });

  test('are left in the middle when the run is stopped', async () => {
    const stop = new AbortController();
    setImmediate(() => stop.abort(new Error('the client left')));
    const filling = fillDocx(docxOf({ body: table }), { root: manyRows(), signal: stop.signal });
    await expect(filling).rejects.toThrow('the client left');
  });
});

function pngOf(width: number, height: number): string {
  const bytes = Buffer.from(PIXEL, 'base64');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}

describe('large documents', () => {
  const rows = (count: number): BandData => {
    const root = rootBand(fieldsOf({}));
    for (let row = 0; row < count; row += 1)
      appendBand(root, {
        name: 'Lines',
        orientation: 'horizontal',
        data: fieldsOf({ name: text('n') }),
        isPlaceholder: false,
      });
    return root;
  };
  const table = (content: string): string =>
    `<w:tbl><w:tr><w:tc>${paragraph('##band=Lines ${name}')}${content}</w:tc></w:tr></w:tbl>`;

  test('have a limit of elements', async () => {
    const template = docxOf({ body: table('<w:p/>'.repeat(90)) });
    const filled = (count: number) => fillDocx(template, { root: rows(count), maxElements: 1_000 });
    expect((await bodyOf(await filled(8))).match(/<w:tr>/g)).toHaveLength(8);
    await expect(filled(11)).rejects.toMatchObject({
      code: 'REPORT_RUN_ERROR',
      message: expect.stringMatching(/more than 1000 elements/),
    });
  });

  test('have a limit of elements that HTML brings', async () => {
    const root = rootBand(fieldsOf({ title: text('<p>a</p>'.repeat(500)) }));
    await expect(
      fillDocx(docxOf({ body: paragraph('${Root.title}') }), {
        root,
        formats: { 'Root.title': '${html}' },
        maxElements: 1_000,
      }),
    ).rejects.toMatchObject({ code: 'REPORT_RUN_ERROR' });
  });

  test('have all rows of a large template row', async () => {
    const template = docxOf({
      body: table(`<w:tbl><w:tr><w:tc>${'<w:p><w:r/></w:p>'.repeat(2_000)}</w:tc></w:tr></w:tbl>`),
    });
    const body = await bodyOf(await fillDocx(template, { root: rows(3) }));
    expect(body.match(/<w:p><w:r\/><\/w:p>/g)).toHaveLength(6_000);
  });

  test('have a table of contents of thousands of headings', async () => {
    const field = (kind: string): string => `<w:r><w:fldChar w:fldCharType="${kind}"/></w:r>`;
    const contents = `<w:p>${field('begin')}<w:r><w:instrText>TOC \\o "1-3"</w:instrText></w:r>${field('end')}</w:p>`;
    const heading = `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>`;
    // One by one these would take minutes.
    const body = await bodyOf(await fillDocx(docxOf({ body: contents + heading.repeat(12_000) })));
    expect(body.match(/<w:hyperlink /g)).toHaveLength(12_000);
    expect(body.indexOf('<w:hyperlink ')).toBeLessThan(body.indexOf('<w:outlineLvl'));
  });
});
