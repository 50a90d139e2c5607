import type { Element } from '@xmldom/xmldom';
import { elementsBelow, renumberShapes } from '../ooxml/renumber-shapes.ts';

/** Elements of which a document has one with the same id: ranges of the first copy, and definitions. */
const SINGLE = new Set([
  ...['bookmarkStart', 'bookmarkEnd', 'commentRangeStart', 'commentRangeEnd', 'commentReference'],
  ...['permStart', 'permEnd', 'shapetype'],
]);
/** Ids that Word creates where they are missing. */
const OPTIONAL_IDS = ['w14:paraId', 'w14:textId', 'wp14:anchorId', 'wp14:editId'];
const VML = 'urn:schemas-microsoft-com:vml';

/**
 * Makes the ids of a copied row unique in the document: of paragraphs, bookmarks, comments, content controls, drawings,
 * and shapes in VML with what refers to them.
 */
export function renewIdentity(row: Element, nextId: () => number): void {
  const shapes = new Map<string, string>();
  const elements = elementsBelow(row);
  for (const element of elements) {
    const { localName, namespaceURI, parentNode } = element;
    const isControlId = localName === 'id' && parentNode?.localName === 'sdtPr';
    if (SINGLE.has(localName ?? '') || isControlId) parentNode?.removeChild(element);
    if (element.attributes.length === 0) continue;
    for (const name of OPTIONAL_IDS) element.removeAttribute(name);
    // A type of shapes stays the one of the first copy.
    const id = namespaceURI === VML && localName !== 'shapetype' ? element.getAttribute('id') : null;
    if (id !== null) shapes.set(id, `_x0000_s${nextId()}`);
    if (element.hasAttribute('ObjectID')) element.setAttribute('ObjectID', `_${nextId()}`);
  }
  renumberShapes(elements, nextId);
  if (shapes.size > 0) renameShapes(elements, shapes);
}

/** Renames shapes where they are defined and where objects and other shapes refer to them. */
function renameShapes(elements: readonly Element[], shapes: ReadonlyMap<string, string>): void {
  for (const element of elements)
    for (const attribute of [...element.attributes]) {
      const isLink = attribute.value.startsWith('#');
      const renamed = shapes.get(isLink ? attribute.value.slice(1) : attribute.value);
      if (renamed !== undefined) element.setAttribute(attribute.name, isLink ? `#${renamed}` : renamed);
    }
}
