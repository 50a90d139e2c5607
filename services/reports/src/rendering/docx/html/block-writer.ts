import type { Element } from '@xmldom/xmldom';
import { breakRun, type FragmentTarget, type ParagraphStyle, paragraphOf, textRun } from './fragment-writer.ts';
import type { TextStyle } from './text-style.ts';

/** Gathers runs into paragraphs, and those with tables into a list, as a page's text flows. */
export interface BlockWriter {
  readonly blocks: readonly Element[];
  /** Text; white space becomes one blank, and none at the beginning of a line, unless it is literal. */
  addText(text: string, style: TextStyle, isLiteral: boolean): void;
  addRun(run: Element): void;
  addBreak(): void;
  /** Ends the paragraph, if there is one. */
  endParagraph(style: ParagraphStyle): void;
  addBlock(block: Element): void;
}

export function createBlockWriter(target: FragmentTarget): BlockWriter {
  const blocks: Element[] = [];
  let runs: Element[] = [];
  let endsWithBlank = true;
  return {
    blocks,
    addText(text, style, isLiteral) {
      const collapsed = isLiteral ? text : text.replace(/[ \t\r\n\f]+/g, ' ');
      const shown = endsWithBlank && !isLiteral ? collapsed.replace(/^ /, '') : collapsed;
      if (shown === '') return;
      runs.push(textRun(target, shown, style));
      endsWithBlank = shown.endsWith(' ');
    },
    addRun: (run) => void runs.push(run),
    addBreak() {
      runs.push(breakRun(target));
      endsWithBlank = true;
    },
    endParagraph(style) {
      if (runs.length > 0) blocks.push(paragraphOf(target, runs, style));
      runs = [];
      endsWithBlank = true;
    },
    addBlock: (block) => void blocks.push(block),
  };
}
