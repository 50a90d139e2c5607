import type { Element } from '@xmldom/xmldom';
import type { BandData } from '../../bands/band-data.ts';
import type { CellFormatter } from '../formats/format-cell.ts';
import { loadPictures } from '../images/load-pictures.ts';
import type { PictureSource } from '../images/picture-source.ts';
import { CONTENT_TYPES_PART, declareExtension } from '../ooxml/content-types.ts';
import { writePackage } from '../ooxml/write-package.ts';
import { ElementBudget } from '../ooxml/xml/element-budget.ts';
import { Pauses } from '../ooxml/xml/pauses.ts';
import { childOf, childrenOf, elementsIn, parsePart, rootOf, writeXml } from '../ooxml/xml/xml.ts';
import { type BindContext, bindTables } from './bind-tables.ts';
import type { DocxTemplate } from './docx-template.ts';
import { createFieldValues, type FieldValues } from './field-values.ts';
import { fillHyperlinks } from './fill-hyperlinks.ts';
import { fillParagraphs, type PendingPicture } from './fill-paragraphs.ts';
import type { FragmentTarget } from './html/fragment-writer.ts';
import { htmlToBlocks, htmlToRuns } from './html/html-to-word.ts';
import { pictureElement } from './insert-picture.ts';
import { refreshTableOfContents } from './table-of-contents.ts';
import { drawingIds, openWordPart, type WordPart } from './word-part.ts';
import { descendantsOf, wordElement } from './word-xml.ts';

export interface DocxInput {
  readonly root: BandData;
  /** Of the report's definition; a band may have no rows. */
  readonly bandNames: ReadonlySet<string>;
  readonly formatter: CellFormatter;
  readonly pictures: PictureSource;
  readonly signal: AbortSignal;
  /** Elements of a document. */
  readonly maxElements: number;
}

/**
 * Fills a template (contract/report-templates.md#formats, #docx): first the tables of bands, then the texts of the
 * body, headers, footers and notes, then the pictures and the table of contents.
 *
 * @throws ReportFailure for a picture or a fragment that cannot be used; REPORT_RUN_ERROR for too many elements
 */
export async function renderDocx(template: DocxTemplate, input: DocxInput): Promise<Uint8Array> {
  const values = createFieldValues(input.root, input.bandNames, input.formatter);
  const pause = createPause(input.signal);
  const budget = new ElementBudget(input.maxElements);
  const nextDrawingId = drawingIds(template.parts);
  const filled: { readonly part: WordPart; readonly pending: readonly PendingPicture[] }[] = [];
  for (const name of [template.mainPart, ...template.otherTextParts]) {
    const part = await openWordPart(template.parts, name, nextDrawingId);
    filled.push({ part, pending: await fillPart(part, values, input.root, { pause, budget }) });
  }
  const parts = new Map(template.parts);
  const types = parsePart(parts, CONTENT_TYPES_PART);
  const loaded = await loadPictures(
    filled.flatMap(({ pending }) => pending.map(({ request }) => request)),
    input.pictures,
    'word/media',
  );
  for (const { part, pending } of filled) {
    for (const { placeholder, request } of pending) {
      const { mediaPart, picture } = loaded.get(request) ?? fail();
      placeholder.parentNode?.replaceChild(pictureElement(part, mediaPart, picture, request), placeholder);
      parts.set(mediaPart, picture.bytes);
      declareExtension(types, picture.extension, picture.contentType);
    }
    if (part.name === template.mainPart) await refreshTableOfContents(part.document, template, budget);
    await part.writeTo(parts);
  }
  // Declared also where the template had no relationships.
  declareExtension(types, 'rels', 'application/vnd.openxmlformats-package.relationships+xml');
  parts.set(CONTENT_TYPES_PART, writeXml(types));
  return writePackage(parts);
}

async function fillPart(
  part: WordPart,
  values: FieldValues,
  root: BandData,
  { pause, budget }: Pick<BindContext, 'pause' | 'budget'>,
): Promise<readonly PendingPicture[]> {
  const pictures: PendingPicture[] = [];
  const counted = (elements: readonly Element[]): readonly Element[] => {
    for (const element of elements) budget.add(elementsIn(element));
    return elements;
  };
  const context: BindContext = {
    part,
    values,
    pause,
    budget,
    pictures,
    filled: new WeakSet(),
    blocksOf: (html, paragraph) => counted(htmlToBlocks(html, fragmentTarget(part, paragraph, pictures))),
    runsOf: (html, paragraph) => counted(htmlToRuns(html, fragmentTarget(part, paragraph, pictures))),
  };
  const top = rootOf(part.document);
  budget.add(elementsIn(top));
  await bindTables(top, root, context);
  fillHyperlinks(part, descendantsOf(top, 'hyperlink'), values.ofFirst, context.filled);
  await fillParagraphs(descendantsOf(top, 'p'), values.ofFirst, context);
  return pictures;
}

/** Without pauses neither the deadline nor a disconnected client could stop the rendering of a long document. */
function createPause(signal: AbortSignal): () => Promise<void> {
  const pauses = new Pauses();
  return async () => {
    if (pauses.isDue()) await pauses.take();
    signal.throwIfAborted();
  };
}

/** A fragment has the formatting of the paragraph of its alias, and of that paragraph's first run. */
function fragmentTarget(part: WordPart, paragraph: Element, pictures: PendingPicture[]): FragmentTarget {
  const { document } = part;
  const run = descendantsOf(paragraph, 'r')[0];
  return {
    document,
    paragraphFormat: childrenOf(paragraph, 'pPr')[0],
    runFormat: run === undefined ? undefined : childOf(run, 'rPr'),
    hyperlinkTo(address) {
      const hyperlink = wordElement(document, 'hyperlink');
      part.setAddress(hyperlink, address);
      return hyperlink;
    },
    placeholderFor(request) {
      const placeholder = wordElement(document, 'drawing');
      pictures.push({ placeholder, request });
      return placeholder;
    },
  };
}

function fail(): never {
  throw new Error('A picture of the document was not loaded');
}
