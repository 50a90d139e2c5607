import type { Element } from '@xmldom/xmldom';
import {
  breakRun,
  type FragmentTarget,
  type ParagraphStyle,
  paragraphOf,
  startPage,
  textRun,
} from './fragment-writer.ts';
import type { TextStyle } from './text-style.ts';

/** Collects runs into paragraphs, and paragraphs and tables into a list of blocks. */
export interface BlockWriter {
  readonly blocks: readonly Element[];
  /** Adds text. Unless it is literal, white space is collapsed, and removed at the beginning of a line. */
  addText(text: string, style: TextStyle, isLiteral: boolean): void;
  addRun(run: Element): void;
  addBreak(): void;
  /** Ends the paragraph, if there is one. */
  endParagraph(style: ParagraphStyle): void;
  addBlock(block: Element): void;
  /** Begins a page with the next block. */
  breakPage(): void;
  /** Adds a page break that no block has followed. */
  finish(style: ParagraphStyle): void;
}

export function createBlockWriter(target: FragmentTarget): BlockWriter {
  const blocks: Element[] = [];
  let runs: Element[] = [];
  let endsWithBlank = true;
  let beginsPage = false;
  const add = (block: Element): void => {
    if (beginsPage) startPage(block);
    beginsPage = false;
    blocks.push(block);
  };
  return {
    blocks,
    addText(text, style, isLiteral) {
      const collapsed = isLiteral ? text : text.replace(/[ \t\r\n\f]+/g, ' ');
      const added = endsWithBlank && !isLiteral ? collapsed.replace(/^ /, '') : collapsed;
      if (added === '') return;
      runs.push(textRun(target, added, style));
      endsWithBlank = added.endsWith(' ');
    },
    addRun: (run) => void runs.push(run),
    addBreak() {
      runs.push(breakRun(target));
      endsWithBlank = true;
    },
    endParagraph(style) {
      if (runs.length > 0) add(paragraphOf(target, runs, style));
      runs = [];
      endsWithBlank = true;
    },
    addBlock: add,
    breakPage() {
      beginsPage = true;
    },
    finish(style) {
      if (beginsPage) blocks.push(paragraphOf(target, [breakRun(target, 'page')], style));
      beginsPage = false;
    },
  };
}
