import { dirname, join } from 'node:path/posix';
import type { Document } from '@xmldom/xmldom';
import { OoxmlError, type OoxmlPackage } from './ooxml-package.ts';
import { childrenOf, NAMESPACES, parseXml, rootOf } from './xml/xml.ts';

/** A reference from one part to another, or to an external address. */
export interface Relationship {
  readonly id: string;
  readonly type: string;
  /** Name of a part, or the address when it is external. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** Name of the part with the relationships of another part; of the package itself for an empty name. */
export function relationshipsPartOf(partName: string): string {
  const folder = dirname(partName);
  return join(folder === '.' ? '' : folder, '_rels', `${partName.slice(partName.lastIndexOf('/') + 1)}.rels`);
}

/** Relationships of a part by id, with targets as part names. */
export function relationshipsOf(parts: OoxmlPackage, partName: string): ReadonlyMap<string, Relationship> {
  return readRelationships(relationshipsIn(parts, partName), partName);
}

export function readRelationships(document: Document, partName: string): ReadonlyMap<string, Relationship> {
  const found = new Map<string, Relationship>();
  for (const element of childrenOf(rootOf(document), 'Relationship')) {
    const id = element.getAttribute('Id') ?? '';
    const target = element.getAttribute('Target') ?? '';
    const isExternal = element.getAttribute('TargetMode') === 'External';
    found.set(id, {
      id,
      type: element.getAttribute('Type') ?? '',
      target: isExternal ? target : targetPart(partName, target),
      isExternal,
    });
  }
  return found;
}

/** Name of the part that the first relationship of the type refers to. */
export const relatedPart = (parts: OoxmlPackage, partName: string, type: string): string | undefined =>
  [...relationshipsOf(parts, partName).values()].find((one) => !one.isExternal && one.type.endsWith(`/${type}`))
    ?.target;

/** Names of the parts that relationships of a type refer to. */
export const relatedParts = (parts: OoxmlPackage, partName: string, type: RegExp): readonly string[] =>
  [...relationshipsOf(parts, partName).values()]
    .filter((one) => !one.isExternal && type.test(one.type) && parts.has(one.target))
    .map(({ target }) => target);

/** Relationships and namespaces of strict documents (ISO/IEC 29500-1). */
const STRICT = 'http://purl.oclc.org/ooxml/';

/**
 * The main part of the file: `word/document.xml`, `xl/workbook.xml` or what the package calls it.
 *
 * @throws OoxmlError when it has none, and for a strict document
 */
export function mainPartOf(parts: OoxmlPackage): string {
  if ([...relationshipsOf(parts, '').values()].some(({ type }) => type.startsWith(STRICT)))
    throw new OoxmlError('the file is a strict document (ISO/IEC 29500 Strict): save it as an ordinary .docx or .xlsx');
  const main = relatedPart(parts, '', 'officeDocument');
  if (main === undefined || !parts.has(main)) throw new OoxmlError('the file is no document of Office Open XML');
  return main;
}

/** Adds a relationship to a part's relationships document and returns its id. */
export function addRelationship(document: Document, relationship: Omit<Relationship, 'id'>): string {
  const root = rootOf(document);
  const taken = new Set(childrenOf(root, 'Relationship').map((element) => element.getAttribute('Id')));
  let number = taken.size + 1;
  while (taken.has(`rId${number}`)) number += 1;
  const element = document.createElementNS(NAMESPACES.relationships, 'Relationship');
  element.setAttribute('Id', `rId${number}`);
  element.setAttribute('Type', relationship.type);
  element.setAttribute('Target', relationship.isExternal ? relationship.target : `/${relationship.target}`);
  if (relationship.isExternal) element.setAttribute('TargetMode', 'External');
  root.appendChild(element);
  return `rId${number}`;
}

/** The relationships document of a part, which may be absent. */
export function relationshipsIn(parts: OoxmlPackage, partName: string): Document {
  const name = relationshipsPartOf(partName);
  const none = `<Relationships xmlns="${NAMESPACES.relationships}"/>`;
  return parseXml(parts.get(name) ?? new TextEncoder().encode(none), name);
}

/** Targets are relative to the folder of the part, or begin at the package with a slash. */
const targetPart = (partName: string, target: string): string =>
  target.startsWith('/') ? join(target.slice(1)) : join(dirname(partName), target);
