import type { Element } from '@xmldom/xmldom';
import { breakRun, type FragmentTarget, type ParagraphStyle, paragraphOf, textRun } from './fragment-writer.ts';
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
}

export function createBlockWriter(target: FragmentTarget): BlockWriter {
  const blocks: Element[] = [];
  let runs: Element[] = [];
  let endsWithBlank = true;
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
      if (runs.length > 0) blocks.push(paragraphOf(target, runs, style));
      runs = [];
      endsWithBlank = true;
    },
    addBlock: (block) => void blocks.push(block),
  };
}
