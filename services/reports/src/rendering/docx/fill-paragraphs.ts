import { setImmediate } from 'node:timers/promises';
import type { Element } from '@xmldom/xmldom';
import type { PictureRequest } from '../images/picture-source.ts';
import { type Alias, findAliases } from './aliases.ts';
import type { FieldValue } from './field-values.ts';
import { type Replacement, replaceInParagraph, textOfParagraph } from './paragraph-text.ts';
import { ancestorOf, descendantsOf, endWithParagraph, wordElement } from './word-xml.ts';

/** Pictures are loaded when all texts are there; until then an empty element keeps the place. */
export interface PendingPicture {
  readonly place: Element;
  readonly request: PictureRequest;
}

/** Paragraphs that are filled before other work goes on: few of them have values. */
const PARAGRAPHS_AT_ONCE = 200;

/** What filling texts takes besides the values. */
export interface FillContext {
  readonly pictures: PendingPicture[];
  /** Paragraphs and hyperlinks that are done: what values brought into them is never taken for an alias. */
  readonly filled: WeakSet<Element>;
  /** A fragment as paragraphs and tables. */
  readonly blocksOf: (html: string, paragraph: Element) => readonly Element[];
  /** A fragment as runs within a paragraph. */
  readonly runsOf: (html: string, paragraph: Element) => readonly Element[];
}

/**
 * Substitutes the aliases in paragraphs; other work goes on meanwhile.
 *
 * @param valueFor undefined leaves the alias as it is
 */
export async function fillParagraphs(
  paragraphs: readonly Element[],
  valueFor: (alias: Alias) => FieldValue | undefined,
  context: FillContext,
): Promise<void> {
  for (const [index, paragraph] of paragraphs.entries()) {
    if (paragraphs.length > PARAGRAPHS_AT_ONCE && index % PARAGRAPHS_AT_ONCE === 0) await setImmediate();
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
      const place = wordElement(document, 'drawing');
      context.pictures.push({ place, request: value.picture });
      return { inRun: place };
    }
    default:
      return value satisfies never;
  }
}

/** Paragraphs of an inline content control or a field cannot become several. */
const canHoldBlocks = (paragraph: Element): boolean => {
  const parent = paragraph.parentNode?.nodeName ?? '';
  return ['w:body', 'w:tc', 'w:hdr', 'w:ftr', 'w:txbxContent', 'w:sdtContent'].includes(parent);
};

function replaceParagraph(paragraph: Element, blocks: readonly Element[]): void {
  const parent = paragraph.parentNode;
  if (parent === null) return;
  for (const block of blocks) parent.insertBefore(block, paragraph);
  // The last section's settings, or the end of a cell, need a paragraph.
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
