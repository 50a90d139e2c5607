import type { Document, Element, Node } from '@xmldom/xmldom';
import { isElement } from '../ooxml/xml/xml.ts';
import { toXmlText } from '../ooxml/xml/xml-text.ts';
import { isWord, isWordName, setText, textNodes, wordElement } from './word-xml.ts';

/** The replacement of a part of a paragraph's text. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  /** Text, content of a run such as a picture, or runs with their own formatting. */
  readonly by: string | { readonly inRun: Element } | { readonly runs: readonly Element[] };
}

interface Segment {
  readonly element: Element;
  readonly start: number;
  readonly end: number;
}

/** Represents an element that is no text, so that no match spans it. */
const GAP = '\u0000';

/** The text of a paragraph over all its runs (contract/report-templates.md#docx, 1). */
export const textOfParagraph = (paragraph: Element): string => read(paragraph).text;

/**
 * Replaces parts of the text of a paragraph. A replacement has the formatting of the run in which the replaced part
 * begins, since Office splits texts into runs at arbitrary positions.
 *
 * @param replacements in the order of the text, not overlapping
 */
export function replaceInParagraph(paragraph: Element, replacements: readonly Replacement[]): void {
  if (replacements.length === 0) return;
  const { segments } = read(paragraph);
  // From the end, so that the earlier positions stay valid.
  for (const replacement of replacements.toReversed()) replaceOne(segments, replacement);
}

function read(paragraph: Element): { readonly text: string; readonly segments: readonly Segment[] } {
  const segments: Segment[] = [];
  let text = '';
  const visit = (parent: Node): void => {
    for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
      // Paragraphs of text boxes are filled separately.
      if (!isElement(child) || isWordName(child, 'p', 'rPr', 'pPr')) continue;
      if (isWordName(child, 't')) {
        const content = child.textContent ?? '';
        segments.push({ element: child, start: text.length, end: text.length + content.length });
        text += content;
        continue;
      }
      if (isWordName(child, 'br', 'tab', 'fldChar', 'drawing')) text += GAP;
      visit(child);
    }
  };
  visit(paragraph);
  return { text, segments };
}

function replaceOne(segments: readonly Segment[], { start, end, by }: Replacement): void {
  const covered = segments.filter((segment) => segment.end > start && segment.start < end);
  const [first, ...others] = covered;
  if (first === undefined) return;
  for (const { element, start: from, end: to } of others)
    setText(element, (element.textContent ?? '').slice(Math.min(to, end) - from));
  const text = first.element.textContent ?? '';
  const before = text.slice(0, start - first.start);
  const after = first.end >= end ? text.slice(end - first.start) : '';
  if (typeof by === 'string' && !/[\n\r\t]/.test(by)) {
    setText(first.element, before + toXmlText(by) + after);
    return;
  }
  setText(first.element, before);
  const document = first.element.ownerDocument as Document;
  const rest = textNodes(document, after);
  const inRun = typeof by === 'string' ? textNodes(document, by) : 'inRun' in by ? [by.inRun] : [];
  insertAfter(first.element, [...inRun, ...rest]);
  if (typeof by === 'object' && 'runs' in by) splitRun(first.element, by.runs);
}

/** Inserts runs after the run of an element; the content after the element moves to another run after them. */
function splitRun(element: Element, runs: readonly Element[]): void {
  const run = element.parentNode as Element;
  const document = element.ownerDocument as Document;
  const tail = wordElement(document, 'r');
  const formatting = [...run.childNodes].find((child) => isWord(child, 'rPr'));
  if (formatting !== undefined) tail.appendChild(formatting.cloneNode(true));
  while (element.nextSibling !== null) tail.appendChild(element.nextSibling);
  insertAfter(run, [...runs, tail]);
}

function insertAfter(node: Node, added: readonly Node[]): void {
  const next = node.nextSibling;
  for (const one of added) node.parentNode?.insertBefore(one, next);
}
