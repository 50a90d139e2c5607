import type { Element } from '@xmldom/xmldom';
import type { OoxmlPackage } from '../ooxml-package.ts';
import { parsePartInSlices } from './parse-xml-in-slices.ts';
import { writeXmlInSlices } from './write-xml-in-slices.ts';
import { rootOf } from './xml.ts';

/** Returns a part as it is after a change of its root element; the package is not changed. */
export async function editPart(
  parts: OoxmlPackage,
  part: string,
  edit: (root: Element) => void | Promise<void>,
): Promise<Uint8Array> {
  const document = await parsePartInSlices(parts, part);
  await edit(rootOf(document));
  return writeXmlInSlices(document);
}
