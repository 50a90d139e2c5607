import { CONTENT_TYPES_PART } from '../ooxml/content-types.ts';
import { OoxmlError, type OoxmlPackage } from '../ooxml/ooxml-package.ts';
import { readPackage } from '../ooxml/read-package.ts';
import { mainPartOf, relationshipsOf } from '../ooxml/relationships.ts';
import { stripExternalContent } from '../ooxml/strip-external-content.ts';
import { parsePartInSlices } from '../ooxml/xml/parse-xml-in-slices.ts';
import { parsePart, rootOf } from '../ooxml/xml/xml.ts';
import { type UnlinkedField, unlinkFields } from './unlink-fields.ts';
import { WORD } from './word-xml.ts';

/** A checked docx template; runs do not change it. */
export interface DocxTemplate {
  readonly parts: OoxmlPackage;
  readonly mainPart: string;
  /** Headers, footers and notes. */
  readonly otherTextParts: readonly string[];
  readonly stylesPart: string | undefined;
  /** Fields that loaded something. */
  readonly unlinked: readonly UnlinkedField[];
}

const TEXT_PARTS = /\/(?:header|footer|footnotes|endnotes)$/;

/** @throws OoxmlError with the problem of the file */
export async function parseDocxTemplate(bytes: Uint8Array): Promise<DocxTemplate> {
  const { parts, unlinked } = await unlinkFields(await stripExternalContent(await readPackage(bytes)));
  parsePart(parts, CONTENT_TYPES_PART);
  const mainPart = mainPartOf(parts);
  const root = rootOf(await parsePartInSlices(parts, mainPart));
  if (root.namespaceURI !== WORD || root.localName !== 'document') throw new OoxmlError('the file is no Word document');
  const related = [...relationshipsOf(parts, mainPart).values()].filter(({ isExternal }) => !isExternal);
  const otherTextParts = [...new Set(related.filter(({ type }) => TEXT_PARTS.test(type)).map(({ target }) => target))];
  for (const name of otherTextParts) await parsePartInSlices(parts, name);
  const stylesPart = related.find(({ type }) => type.endsWith('/styles'))?.target;
  if (stylesPart !== undefined) parsePart(parts, stylesPart);
  return { parts, mainPart, otherTextParts, stylesPart, unlinked };
}
