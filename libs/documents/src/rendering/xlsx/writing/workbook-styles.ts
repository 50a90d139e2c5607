/** A cell format. */
export interface CellStyle {
  readonly bold?: boolean;
  readonly size?: number;
  /** RGB: `FFFFFF`. */
  readonly color?: string;
  readonly fill?: string;
  /** Lines below the cell, or around it. */
  readonly border?: 'bottom' | 'all';
  readonly borderColor?: string;
  /** Number format: `#,##0.00`, `yyyy-mm-dd`. */
  readonly format?: string;
  readonly align?: 'left' | 'center' | 'right';
  readonly wrap?: boolean;
  /** Makes it a named style. */
  readonly name?: string;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The part of the cell formats, one for each style. */
export function stylesXml(styles: readonly CellStyle[]): string {
  const formats = [...new Set(styles.flatMap(({ format }) => (format === undefined ? [] : [format])))];
  const xf = (style: CellStyle, index: number, more: string): string =>
    `<xf numFmtId="${style.format === undefined ? 0 : 164 + formats.indexOf(style.format)}" fontId="${index}" ` +
    `fillId="${index + 2}" borderId="${index}"${more} applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"` +
    ` applyAlignment="1"><alignment vertical="center"${style.align === undefined ? '' : ` horizontal="${style.align}"`}${style.wrap ? ' wrapText="1"' : ''}/></xf>`;
  const named = styles.flatMap((style, index) => (style.name === undefined ? [] : [{ ...style, index }]));
  return (
    `<styleSheet xmlns="${MAIN}">` +
    (formats.length === 0
      ? ''
      : `<numFmts count="${formats.length}">${formats.map((format, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escapeXml(format)}"/>`).join('')}</numFmts>`) +
    `<fonts count="${styles.length}">${styles.map(fontXml).join('')}</fonts>` +
    `<fills count="${styles.length + 2}"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${styles.map(fillXml).join('')}</fills>` +
    `<borders count="${styles.length}">${styles.map(borderXml).join('')}</borders>` +
    `<cellStyleXfs count="${named.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>${named.map((style) => xf(style, style.index, '')).join('')}</cellStyleXfs>` +
    `<cellXfs count="${styles.length}">${styles.map((style, index) => xf(style, index, ' xfId="0"')).join('')}</cellXfs>` +
    `<cellStyles count="${named.length + 1}"><cellStyle name="Normal" xfId="0" builtinId="0"/>${named.map(({ name }, index) => `<cellStyle name="${name}" xfId="${index + 1}"/>`).join('')}</cellStyles>` +
    '<dxfs count="2"><dxf><font><color rgb="FF9C0006"/></font><fill><patternFill><bgColor rgb="FFFFC7CE"/></patternFill></fill></dxf>' +
    '<dxf><font><color rgb="FF006100"/></font><fill><patternFill><bgColor rgb="FFC6EFCE"/></patternFill></fill></dxf></dxfs></styleSheet>'
  );
}

const fontXml = ({ bold, size = 11, color = '222222' }: CellStyle): string =>
  `<font>${bold ? '<b/>' : ''}<sz val="${size}"/><color rgb="FF${color}"/><name val="Liberation Sans"/><family val="2"/></font>`;

const fillXml = ({ fill }: CellStyle): string =>
  fill === undefined
    ? '<fill><patternFill patternType="none"/></fill>'
    : `<fill><patternFill patternType="solid"><fgColor rgb="FF${fill}"/><bgColor indexed="64"/></patternFill></fill>`;

function borderXml({ border, borderColor = 'BFBFBF' }: CellStyle): string {
  const line = (side: string, isDrawn: boolean): string =>
    isDrawn ? `<${side} style="thin"><color rgb="FF${borderColor}"/></${side}>` : `<${side}/>`;
  const all = border === 'all';
  return `<border>${line('left', all)}${line('right', all)}${line('top', all)}${line('bottom', border !== undefined)}<diagonal/></border>`;
}

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
