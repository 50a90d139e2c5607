import type { Document } from '@xmldom/xmldom';
import { childrenOf, NAMESPACES, rootOf } from './xml/xml.ts';

export const CONTENT_TYPES_PART = '[Content_Types].xml';

/** Returns the content type of a part according to `[Content_Types].xml`. */
export function contentTypeOfPart(types: Document, partName: string): string | undefined {
  const root = rootOf(types);
  const named = childrenOf(root, 'Override').find(
    (element) => element.getAttribute('PartName')?.toLowerCase() === `/${partName}`.toLowerCase(),
  );
  const extension = partName.slice(partName.lastIndexOf('.') + 1).toLowerCase();
  const byExtension = childrenOf(root, 'Default').find(
    (element) => element.getAttribute('Extension')?.toLowerCase() === extension,
  );
  return (named ?? byExtension)?.getAttribute('ContentType') ?? undefined;
}

/** Declares the content type of all parts with an extension, unless it is declared. */
export function declareExtension(types: Document, extension: string, contentType: string): void {
  if (contentTypeOfPart(types, `x.${extension}`) !== undefined) return;
  const element = types.createElementNS(NAMESPACES.contentTypes, 'Default');
  element.setAttribute('Extension', extension);
  element.setAttribute('ContentType', contentType);
  const root = rootOf(types);
  root.insertBefore(element, root.firstChild);
}

/** Declares the content type of one part. */
export function declarePart(types: Document, partName: string, contentType: string): void {
  if (contentTypeOfPart(types, partName) === contentType) return;
  const element = types.createElementNS(NAMESPACES.contentTypes, 'Override');
  element.setAttribute('PartName', `/${partName}`);
  element.setAttribute('ContentType', contentType);
  rootOf(types).appendChild(element);
}

/** Removes the declaration of a part that is omitted. */
export function removePart(types: Document, partName: string): void {
  for (const element of childrenOf(rootOf(types), 'Override'))
    if (element.getAttribute('PartName') === `/${partName}`) rootOf(types).removeChild(element);
}
