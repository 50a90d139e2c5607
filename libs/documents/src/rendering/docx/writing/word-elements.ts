import { escapeXml } from '../../xlsx/writing/workbook-styles.ts';

/** Elements of Word documents as XML, for templates that are written in code. */

export interface ParagraphOptions {
  readonly style?: string;
  readonly align?: 'left' | 'center' | 'right';
  readonly bold?: boolean;
  /** `RRGGBB` */
  readonly color?: string;
  /** Points. */
  readonly size?: number;
  /** Points below the paragraph. */
  readonly after?: number;
}

/** A run of text. */
export const run = (text: string, options: ParagraphOptions = {}): string =>
  runOf(`<w:t xml:space="preserve">${escapeXml(text)}</w:t>`, options);

function runOf(content: string, { bold, color, size }: ParagraphOptions): string {
  const format =
    (bold === true ? '<w:b/>' : '') +
    (color === undefined ? '' : `<w:color w:val="${color}"/>`) +
    (size === undefined ? '' : `<w:sz w:val="${size * 2}"/><w:szCs w:val="${size * 2}"/>`);
  return `<w:r>${format === '' ? '' : `<w:rPr>${format}</w:rPr>`}${content}</w:r>`;
}

/** A paragraph of one text, or of runs. */
export function paragraph(content: string | readonly string[], options: ParagraphOptions = {}): string {
  const { style, align, after } = options;
  const format =
    (style === undefined ? '' : `<w:pStyle w:val="${style}"/>`) +
    (after === undefined ? '' : `<w:spacing w:after="${after * 20}"/>`) +
    (align === undefined ? '' : `<w:jc w:val="${align}"/>`);
  const runs = typeof content === 'string' ? (content === '' ? '' : run(content, options)) : content.join('');
  return `<w:p>${format === '' ? '' : `<w:pPr>${format}</w:pPr>`}${runs}</w:p>`;
}

/** A field that Word computes: `PAGE`, `NUMPAGES`. */
export const field = (instruction: string, options: ParagraphOptions = {}): string => {
  const fieldCharacter = (type: string): string => runOf(`<w:fldChar w:fldCharType="${type}"/>`, options);
  const text = runOf(`<w:instrText xml:space="preserve"> ${instruction} </w:instrText>`, options);
  return `${fieldCharacter('begin')}${text}${fieldCharacter('separate')}${run('1', options)}${fieldCharacter('end')}`;
};

export const hyperlink = (relationship: string, content: string): string =>
  `<w:hyperlink r:id="${relationship}">${content}</w:hyperlink>`;

/** The paragraph that must follow a table in a cell, with minimum height. */
export const thinParagraph = (content = ''): string =>
  `<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/><w:rPr><w:sz w:val="2"/></w:rPr></w:pPr>${content}</w:p>`;

export interface CellOptions {
  /** Twentieths of a point. */
  readonly width: number;
  readonly span?: number;
  /** Background, `RRGGBB`. */
  readonly fill?: string;
}

export function cell(content: string, { width, span, fill }: CellOptions): string {
  const format =
    `<w:tcW w:w="${width}" w:type="dxa"/>` +
    (span === undefined ? '' : `<w:gridSpan w:val="${span}"/>`) +
    (fill === undefined ? '' : `<w:shd w:val="clear" w:color="auto" w:fill="${fill}"/>`);
  return `<w:tc><w:tcPr>${format}</w:tcPr>${content}</w:tc>`;
}

/** @param kind a header is repeated on every page; a block may be split between pages */
export const row = (cells: readonly string[], kind?: 'header' | 'block'): string =>
  kind === 'block'
    ? `<w:tr>${cells.join('')}</w:tr>`
    : `<w:tr><w:trPr><w:cantSplit/>${kind === 'header' ? '<w:tblHeader/>' : ''}</w:trPr>${cells.join('')}</w:tr>`;

export interface TableOptions {
  /** Of the columns, in twentieths of a point. */
  readonly widths: readonly number[];
  /** Lines between rows. */
  readonly lines?: boolean;
  /** Space left and right in cells. */
  readonly padding?: number;
}

export function table(rows: readonly string[], { widths, lines = false, padding = 80 }: TableOptions): string {
  const line = (side: string): string => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="C8CDD3"/>`;
  const borders = lines ? `<w:tblBorders>${line('bottom')}${line('insideH')}</w:tblBorders>` : '';
  const total = widths.reduce((sum, width) => sum + width, 0);
  const margin = (side: string): string => `<w:${side} w:w="${padding}" w:type="dxa"/>`;
  return (
    `<w:tbl><w:tblPr><w:tblW w:w="${total}" w:type="dxa"/>${borders}<w:tblLayout w:type="fixed"/>` +
    `<w:tblCellMar>${margin('left')}${margin('right')}</w:tblCellMar></w:tblPr>` +
    `<w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>${rows.join('')}</w:tbl>`
  );
}
