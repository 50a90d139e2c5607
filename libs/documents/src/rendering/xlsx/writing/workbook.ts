import { zipSync } from 'fflate';
import { type CellStyle, escapeXml, stylesXml } from './workbook-styles.ts';

/** A cell: text, number, boolean, a formula (`=SUM(A1:A2)`), or any of them with a style. */
export type WorkbookCell =
  | string
  | number
  | boolean
  | { readonly value: string | number | boolean; readonly style: number };

export interface WorkbookSheet {
  readonly name: string;
  /** By cell name: `B7`. An empty text is a cell with a style only. */
  readonly cells: Readonly<Record<string, WorkbookCell>>;
  /** Widths of columns from the first on, in characters. */
  readonly widths?: readonly number[];
  /** Heights of rows in points, by row. */
  readonly heights?: Readonly<Record<number, number>>;
  /** Areas of merged cells. */
  readonly merges?: readonly string[];
  /** Elements in front of the cells: views, format. */
  readonly head?: string;
  /** Elements after the merged cells: conditional formats, page set-up, … in their order. */
  readonly tail?: string;
  /** Elements after those of the tail. */
  readonly end?: string;
}

export interface WorkbookDefinition {
  readonly sheets: readonly WorkbookSheet[];
  /** Named ranges of the workbook. */
  readonly names?: Readonly<Record<string, string>>;
  /** Cell formats; the first one is the format of cells without a style. */
  readonly styles?: readonly CellStyle[];
  readonly isCalendarOf1904?: boolean;
  /** More parts, or other contents for those there are. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** Namespace of workbooks and sheets. */
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
/** Begins each part. */
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Makes an xlsx file part by part, the way Excel writes them: templates. Always the same bytes. */
export function workbook(definition: WorkbookDefinition): Uint8Array {
  const { sheets, names = {}, styles = [{}] } = definition;
  const strings: string[] = [];
  const parts: Record<string, string> = {};
  for (const [index, sheet] of sheets.entries())
    parts[`xl/worksheets/sheet${index + 1}.xml`] = sheetXml(sheet, strings);
  const files: Record<string, string> = {
    '[Content_Types].xml': '',
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': workbookXml(definition, names),
    'xl/_rels/workbook.xml.rels': relationships([
      ...sheets.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const),
      ['styles', 'styles.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ]),
    ...parts,
    'xl/styles.xml': DECLARATION + stylesXml(styles),
    'xl/sharedStrings.xml': `${DECLARATION}<sst xmlns="${MAIN}">${strings
      .map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`)
      .join('')}</sst>`,
    ...definition.parts,
  };
  files['[Content_Types].xml'] = definition.parts?.['[Content_Types].xml'] ?? contentTypes(Object.keys(files));
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)])),
    { mtime: '1980-01-01T00:00:00' },
  );
}

function sheetXml(sheet: WorkbookSheet, strings: string[]): string {
  const { cells, widths = [], heights = {}, merges = [], head = '', tail = '', end = '' } = sheet;
  const rows = new Map<number, string[]>();
  for (const row of Object.keys(heights)) rows.set(Number(row), []);
  const cellNames = Object.keys(cells).map((cellName) => {
    const [, letters = '', digits = ''] = /^([A-Z]+)(\d+)$/.exec(cellName) ?? [];
    return { cellName, row: Number(digits), column: letters.padStart(3) };
  });
  for (const { cellName, row } of cellNames.sort((one, other) => (one.column < other.column ? -1 : 1)))
    rows.set(row, [...(rows.get(row) ?? []), cellXml(cellName, cells[cellName] ?? '', strings)]);
  const data = [...rows]
    .sort(([one], [other]) => one - other)
    .map(([row, inside]) => {
      const height = heights[row] === undefined ? '' : ` ht="${heights[row]}" customHeight="1"`;
      return `<row r="${row}"${height}>${inside.join('')}</row>`;
    });
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  const merged = merges.map((area) => `<mergeCell ref="${area}"/>`).join('');
  return (
    `${DECLARATION}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}">${head}` +
    (columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`) +
    `<sheetData>${data.join('')}</sheetData>` +
    (merged === '' ? '' : `<mergeCells count="${merges.length}">${merged}</mergeCells>`) +
    tail +
    `${end}</worksheet>`
  );
}

function cellXml(cellName: string, cell: WorkbookCell, strings: string[]): string {
  const { value, style } = typeof cell === 'object' ? cell : { value: cell, style: undefined };
  const start = `<c r="${cellName}"${style === undefined ? '' : ` s="${style}"`}`;
  if (value === '') return `${start}/>`;
  if (typeof value === 'number') return `${start}><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `${start} t="b"><v>${value ? 1 : 0}</v></c>`;
  if (value.startsWith('=')) return `${start}><f>${escapeXml(value.slice(1))}</f></c>`;
  if (!strings.includes(value)) strings.push(value);
  return `${start} t="s"><v>${strings.indexOf(value)}</v></c>`;
}

/** The part that names the sheets. */
export function workbookXml(
  { sheets, isCalendarOf1904 }: Pick<WorkbookDefinition, 'sheets' | 'isCalendarOf1904'>,
  names: Readonly<Record<string, string>>,
): string {
  const list = sheets.map(
    ({ name }, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  const defined = Object.entries(names).map(
    ([name, formula]) =>
      // Names of Excel itself belong to a sheet.
      `<definedName name="${name}"${name.startsWith('_xlnm.') ? ' localSheetId="0"' : ''}>${escapeXml(formula)}</definedName>`,
  );
  return (
    `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">` +
    (isCalendarOf1904 === true ? '<workbookPr date1904="1"/>' : '') +
    `<sheets>${list.join('')}</sheets>` +
    (defined.length === 0 ? '' : `<definedNames>${defined.join('')}</definedNames>`) +
    '</workbook>'
  );
}

/** A part with relationships: `rId1`, `rId2`, … */
export const relationships = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^xl\/workbook\.xml$/, `${SPREADSHEET}.sheet.main+xml`],
  [/^xl\/worksheets\/sheet\d+\.xml$/, `${SPREADSHEET}.worksheet+xml`],
  [/^xl\/styles\.xml$/, `${SPREADSHEET}.styles+xml`],
  [/^xl\/sharedStrings\.xml$/, `${SPREADSHEET}.sharedStrings+xml`],
  [/^xl\/calcChain\.xml$/, `${SPREADSHEET}.calcChain+xml`],
  [/^xl\/tables\/table\d+\.xml$/, `${SPREADSHEET}.table+xml`],
  [/^xl\/drawings\/drawing\d+\.xml$/, 'application/vnd.openxmlformats-officedocument.drawing+xml'],
  [/^xl\/charts\/chart\d+\.xml$/, 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml'],
];

/** The part with the types of the others. */
export function contentTypes(names: readonly string[]): string {
  const overrides = names.flatMap((name) => {
    const type = TYPES.find(([pattern]) => pattern.test(name))?.[1];
    return type === undefined ? [] : [`<Override PartName="/${name}" ContentType="${type}"/>`];
  });
  return (
    `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>' +
    `${overrides.join('')}</Types>`
  );
}
