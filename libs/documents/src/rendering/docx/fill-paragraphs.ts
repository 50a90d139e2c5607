import type { Element } from '@xmldom/xmldom';
import { type Alias, findAliases } from '../aliases.ts';
import type { PictureRequest } from '../images/picture-source.ts';
import { Pauses } from '../ooxml/xml/pauses.ts';
import type { FieldValue } from './field-values.ts';
import { type Replacement, replaceInParagraph, textOfParagraph } from './paragraph-text.ts';
import { ancestorOf, descendantsOf, endWithParagraph, wordElement } from './word-xml.ts';

/** Pictures are loaded after all texts were filled; until then an empty element is their placeholder. */
export interface PendingPicture {
  readonly placeholder: Element;
  readonly request: PictureRequest;
}

/** Context of filling texts, besides the values. */
export interface FillContext {
  readonly pictures: PendingPicture[];
  /** Paragraphs and hyperlinks that were filled: text of values is never read as an alias. */
  readonly filled: WeakSet<Element>;
  /** Converts a fragment to paragraphs and tables. */
  readonly blocksOf: (html: string, paragraph: Element) => readonly Element[];
  /** Converts a fragment to runs within a paragraph. */
  readonly runsOf: (html: string, paragraph: Element) => readonly Element[];
}

/**
 * Substitutes the aliases in paragraphs, in slices between which the event loop continues.
 *
 * @param valueFor undefined leaves the alias as it is
 */
export async function fillParagraphs(
  paragraphs: readonly Element[],
  valueFor: (alias: Alias) => FieldValue | undefined,
  context: FillContext,
): Promise<void> {
  const pauses = new Pauses();
  for (const paragraph of paragraphs) {
    if (pauses.isDue()) await pauses.take();
    if (context.filled.has(paragraph)) continue;
    context.filled.add(paragraph);
    fillParagraph(paragraph, valueFor, context);
  }
}

function fillParagraph(
  paragraph: Element,
  valueFor: (alias: Alias) => FieldValue | undefined,
  context: FillContext,
): void {
  const text = textOfParagraph(paragraph);
  if (!text.includes('$')) return;
  const replacements: Replacement[] = [];
  for (const alias of findAliases(text)) {
    const value = valueFor(alias);
    if (value === undefined) continue;
    const { start, end } = alias;
    const isAlone = text.slice(0, start).trim() === '' && text.slice(end).trim() === '';
    if (value.kind === 'html' && isAlone && canHoldBlocks(paragraph)) {
      const blocks = context.blocksOf(value.html, paragraph);
      for (const block of blocks) for (const one of [block, ...descendantsOf(block, 'p')]) context.filled.add(one);
      replaceParagraph(paragraph, blocks);
      return;
    }
    replacements.push({ start, end, by: contentOf(value, paragraph, context) });
  }
  replaceInParagraph(paragraph, replacements);
}

function contentOf(value: FieldValue, paragraph: Element, context: FillContext): Replacement['by'] {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'html':
      return { runs: context.runsOf(value.html, paragraph) };
    case 'picture': {
      const document = paragraph.ownerDocument;
      if (document === null) throw new Error('A paragraph belongs to no document');
      const placeholder = wordElement(document, 'drawing');
      context.pictures.push({ placeholder, request: value.picture });
      return { inRun: placeholder };
    }
    default:
      return value satisfies never;
  }
}

/** A paragraph of an inline content control or a field cannot be replaced by several. */
const canHoldBlocks = (paragraph: Element): boolean => {
  const parent = paragraph.parentNode?.nodeName ?? '';
  return ['w:body', 'w:tc', 'w:hdr', 'w:ftr', 'w:txbxContent', 'w:sdtContent'].includes(parent);
};

function replaceParagraph(paragraph: Element, blocks: readonly Element[]): void {
  const parent = paragraph.parentNode;
  if (parent === null) return;
  for (const block of blocks) parent.insertBefore(block, paragraph);
  // The settings of the last section, and the end of a cell, need a paragraph.
  const isNeeded = blocks.length === 0 || blocks.at(-1)?.localName === 'tbl' || hasSection(paragraph);
  if (isNeeded) replaceInParagraph(paragraph, [{ start: 0, end: Number.MAX_SAFE_INTEGER, by: '' }]);
  else parent.removeChild(paragraph);
  const cell = ancestorOf(parent, 'tc');
  if (cell !== undefined) endWithParagraph(cell);
}

const hasSection = (paragraph: Element): boolean =>
  [...paragraph.childNodes].some(
    (child) => child.nodeName === 'w:pPr' && [...child.childNodes].some((one) => one.nodeName === 'w:sectPr'),
  );
