import type { Document, Element } from '@xmldom/xmldom';
import type { OoxmlPackage } from '../ooxml/ooxml-package.ts';
import { parseXmlInSlices } from '../ooxml/xml/parse-xml-in-slices.ts';
import { writeXmlInSlices } from '../ooxml/xml/write-xml-in-slices.ts';
import { isElement, rootOf } from '../ooxml/xml/xml.ts';
import { descendantsOf, isWord, isWordName, wordAttribute } from './word-xml.ts';

/** Fields with which Word loads files, addresses or data of other programs. */
const LOADING = new Set([
  ...['DDE', 'DDEAUTO', 'LINK', 'IMPORT', 'INCLUDE', 'INCLUDEPICTURE', 'INCLUDETEXT', 'DATABASE', 'RD'],
]);

/** A field that was replaced by what it shows. */
export interface UnlinkedField {
  readonly part: string;
  /** `INCLUDEPICTURE`; empty where other fields make it. */
  readonly name: string;
}

/**
 * Replaces the fields of a Word document that load something by what they show now, as Word does with "Unlink Field".
 * Their addresses may have any scheme, and DDE starts programs. Content controls with aliases lose their link to data
 * of the document, by which Word would replace what they show.
 */
export async function unlinkFields(
  parts: OoxmlPackage,
): Promise<{ readonly parts: OoxmlPackage; readonly unlinked: readonly UnlinkedField[] }> {
  const changed = new Map(parts);
  const unlinked: UnlinkedField[] = [];
  for (const [part, bytes] of parts) {
    if (!/\.xml$/i.test(part) || !mayHaveFields(bytes)) continue;
    const document = await parseXmlInSlices(bytes, part);
    if (unlinkIn(document, (name) => unlinked.push({ part, name })))
      changed.set(part, await writeXmlInSlices(document));
  }
  return { parts: changed, unlinked };
}

const mayHaveFields = (bytes: Uint8Array): boolean => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return ['fldChar', 'fldSimple', 'dataBinding'].some((name) => text.includes(name));
};

/** A field whose end was not reached yet. */
interface OpenField {
  /** The elements that make its runs a field. */
  readonly elements: Element[];
  code: string;
  /** Other fields or texts of the document are part of the code, so that only Word knows it. */
  isComposed: boolean;
  /** Its result has begun. */
  hasResult: boolean;
}

/** Returns whether there were such fields, or such links of content controls. */
function unlinkIn(document: Document, onField: (name: string) => void): boolean {
  const removed: Element[] = [];
  const open: OpenField[] = [];
  const close = (field: OpenField): void => {
    if (!field.isComposed && !isLoading(field.code)) return;
    removed.push(...field.elements);
    onField(nameIn(field.code));
  };
  for (const element of elementsOf(rootOf(document))) {
    const innermost = open.at(-1);
    if (isWord(element, 'fldChar')) {
      const kind = wordAttribute(element, 'fldCharType');
      if (kind === 'begin') {
        if (innermost?.hasResult === false && innermost.code.trim() === '') innermost.isComposed = true;
        open.push({ elements: [element], code: '', isComposed: false, hasResult: false });
      } else if (innermost !== undefined) {
        innermost.elements.push(element);
        innermost.hasResult = true;
        if (kind === 'end') close(open.pop() as OpenField);
      }
    } else if (innermost?.hasResult === false) addToCode(element, innermost);
  }
  for (const field of open) close(field);
  for (const link of document.getElementsByTagNameNS('*', 'dataBinding'))
    if (link.parentNode?.parentNode?.textContent?.includes('${') === true) removed.push(link);
  for (const element of removed) element.parentNode?.removeChild(element);
  return unlinkSimple(document, onField) || removed.length > 0;
}

function addToCode(element: Element, field: OpenField): void {
  if (isWord(element, 'instrText')) {
    field.code += element.textContent ?? '';
    field.elements.push(element);
  } else if (isWord(element, 't')) field.isComposed = true;
}

function unlinkSimple(document: Document, onField: (name: string) => void): boolean {
  const codeOf = (field: Element): string => wordAttribute(field, 'instr') ?? '';
  const fields = descendantsOf(rootOf(document), 'fldSimple').filter((field) => isLoading(codeOf(field)));
  for (const field of fields) {
    onField(nameIn(codeOf(field)));
    while (field.firstChild !== null) field.parentNode?.insertBefore(field.firstChild, field);
    field.parentNode?.removeChild(field);
  }
  return fields.length > 0;
}

const nameIn = (code: string): string => /^[\s"]*([a-z]+)/i.exec(code)?.[1]?.toUpperCase() ?? '';
const isLoading = (code: string): boolean => LOADING.has(nameIn(code));

/** The elements below an element, in the order of the document; properties have no fields. */
function elementsOf(parent: Element, found: Element[] = []): readonly Element[] {
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
    if (!isElement(node)) continue;
    found.push(node);
    if (!isWordName(node, 'pPr', 'rPr')) elementsOf(node, found);
  }
  return found;
}
