import type { Document, Element } from '@xmldom/xmldom';
import { type OoxmlPackage, partOf } from '../../ooxml/ooxml-package.ts';
import { relatedParts } from '../../ooxml/relationships.ts';
import { parseXmlInSlices } from '../../ooxml/xml/parse-xml-in-slices.ts';
import { childOf, childrenOf, rootOf } from '../../ooxml/xml/xml.ts';
import { areaText, parseArea } from '../cells/area.ts';
import { type CommentCells, copyToCells } from './copy-to-cells.ts';
import type { ResultContext } from './result-context.ts';

/** Shapes have ids in blocks of this size (VML, `o:idmap`). */
const BLOCK = 1024;

/** Gives the copies of shapes ids that no shape of the workbook has. */
export class NoteIds {
  #last = 0;

  constructor(parts: OoxmlPackage) {
    for (const [name, bytes] of parts)
      if (/\.vml$/i.test(name))
        for (const [, id] of new TextDecoder().decode(bytes).matchAll(/_s(\d{1,9})\b/g))
          this.#last = Math.max(this.#last, Number(id));
  }

  /** Begins the next block, since no two drawings share one. */
  beginDrawing(): void {
    this.#last = Math.ceil((this.#last + 1) / BLOCK) * BLOCK;
  }

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}

/** Names of the parts with the shapes of the comments of a sheet. */
export const noteDrawings = (parts: OoxmlPackage, sheetPart: string): readonly string[] =>
  relatedParts(parts, sheetPart, /\/comments$/).length === 0 ? [] : relatedParts(parts, sheetPart, /\/vmlDrawing$/);

/**
 * Parses shapes. Office writes line breaks as in HTML.
 *
 * @throws OoxmlError where the part is not well-formed otherwise
 */
export function readNotes(parts: OoxmlPackage, part: string): Promise<Document> {
  const text = new TextDecoder().decode(partOf(parts, part)).replace(/<br\s*>/gi, '<br/>');
  return parseXmlInSlices(new TextEncoder().encode(text), part);
}

/** Moves and copies the shapes of comments; other shapes stay. */
export async function editNotes(
  document: Document,
  cells: CommentCells,
  ids: NoteIds,
  context: ResultContext,
): Promise<void> {
  const root = rootOf(document);
  const blocks = new Set<number>();
  ids.beginDrawing();
  const edit = (copy: Element, cell: string, isFirst: boolean): void => {
    moveNote(copy, cell);
    if (isFirst) return;
    const id = ids.next();
    blocks.add(Math.floor(id / BLOCK));
    copy.setAttribute('id', `_x0000_s${id}`);
    copy.removeAttribute('o:spid');
  };
  await copyToCells(root, cells, cellOfNote, edit, context);
  const layout = childOf(root, 'shapelayout');
  const map = layout && childOf(layout, 'idmap');
  if (blocks.size > 0) map?.setAttribute('data', [map.getAttribute('data') ?? '', ...blocks].filter(Boolean).join(','));
}

const dataOf = (shape: Element): Element | undefined =>
  childrenOf(shape, 'ClientData').find((data) => data.getAttribute('ObjectType') === 'Note');

/** Returns the cell of a note; its row and column count from 0. */
function cellOfNote(shape: Element): string | undefined {
  const data = dataOf(shape);
  const [row, column] = ['Row', 'Column'].map((name) => Number(data && childOf(data, name)?.textContent) + 1);
  if (data === undefined || !row || !column) return undefined;
  return areaText({ top: row, bottom: row, left: column, right: column });
}

function moveNote(shape: Element, cell: string): void {
  const data = dataOf(shape);
  const from = parseArea(cellOfNote(shape) ?? '');
  const to = parseArea(cell);
  if (data === undefined || from === undefined || to === undefined) return;
  const [rows, columns] = [to.top - from.top, to.left - from.left];
  for (const child of childrenOf(data)) {
    if (child.localName === 'Row') child.textContent = String(to.top - 1);
    else if (child.localName === 'Column') child.textContent = String(to.left - 1);
    else if (child.localName === 'Anchor')
      // Left column, offset, top row, offset, right column, offset, bottom row, offset.
      child.textContent = (child.textContent ?? '')
        .split(',')
        .map((end, index) => (index % 2 === 1 ? end.trim() : String(Number(end) + (index % 4 === 0 ? columns : rows))))
        .join(', ');
  }
}
