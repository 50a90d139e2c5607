import type { Document, Element } from '@xmldom/xmldom';
import type { LoadedPicture } from '../../images/load-pictures.ts';
import { CONTENT_TYPES_PART, declareExtension, declarePart } from '../../ooxml/content-types.ts';
import type { OoxmlPackage } from '../../ooxml/ooxml-package.ts';
import { addRelationship, relatedPart, relationshipsIn, relationshipsPartOf } from '../../ooxml/relationships.ts';
import { childrenOf, NAMESPACES, parsePart, parseXml, rootOf, writeXml } from '../../ooxml/xml/xml.ts';
import type { SheetTemplate } from '../template/xlsx-template.ts';
import type { PlacedPicture } from './placed-pictures.ts';

/** The pictures of a sheet as XML. */
export interface SheetPictures {
  /** Relationship from the sheet to a drawing that it did not have before. */
  readonly newDrawing: string | undefined;
  /** Anchors that are added to its drawing. */
  readonly anchors: string;
}

export interface AddedPictures {
  readonly parts: OoxmlPackage;
  readonly sheets: ReadonlyMap<SheetTemplate, SheetPictures>;
}

const RELATIONSHIP = NAMESPACES.officeRelationships;
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
/** English Metric Units of a pixel at 96 dots per inch. */
const EMU_PER_PIXEL = 9525;
/** Greater than the ids of the template's drawings. */
const FIRST_ID = 100_000;

/** Adds the parts of pictures to those of a workbook: the files, drawings of sheets without one, and relationships. */
export function addPictures(
  parts: OoxmlPackage,
  placed: readonly PlacedPicture[],
  loaded: ReadonlyMap<PlacedPicture['request'], LoadedPicture>,
): AddedPictures {
  const added = new Map(parts);
  const types = parsePart(parts, CONTENT_TYPES_PART);
  const sheets = new Map<SheetTemplate, SheetPictures>();
  for (const [sheet, pictures] of Map.groupBy(placed, (one) => one.sheet)) {
    const known = relatedPart(parts, sheet.part, 'drawing');
    const drawing = known ?? `xl/drawings/reportDrawing${sheet.index + 1}.xml`;
    const newDrawing = known === undefined ? addDrawing(added, types, sheet, drawing) : undefined;
    const relationships = relationshipsIn(added, drawing);
    const ids = new Map<string, string>();
    let anchors = '';
    for (const [index, { row, column, request }] of pictures.entries()) {
      const picture = loaded.get(request);
      if (picture === undefined) continue;
      const { mediaPart } = picture;
      added.set(mediaPart, picture.picture.bytes);
      declareExtension(types, picture.picture.extension, picture.picture.contentType);
      const id =
        ids.get(mediaPart) ??
        addRelationship(relationships, { type: `${RELATIONSHIP}/image`, target: mediaPart, isExternal: false });
      ids.set(mediaPart, id);
      anchors += anchorXml(row, column, request, id, FIRST_ID + index);
    }
    added.set(relationshipsPartOf(drawing), writeXml(relationships));
    sheets.set(sheet, { newDrawing, anchors });
  }
  added.set(CONTENT_TYPES_PART, writeXml(types));
  return { parts: added, sheets };
}

function addDrawing(parts: Map<string, Uint8Array>, types: Document, sheet: SheetTemplate, drawing: string): string {
  const xml = `<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main"/>`;
  parts.set(drawing, writeXml(parseXml(new TextEncoder().encode(xml), drawing)));
  declarePart(types, drawing, 'application/vnd.openxmlformats-officedocument.drawing+xml');
  const relationships = relationshipsIn(parts, sheet.part);
  const id = addRelationship(relationships, { type: `${RELATIONSHIP}/drawing`, target: drawing, isExternal: false });
  parts.set(relationshipsPartOf(sheet.part), writeXml(relationships));
  return id;
}

/** The size is that of the format; proportions are not kept (contract/report-templates.md#values). */
const anchorXml = (
  row: number,
  column: number,
  { width, height }: PlacedPicture['request'],
  relationship: string,
  id: number,
): string =>
  `<xdr:oneCellAnchor><xdr:from><xdr:col>${column - 1}</xdr:col><xdr:colOff>0</xdr:colOff>` +
  `<xdr:row>${row - 1}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from>` +
  `<xdr:ext cx="${width * EMU_PER_PIXEL}" cy="${height * EMU_PER_PIXEL}"/>` +
  `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${id}" name="Picture ${id}"/><xdr:cNvPicPr/></xdr:nvPicPr>` +
  `<xdr:blipFill><a:blip r:embed="${relationship}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill>` +
  '<xdr:spPr><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>';

/** Appends anchors to a drawing. */
export function appendAnchors(drawing: Element, anchors: string): void {
  const xml =
    `<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${RELATIONSHIP}">` +
    `${anchors}</xdr:wsDr>`;
  for (const anchor of childrenOf(rootOf(parseXml(new TextEncoder().encode(xml), 'pictures'))))
    drawing.appendChild(drawing.ownerDocument?.importNode(anchor, true) ?? anchor);
}
