// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { renderDocument } from '@lintel/documents';
import { workbook } from '../test/drawn-workbook.ts';
import { wordDocument } from './rendering/docx/writing/word-document.ts';
import { partOf } from './rendering/ooxml/ooxml-package.ts';
import { readPackage } from './rendering/ooxml/read-package.ts';

const textOf = async (content: AsyncIterable<string | Uint8Array>): Promise<string> =>
  Buffer.concat((await Array.fromAsync(content)).map((piece) => Buffer.from(piece))).toString();

const ORDERS = {
  fields: { title: 'Orders' },
  bands: {
    Order: [
      { fields: { number: 'A1' }, bands: { Line: [{ fields: { product: 'Pen' } }, { fields: { product: 'Ink' } }] } },
      { fields: { number: 'A2' } },
      { fields: { number: 'A3' }, bands: { Line: [{ fields: { product: 'Pad' } }] } },
    ],
  },
};

test('an HTML template gets the rows of each band below their own parents', async () => {
  const html =
    '{{ Root.fields.title }}:{% for o in Root.bands.Order %} {{ o.fields.number }}={% for l in o.bands.Line %}{{ l.fields.product }};{% endfor %}{% endfor %}';
  const template = { file: 'orders.html', content: Buffer.from(html), outputType: 'HTML' as const };
  const document = await renderDocument(template, ORDERS);
  expect(await textOf(document.content)).toBe('Orders: A1=Pen;Ink; A2= A3=Pad;');
  expect(document.fileName).toBe('orders.html');
});

test('a CSV template gets a line for each row of the first level', async () => {
  const template = { file: 'orders.csv', content: Buffer.from('number\n${number}\n'), outputType: 'CSV' as const };
  expect(await textOf((await renderDocument(template, ORDERS)).content)).toBe('"number"\n"A1"\n"A2"\n"A3"\n');
});

test('a workbook has its rows, with formats', async () => {
  const content = workbook({
    sheets: [{ name: 'Prices', cells: { A1: '${name}', B1: '${price}' } }],
    names: { Price: 'Prices!$A$1:$B$1' },
  });
  const rows = [{ fields: { name: 'Pen', price: 1.5 } }, { fields: { name: 'Ink', price: 12 } }];
  const template = { file: 'prices.xlsx', content, outputType: 'CSV' as const };
  const document = await renderDocument(template, { bands: { Price: rows } }, { formats: { 'Price.price': '0.00' } });
  expect(await textOf(document.content)).toBe('"Pen";"1.50"\n"Ink";"12.00"\n');
});

test('a Word document has its fields', async () => {
  const template = {
    file: 'letter.docx',
    content: wordDocument({ body: '<w:p><w:r><w:t>Dear ${Root.name}</w:t></w:r></w:p>' }),
    outputType: 'DOCX' as const,
  };
  const { content } = await renderDocument(template, { fields: { name: 'Ada' } });
  const bytes = Buffer.concat((await Array.fromAsync(content)).map((piece) => Buffer.from(piece)));
  expect(Buffer.from(partOf(await readPackage(bytes), 'word/document.xml')).toString()).toContain('Dear Ada');
});

test('PDF without converters is refused with what it needs', async () => {
  const template = { file: 'orders.html', content: Buffer.from('x'), outputType: 'PDF' as const };
  await expect(renderDocument(template, ORDERS)).rejects.toThrow('PDF needs converters');
});
