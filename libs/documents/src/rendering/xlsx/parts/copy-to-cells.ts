import type { Element } from '@xmldom/xmldom';
import { Pauses } from '../../ooxml/xml/pauses.ts';
import { childrenOf, elementsIn, setChildren } from '../../ooxml/xml/xml.ts';
import type { ResultContext } from './result-context.ts';

/** The cells of the result, by the cell of the template whose comment they have. */
export type CommentCells = ReadonlyMap<string, readonly string[]>;

/** Replaces each element of a list that belongs to a comment by one for each of its cells. */
export async function copyToCells(
  list: Element,
  cells: CommentCells,
  cellOf: (element: Element) => string | undefined,
  edit: (copy: Element, cell: string, isFirst: boolean) => void,
  { budget }: Pick<ResultContext, 'budget'>,
): Promise<void> {
  const children: Element[] = [];
  const pauses = new Pauses();
  for (const element of childrenOf(list)) {
    const found = cells.get(cellOf(element) ?? '');
    if (found === undefined) children.push(element);
    const size = elementsIn(element);
    for (const [index, cell] of (found ?? []).entries()) {
      budget.add(size);
      if (pauses.isDue()) await pauses.take();
      const copy = element.cloneNode(true) as Element;
      edit(copy, cell, index === 0);
      children.push(copy);
    }
  }
  setChildren(list, children);
}
