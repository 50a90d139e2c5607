import { type ZipEntry, zipStream } from '../rendering/ooxml/zip/zip-stream.ts';
import { columnName } from '../rendering/xlsx/cells/area.ts';
import { toCellText } from '../rendering/xlsx/cells/cell-text-form.ts';
import { serialOf } from '../rendering/xlsx/cells/serial-date.ts';
import { contentTypes, DECLARATION, MAIN, relationships, workbookXml } from '../rendering/xlsx/writing/workbook.ts';
import { stylesXml } from '../rendering/xlsx/writing/workbook-styles.ts';

/** A value of a cell; a date or time has its ISO text, and is written as a text if a sheet has no number for it. */
export type WrittenCell =
  | string
  | number
  | boolean
  | null
  | { readonly iso: string; readonly kind: 'date' | 'dateTime' | 'time' };

/** Rows of a sheet, with the header. */
const MAX_ROWS = 1_048_576;
/** Characters of a cell that Excel reads. */
const MAX_CHARACTERS = 32_767;

const HEADER = 1;
const STYLES = ['date', 'dateTime', 'time'];
const STYLE_PART = stylesXml([
  {},
  { bold: true },
  { format: 'yyyy-mm-dd' },
  { format: 'yyyy-mm-dd hh:mm:ss' },
  { format: 'hh:mm:ss' },
]);

/**
 * Writes a workbook while its rows are read: one sheet with a header, and another one after each 1,048,576 rows. Texts
 * are never formulas; those that are longer than a cell may be are cut, and end with `…`.
 */
export async function* workbookStream(
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly WrittenCell[])[]>,
): AsyncGenerator<Uint8Array> {
  const source = batches[Symbol.asyncIterator]();
  try {
    yield* zipStream(entriesOf(header, source));
  } finally {
    await source.return?.();
  }
}

function* entriesOf(
  header: readonly string[],
  source: AsyncIterator<readonly (readonly WrittenCell[])[]>,
): Generator<ZipEntry> {
  const names: string[] = [];
  let rest: readonly (readonly WrittenCell[])[] = [];
  let isDone = false;
  async function* sheet(): AsyncGenerator<string> {
    yield `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetData>${rowXml(header, 1, HEADER)}`;
    let row = 1;
    while (row < MAX_ROWS) {
      if (rest.length === 0) {
        const next = await source.next();
        isDone = next.done === true;
        if (next.done === true) break;
        rest = next.value;
      }
      const now = rest.slice(0, MAX_ROWS - row);
      rest = rest.slice(now.length);
      yield now.map((cells, at) => rowXml(cells, row + at + 1)).join('');
      row += now.length;
    }
    yield '</sheetData></worksheet>';
  }
  while (!isDone) {
    names.push(`xl/worksheets/sheet${names.length + 1}.xml`);
    yield { name: names.at(-1) ?? '', content: sheet };
  }
  const sheets = names.map((_, at) => ({ name: `Table${at + 1}`, cells: {} }));
  const others = {
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': workbookXml({ sheets }, {}),
    'xl/_rels/workbook.xml.rels': relationships([
      ...names.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': DECLARATION + STYLE_PART,
  };
  const all = { '[Content_Types].xml': contentTypes([...names, ...Object.keys(others)]), ...others };
  for (const [name, text] of Object.entries(all)) yield { name, content: () => onePiece(text) };
}

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text;
}

const rowXml = (cells: readonly WrittenCell[], row: number, style = 0): string =>
  `<row r="${row}">${cells.map((cell, at) => cellXml(cell, `${columnName(at + 1)}${row}`, style)).join('')}</row>`;

function cellXml(cell: WrittenCell, name: string, style: number): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${name}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${name}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'object') {
    const serial = serialOf(cell.iso, cell.kind, false);
    return serial === undefined
      ? cellXml(cell.iso, name, 0)
      : `<c r="${name}" s="${2 + STYLES.indexOf(cell.kind)}"><v>${serial}</v></c>`;
  }
  const text = cell.length > MAX_CHARACTERS ? `${cell.slice(0, MAX_CHARACTERS - 1)}…` : cell;
  const styled = style === 0 ? '' : ` s="${style}"`;
  return `<c r="${name}"${styled} t="inlineStr"><is><t xml:space="preserve">${toCellText(text)}</t></is></c>`;
}
