// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { convertByOffice, picturesOfPdf, textOfPdf } from '@lintel/testkit';
import { appendBand, type BandData, openChild, rootBand } from '../../src/bands/band-data.ts';
import type { Cell } from '../../src/bands/cell.ts';
import { orderInvoice } from '../templates/order-invoice.ts';
import { docxOf, fieldsOf, fillDocx, PIXEL, text } from './docx-fixture.ts';

const add = (parent: BandData, name: string, fields: Readonly<Record<string, string>>): BandData => {
  const data = fieldsOf(
    Object.fromEntries(Object.entries(fields).map(([field, value]): [string, Cell] => [field, text(value)])),
  );
  return appendBand(parent, { name, orientation: 'horizontal', data, isPlaceholder: false });
};
const paragraph = (content: string): string => `<w:p><w:r><w:t>${content}</w:t></w:r></w:p>`;

/** The text of a document as LibreOffice shows it: a file that needs repair is refused. */
const shown = async (document: Uint8Array): Promise<string> =>
  textOfPdf(await convertByOffice(document, 'docx', 'pdf'));

/** An order of as many lines, each third with two discounts. */
function order(lines: number): BandData {
  const root = rootBand(new Map());
  add(root, 'Header', {
    number: 'A-7',
    date: '1 Feb 2026',
    status: 'New',
    notes: 'Ring twice\nand wait',
    'customer.name': 'Müller & <Söhne>',
    'customer.email': 'a@example.com',
    'customer.address.city': 'Köln',
  });
  for (let number = 1; number <= lines; number++) {
    const line = add(root, 'Lines', {
      product: `Thing ${number}`,
      sku: `S-${number}`,
      quantity: '2',
      price: '1.00',
      amount: '2.00',
    });
    openChild(line, 'Discounts');
    if (number % 3 === 0)
      for (const reason of ['Volume', 'Friend'])
        add(line, 'Discounts', { reason: `${reason} ${number}`, percent: '5' });
  }
  add(root, 'Totals', { sum: '9.00', discount: '0', discountAmount: '0.00', amount: '9.00' });
  return root;
}

const bandNames = { bandNames: new Set(['Header', 'Lines', 'Discounts', 'Totals']) };

// Asserts contract/report-templates.md#docx.
test('the invoice of the example shows its lines, the discounts below them, header and page numbers', async () => {
  const document = await fillDocx(orderInvoice(), { root: order(60), formats: {}, ...bandNames });
  const pages = (await shown(document)).split('\f').filter((page) => page.trim() !== '');
  expect(pages.length).toBeGreaterThan(1);
  for (const [index, page] of pages.entries()) {
    expect(page).toMatch(/Northlight Trading\s+Invoice A-7/);
    expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    // Without the font of the template, a wider one breaks the word in its narrow column.
    expect(page).toMatch(/Product\s+SKU\s+Quan/);
  }
  const all = pages.join('\n');
  expect(all).toContain('Müller & <Söhne>');
  expect(all).toMatch(/Thing 1\s+S-1\s+2\s+1\.00\s+2\.00\s+Thing 2/);
  expect(all).toMatch(/Thing 3\s+S-3\s+2\s+1\.00\s+2\.00\s+Volume 3: −5 %\s+Friend 3: −5 %\s+Thing 4/);
  expect(all).toMatch(/Total\s+9\.00\s+Ring twice\s+and wait/);
  expect(all).not.toMatch(/\$\{|##band/);
});

// Asserts contract/report-templates.md#formats.
test('a document of many pages is filled and opened', async () => {
  const document = await fillDocx(orderInvoice(), { root: order(200), formats: {}, ...bandNames });
  const all = await shown(document);
  expect([...all.matchAll(/Thing \d+\s+S-\d+/g)]).toHaveLength(200);
  expect(all).toContain('Friend 198: −5 %');
});

// Asserts contract/report-templates.md#formats.
test('pictures, HTML, links and a table of contents open without repair', async () => {
  const root = rootBand(
    fieldsOf({
      logo: text(PIXEL),
      note: text(
        '<h2>Rich</h2><p>Some <b>bold</b> and <a href="https://example.org">linked</a> text</p><ul><li>one</li></ul>' +
          `<table><tr><th>H</th></tr><tr><td>c</td></tr></table><img src="data:image/png;base64,${PIXEL}" width="40" height="40">`,
      ),
    }),
  );
  const field = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const contents = `<w:p>${field('begin')}<w:r><w:instrText> TOC \\o "1-1" </w:instrText></w:r>${field('separate')}${field('end')}</w:p>`;
  const heading = '<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>First part</w:t></w:r></w:p>';
  const styles = '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>';
  const cell = `<w:tbl><w:tr><w:tc><w:tcPr/>${paragraph('${Root.note}')}</w:tc></w:tr></w:tbl><w:p/>`;
  const body = `${contents}${heading}${paragraph('Logo ${Root.logo} here')}${paragraph('${Root.note}')}${cell}`;
  const formats = { logo: '${bitmap:100x50}', note: '${html}' };
  const document = await fillDocx(docxOf({ body, styles }), { root, formats });
  const pdf = await convertByOffice(document, 'docx', 'pdf');
  const all = await textOfPdf(pdf);
  expect(all.match(/First part/g)).toHaveLength(2);
  expect(all.match(/Some bold and linked text/g)).toHaveLength(2);
  expect(all).toMatch(/•\s+one/);
  // The logo is red, fifty pixels high.
  const [page] = await picturesOfPdf(pdf);
  expect(page?.length).toBeGreaterThan(1_000);
});
