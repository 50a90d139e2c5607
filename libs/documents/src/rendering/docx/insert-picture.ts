import type { Element } from '@xmldom/xmldom';
import type { Picture } from '../images/describe-picture.ts';
import type { PictureRequest } from '../images/picture-source.ts';
import { NAMESPACES } from '../ooxml/xml/xml.ts';
import type { WordPart } from './word-part.ts';
import { elementOf, WORD } from './word-xml.ts';

/** English Metric Units of a pixel at 96 dots per inch. */
const EMU_PER_PIXEL = 9525;

/** Creates a drawing with a picture, scaled in proportion to fit into the box. */
export function pictureElement(
  part: WordPart,
  mediaPart: string,
  picture: Picture,
  box: Pick<PictureRequest, 'width' | 'height' | 'onlyShrinks'>,
): Element {
  const fitting = Math.min(box.width / picture.width, box.height / picture.height);
  const scale = box.onlyShrinks === true ? Math.min(1, fitting) : fitting;
  const side = (pixels: number): number => Math.max(1, Math.round(pixels * scale * EMU_PER_PIXEL));
  const size = `cx="${side(picture.width)}" cy="${side(picture.height)}"`;
  const number = part.nextDrawingId();
  const named = `id="${number}" name="Picture ${number}"`;
  return elementOf(
    part.document,
    `<w:drawing xmlns:w="${WORD}" xmlns:r="${NAMESPACES.officeRelationships}"` +
      ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"' +
      ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"' +
      ' xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture">' +
      `<wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent ${size}/><wp:docPr ${named}/>` +
      '<wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect="1"/></wp:cNvGraphicFramePr>' +
      '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>' +
      `<pic:nvPicPr><pic:cNvPr ${named}/><pic:cNvPicPr/></pic:nvPicPr>` +
      `<pic:blipFill><a:blip r:embed="${part.addPicture(mediaPart)}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>` +
      `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm>` +
      '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>' +
      '</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>',
  );
}
