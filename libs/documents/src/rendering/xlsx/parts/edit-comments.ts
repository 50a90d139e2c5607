import { createHash } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import { relatedParts } from '../../ooxml/relationships.ts';
import { editPart } from '../../ooxml/xml/edit-part.ts';
import { writeXmlInSlices } from '../../ooxml/xml/write-xml-in-slices.ts';
import { childOf, childrenOf } from '../../ooxml/xml/xml.ts';
import { areaText, moved, parseArea } from '../cells/area.ts';
import { offsetsOf, rangeAt } from '../placing/copies-of.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import { type CommentCells, copyToCells } from './copy-to-cells.ts';
import { editNotes, NoteIds, noteDrawings, readNotes } from './note-shapes.ts';
import type { ChangedPart, ResultContext } from './result-context.ts';
import { createElement } from './sheet-order.ts';

const COMMENTS = /\/comments$/;
const THREADS = /\/threadedComment$/;

/**
 * Moves comments, their threads and their shapes with their cells, and copies them with each copy of a band
 * (contract/report-templates.md#xlsx, "After").
 */
export async function* editComments(parts: OoxmlPackage, context: ResultContext): AsyncGenerator<ChangedPart> {
  const ids = new NoteIds(parts);
  for (const sheet of context.layout.template.sheets) {
    let cells: CommentCells = new Map();
    for (const part of relatedParts(parts, sheet.part, COMMENTS)) {
      const edit = (root: Element): Promise<void> => {
        cells = cellsOf(root, sheet, context);
        return editList(root, cells, context);
      };
      yield [part, await editPart(parts, part, edit)];
    }
    if (cells.size === 0) continue;
    for (const part of relatedParts(parts, sheet.part, THREADS)) {
      const edit = (copy: Element, cell: string, isFirst: boolean) => {
        copy.setAttribute('ref', cell);
        if (!isFirst) renameIds(copy, cell);
      };
      yield [part, await editPart(parts, part, (root) => copyToCells(root, cells, refOf, edit, context))];
    }
    for (const part of noteDrawings(parts, sheet.part)) {
      const document = await readNotes(parts, part);
      await editNotes(document, cells, ids, context);
      yield [part, await writeXmlInSlices(document)];
    }
  }
}

/** A cell has one comment: those of bands have precedence over those that belong to no band and stay. */
function cellsOf(root: Element, sheet: SheetTemplate, { layout }: ResultContext): CommentCells {
  const cells = new Map<string, readonly string[]>();
  const taken = new Set<string>();
  const comments = childrenOf(childOf(root, 'commentList') ?? root, 'comment').flatMap((comment) => {
    const area = parseArea(refOf(comment));
    return area === undefined ? [] : [{ ref: refOf(comment), area, range: rangeAt(layout.template, sheet, area) }];
  });
  for (const { ref, area, range } of comments.toSorted((one, other) => Number(!one.range) - Number(!other.range))) {
    const offsets = range === undefined ? [{ rows: 0, columns: 0 }] : [...offsetsOf(layout, range)];
    const free = offsets.map((offset) => areaText(moved(area, offset))).filter((cell) => !taken.has(cell));
    for (const cell of free) taken.add(cell);
    cells.set(ref, free);
  }
  return cells;
}

const refOf = (element: Element): string => element.getAttribute('ref') ?? '';

/** The first copy of a comment keeps its ids; threads are linked by the name of the author and the id. */
async function editList(root: Element, cells: CommentCells, context: ResultContext): Promise<void> {
  const authors = childOf(root, 'authors');
  const list = childOf(root, 'commentList');
  if (authors === undefined || list === undefined) return;
  const names = childrenOf(authors).map(({ textContent }) => textContent ?? '');
  const edit = (copy: Element, cell: string, isFirst: boolean): void => {
    copy.setAttribute('ref', cell);
    if (isFirst) return;
    renameIds(copy, cell);
    const thread = /^tc=(.*)$/.exec(names[Number(copy.getAttribute('authorId'))] ?? '')?.[1];
    if (thread === undefined) return;
    const author = createElement(authors, 'author', {});
    author.textContent = `tc=${idFor(thread, cell)}`;
    authors.appendChild(author);
    copy.setAttribute('authorId', String(names.push(author.textContent) - 1));
  };
  await copyToCells(list, cells, refOf, edit, context);
}

/** Attributes with ids of comments, of the comment that a reply belongs to, and of mentions. */
const IDS = ['id', 'parentId', 'mentionId', 'xr:uid'];

function renameIds(element: Element, cell: string): void {
  for (const name of IDS) {
    const id = element.getAttribute(name) ?? '';
    if (id.startsWith('{')) element.setAttribute(name, idFor(id, cell));
  }
  for (const child of childrenOf(element)) renameIds(child, cell);
}

/** The id of a copy: always the same, so that all parts name it alike. */
function idFor(id: string, cell: string): string {
  const hex = createHash('sha256').update(`${id.toUpperCase()} ${cell}`).digest('hex').toUpperCase();
  return `{${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}}`;
}
