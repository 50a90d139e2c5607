/** A column or bar chart of one series, and where it stands: columns and rows from 0. */
export interface SheetChart {
  readonly kind: 'col' | 'bar';
  readonly title: string;
  /** Formulas of the ranges. */
  readonly categories: string;
  readonly values: string;
  readonly from: readonly [column: number, row: number];
  readonly to: readonly [column: number, row: number];
  /** RGB. */
  readonly color?: string;
}

export interface SheetDrawing {
  readonly charts?: readonly SheetChart[];
  /** More anchors, as XML. */
  readonly anchors?: string;
}

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The parts of a sheet's drawing: `xl/drawings/drawing<number>.xml`, its relationships and charts. */
export function drawingParts(
  { charts = [], anchors = '' }: SheetDrawing,
  number: number,
): Readonly<Record<string, string>> {
  const chartPart = (index: number): string => `chart${number * 10 + index}.xml`;
  const parts: Record<string, string> = {
    [`xl/drawings/drawing${number}.xml`]:
      `${DECLARATION}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main">` +
      `${charts.map((chart, index) => anchorXml(chart, index + 1)).join('')}${anchors}</xdr:wsDr>`,
  };
  if (charts.length === 0) return parts;
  parts[`xl/drawings/_rels/drawing${number}.xml.rels`] =
    `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${charts
      .map(
        (_, index) =>
          `<Relationship Id="rId${index + 1}" Type="${OFFICE}/chart" Target="../charts/${chartPart(index)}"/>`,
      )
      .join('')}</Relationships>`;
  for (const [index, chart] of charts.entries()) parts[`xl/charts/${chartPart(index)}`] = chartXml(chart);
  return parts;
}

const corner = (name: string, [column, row]: readonly [number, number]): string =>
  `<xdr:${name}><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${name}>`;

const anchorXml = ({ from, to }: SheetChart, id: number): string =>
  `<xdr:twoCellAnchor>${corner('from', from)}${corner('to', to)}<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr>` +
  `<xdr:cNvPr id="${id + 1}" name="Chart ${id}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>` +
  '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>' +
  `<a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" xmlns:r="${OFFICE}" r:id="rId${id}"/>` +
  '</a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>';

const text = (value: string, size: number): string =>
  `<c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="${size}" b="0"/></a:pPr><a:r><a:rPr lang="en-US" sz="${size}" b="0"/><a:t>${value}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/>`;

function chartXml({ kind, title, categories, values, color = '4472C4' }: SheetChart): string {
  const [category, value] = kind === 'bar' ? ['l', 'b'] : ['b', 'l'];
  const cache = '<c:ptCount val="1"/><c:pt idx="0"><c:v>0</c:v></c:pt>';
  return (
    `${DECLARATION}<c:chartSpace xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}"><c:roundedCorners val="0"/>` +
    `<c:chart><c:title>${text(title, 1200)}</c:title><c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>` +
    `<c:barChart><c:barDir val="${kind}"/><c:grouping val="clustered"/><c:varyColors val="0"/>` +
    `<c:ser><c:idx val="0"/><c:order val="0"/><c:spPr><a:solidFill><a:srgbClr val="${color}"/></a:solidFill></c:spPr><c:invertIfNegative val="0"/>` +
    `<c:cat><c:strRef><c:f>${categories}</c:f><c:strCache>${cache}</c:strCache></c:strRef></c:cat>` +
    `<c:val><c:numRef><c:f>${values}</c:f><c:numCache><c:formatCode>General</c:formatCode>${cache}</c:numCache></c:numRef></c:val></c:ser>` +
    '<c:gapWidth val="60"/><c:axId val="1001"/><c:axId val="1002"/></c:barChart>' +
    `<c:catAx><c:axId val="1001"/><c:scaling><c:orientation val="${kind === 'bar' ? 'maxMin' : 'minMax'}"/></c:scaling><c:delete val="0"/><c:axPos val="${category}"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="1002"/><c:crosses val="autoZero"/></c:catAx>` +
    `<c:valAx><c:axId val="1002"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="${value}"/><c:majorGridlines><c:spPr><a:ln><a:solidFill><a:srgbClr val="D9D9D9"/></a:solidFill></a:ln></c:spPr></c:majorGridlines><c:numFmt formatCode="#,##0" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="1001"/><c:crosses val="${kind === 'bar' ? 'max' : 'autoZero'}"/></c:valAx>` +
    '</c:plotArea><c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>'
  );
}
