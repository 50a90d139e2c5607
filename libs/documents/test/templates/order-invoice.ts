// biome-ignore-all lint/suspicious/noTemplateCurlyInString: aliases of report templates look like placeholders
import { wordDocument } from '../../src/rendering/docx/writing/word-document.ts';
import {
  cell,
  field,
  hyperlink,
  paragraph,
  row,
  run,
  table,
  thinParagraph,
} from '../../src/rendering/docx/writing/word-elements.ts';

const BLUE = '1F3F66';
const GREY = '6B7480';
const PALE = 'EEF2F7';
/** Product, SKU, quantity, price, amount. */
const COLUMNS = [4038, 1500, 1100, 1450, 1550];
const WIDTH = COLUMNS.reduce((sum, width) => sum + width, 0);

const STYLES =
  '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Liberation Sans" w:hAnsi="Liberation Sans" w:cs="Liberation Sans"/>' +
  '<w:sz w:val="20"/><w:szCs w:val="20"/><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault>' +
  '<w:pPrDefault><w:pPr><w:spacing w:before="40" w:after="40"/></w:pPr></w:pPrDefault></w:docDefaults>' +
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>' +
  '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/>' +
  `<w:pPr><w:spacing w:before="240" w:after="200"/></w:pPr><w:rPr><w:b/><w:color w:val="${BLUE}"/><w:sz w:val="36"/><w:szCs w:val="36"/></w:rPr></w:style>`;

const HEADER = table(
  [
    row([
      cell(paragraph('Northlight Trading', { bold: true, color: BLUE, size: 15 }), { width: WIDTH - 4000 }),
      cell(paragraph('Invoice ${Header.number}', { align: 'right', color: GREY }), { width: 4000 }),
    ]),
  ],
  { widths: [WIDTH - 4000, 4000] },
);

const FOOTER = paragraph(
  [
    run('Northlight Trading · 12 Harbour Street · 10115 Berlin        Page ', { color: GREY, size: 8 }),
    field('PAGE', { color: GREY, size: 8 }),
    run(' of ', { color: GREY, size: 8 }),
    field('NUMPAGES', { color: GREY, size: 8 }),
  ],
  { align: 'center' },
);

const address = [
  paragraph('${Header.customer.name}', { bold: true }),
  paragraph('${Header.customer.address.street}'),
  paragraph('${Header.customer.address.zip} ${Header.customer.address.city}'),
  paragraph('${Header.customer.address.country}'),
].join('');

const facts = table(
  [
    ['Invoice', run('${Header.number}', { bold: true })],
    ['Date', run('${Header.date}')],
    ['Status', run('${Header.status}')],
    ['Contact', hyperlink('mail', run('${Header.customer.email}', { color: BLUE }))],
  ].map(([label, value]) =>
    row([
      cell(paragraph(label ?? '', { color: GREY }), { width: 1200 }),
      cell(paragraph([value ?? '']), { width: 3000 }),
    ]),
  ),
  { widths: [1200, 3000] },
);

const headings = row(
  ['##band=Lines Product', 'SKU', 'Quantity', 'Price', 'Amount'].map((text, index) =>
    cell(paragraph(text, { bold: true, color: 'FFFFFF', align: index < 2 ? 'left' : 'right' }), {
      width: COLUMNS[index] ?? 0,
      fill: BLUE,
    }),
  ),
  'header',
);

/** Within the product's cell: the discounts of that line. */
const discounts = table(
  [row([cell(paragraph('##band=Discounts ${reason}: −${percent} %', { color: GREY, size: 8 }), { width: 3700 })])],
  { widths: [3700], padding: 0 },
);

const line = row([
  cell(paragraph('${product}') + discounts + thinParagraph(), { width: COLUMNS[0] ?? 0 }),
  ...['${sku}', '${quantity}', '${price}', '${amount}'].map((alias, index) =>
    cell(paragraph(alias, { align: index < 1 ? 'left' : 'right' }), { width: COLUMNS[index + 1] ?? 0 }),
  ),
]);

const total = (label: string, value: string, isLast = false): string => {
  const options = { align: 'right', bold: isLast, ...(isLast ? { size: 12, color: BLUE } : {}) } as const;
  const fill = isLast ? { fill: PALE } : {};
  return row([
    cell(paragraph(label, options), { width: WIDTH - (COLUMNS[4] ?? 0), span: 4, ...fill }),
    cell(paragraph(value, options), { width: COLUMNS[4] ?? 0, ...fill }),
  ]);
};

const lines = table(
  [
    headings,
    line,
    total('Sum', '${Totals.sum}'),
    total('Less discount (${Totals.discount} %)', '${Totals.discountAmount}'),
    total('Total', '${Totals.amount}', true),
  ],
  { widths: COLUMNS, lines: true },
);

const SECTION =
  '<w:sectPr><w:headerReference w:type="default" r:id="rId1"/><w:footerReference w:type="default" r:id="rId3"/>' +
  '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1700" w:right="1134" w:bottom="1134" w:left="1134" w:header="708" w:footer="567" w:gutter="0"/></w:sectPr>';

/** The invoice as a Word document: address, lines with their discounts, totals, notes. */
export const orderInvoice = (): Uint8Array =>
  wordDocument({
    header: HEADER + paragraph(''),
    footer: FOOTER,
    styles: STYLES,
    links: { mail: 'mailto:$%7BHeader.customer.email%7D' },
    body:
      table([row([cell(address, { width: WIDTH - 4200 }), cell(facts + thinParagraph(), { width: 4200 })])], {
        widths: [WIDTH - 4200, 4200],
      }) +
      paragraph('Invoice ${Header.number}', { style: 'Title' }) +
      lines +
      paragraph('') +
      paragraph('${Header.notes}', { color: GREY }) +
      SECTION,
  });
