import { createMessages, displayIn } from '@lintel/metadata';
import { appendBand, type BandData, openChild, rootBand } from '../../src/bands/band-data.ts';
import type { Cell, Fields } from '../../src/bands/cell.ts';
import { parseDocxTemplate } from '../../src/rendering/docx/docx-template.ts';
import { renderDocx } from '../../src/rendering/docx/render-docx.ts';
import { wordDocument } from '../../src/rendering/docx/writing/word-document.ts';
import { createCellFormatter } from '../../src/rendering/formats/format-cell.ts';
import type { PictureSource } from '../../src/rendering/images/picture-source.ts';
import { readPackage } from '../../src/rendering/ooxml/read-package.ts';

/** A Word document from the content of its body. */
export const docxOf = wordDocument;

export const text = (value: string): Cell => ({ kind: 'text', text: value });
const decimal = (value: string): Cell => ({ kind: 'number', number: 'decimal', text: value });
const add = (parent: BandData, name: string, fields: Readonly<Record<string, Cell>>): BandData =>
  appendBand(parent, { name, orientation: 'horizontal', data: fieldsOf(fields), isPlaceholder: false });
export const fieldsOf = (fields: Readonly<Record<string, Cell>>): Fields => new Map(Object.entries(fields));

/** A picture of one red pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** The data of all golden cases. */
export function sampleData(): BandData {
  const root = rootBand(
    fieldsOf({
      title: text('Prices & <more>'),
      note: text('<p>Some <b>bold</b> text</p><ul><li>one</li><li>two</li></ul>'),
      logo: text(PIXEL),
      site: text('https://example.org/a b?c=1'),
    }),
  );
  const pen = add(root, 'Lines', {
    name: text('Pen'),
    price: decimal('10.50'),
    'customer.name': text('ACME'),
    text: text('first\nsecond\tend'),
    page: text('p/1'),
  });
  add(pen, 'Notes', { text: text('blue') });
  add(pen, 'Notes', { text: text('red') });
  const ink = add(root, 'Lines', { name: text('Ink'), price: decimal('1234.00'), page: text('p2') });
  openChild(ink, 'Notes');
  openChild(root, 'Empty');
  openChild(root, 'HiddenControl');
  appendBand(root, { name: 'PlaceholderControl', orientation: 'horizontal', data: new Map(), isPlaceholder: true });
  add(root, 'ShownControl', { word: text('shown') });
  const totals = add(root, 'Totals', { sum: decimal('1244.50') });
  add(totals, 'Taxes', { rate: decimal('19') });
  return root;
}

export const BAND_NAMES = new Set([
  'Lines',
  'Notes',
  'Empty',
  'HiddenControl',
  'PlaceholderControl',
  'ShownControl',
  'Totals',
  'Taxes',
  'Never',
]);

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: formats of pictures look like placeholders
const FORMATS = { 'Root.note': '${html}', 'Root.logo': '${bitmap:20x10}', 'Lines.price': '#,##0.00' };
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: formats of pictures look like placeholders

/** Pictures that are bytes; others are refused. */
export const onlyBitmaps: PictureSource = {
  maxTotalBytes: 10_000_000,
  load: ({ kind, source }) =>
    kind === 'bitmap' ? Promise.resolve(Buffer.from(source, 'base64')) : Promise.reject(new Error(`no ${kind} here`)),
};

export interface FillOptions {
  readonly root?: BandData;
  readonly formats?: Readonly<Record<string, string>>;
  readonly pictures?: PictureSource;
  readonly bandNames?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
  readonly maxElements?: number;
}

/** Fills a template with the sample data; answers the document. */
export async function fillDocx(template: Uint8Array, options: FillOptions = {}): Promise<Uint8Array> {
  return renderDocx(await parseDocxTemplate(template), {
    root: options.root ?? sampleData(),
    bandNames: options.bandNames ?? BAND_NAMES,
    formatter: createCellFormatter(options.formats ?? FORMATS, displayIn(createMessages(), 'en')),
    pictures: options.pictures ?? onlyBitmaps,
    signal: options.signal ?? new AbortController().signal,
    maxElements: options.maxElements ?? 250_000,
  });
}

/** Parts of a document as text. */
export async function partsOf(document: Uint8Array): Promise<ReadonlyMap<string, string>> {
  const parts = await readPackage(document);
  return new Map([...parts].map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]));
}

/** What is between the tags of the body. */
export async function bodyOf(document: Uint8Array): Promise<string> {
  const xml = (await partsOf(document)).get('word/document.xml') ?? '';
  return xml.slice(xml.indexOf('<w:body>') + 8, xml.indexOf('</w:body>'));
}
