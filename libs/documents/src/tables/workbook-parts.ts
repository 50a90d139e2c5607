import { posix } from 'node:path';
import { OoxmlError } from '../rendering/ooxml/ooxml-package.ts';
import type { PackageEntries } from '../rendering/ooxml/read-package.ts';
import { fromCellText } from '../rendering/xlsx/cells/cell-text-form.ts';
import { type PartHandler, parsePart } from './parse-part.ts';

async function parse(parts: PackageEntries, name: string, handler: PartHandler): Promise<void> {
  for await (const _ of parsePart(parts, name, handler));
}

/** The targets of the relationships of a part, by their ids and by the ends of their types. */
async function targetsOf(parts: PackageEntries, part: string): Promise<ReadonlyMap<string, string>> {
  const targets = new Map<string, string>();
  const { dir, base } = posix.parse(part);
  await parse(parts, posix.join(dir, '_rels', `${base}.rels`), {
    open(name, { Id = '', Type = '', Target = '' }) {
      if (name !== 'Relationship') return;
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(dir, Target);
      targets.set(Id, target).set(posix.basename(Type), target);
    },
  });
  return targets;
}

/** The part of the first sheet, and the calendar. */
export async function readWorkbook(
  parts: PackageEntries,
): Promise<{ readonly sheet: string; readonly isCalendarOf1904: boolean }> {
  const workbook = (await targetsOf(parts, '')).get('officeDocument') ?? 'xl/workbook.xml';
  let first: string | undefined;
  let isCalendarOf1904 = false;
  await parse(parts, workbook, {
    open(name, attributes) {
      if (name === 'workbookPr') isCalendarOf1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
      if (name === 'sheet')
        first ??= attributes['r:id'] ?? Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
    },
  });
  const sheet = first === undefined ? undefined : (await targetsOf(parts, workbook)).get(first);
  if (sheet === undefined) throw new OoxmlError('the workbook has no sheet');
  return { sheet, isCalendarOf1904 };
}

/** Number formats of dates and times that have no text in the file (ECMA-376-1, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Whether a format shows dates or times: texts, colors and conditions in it do not count. */
const isDateFormat = (code: string): boolean =>
  /[ymdhs]/i.test(code.replaceAll(/"[^"]*"|\\.|\[(?![hms]+\])[^\]]*\]|General/gi, ''));

/** As spreadsheet programs allow: the time of the test grows with the square of the length. */
const MAX_FORMAT_LENGTH = 255;

/** Whether cells of each style are dates. */
export async function readStyles(parts: PackageEntries): Promise<readonly boolean[]> {
  const formats = new Map<number, boolean>();
  const ids: number[] = [];
  let isInside = false;
  if (parts.entries.has('xl/styles.xml'))
    await parse(parts, 'xl/styles.xml', {
      open(name, { numFmtId = '0', formatCode = '' }) {
        if (name === 'numFmt') {
          if (formatCode.length > MAX_FORMAT_LENGTH)
            throw new OoxmlError(`a number format has more than ${MAX_FORMAT_LENGTH} characters`);
          formats.set(Number(numFmtId), isDateFormat(formatCode));
        }
        if (name === 'cellXfs') isInside = true;
        if (name === 'xf' && isInside) ids.push(Number(numFmtId));
      },
      close(name) {
        if (name === 'cellXfs') isInside = false;
      },
    });
  return ids.map((id) => formats.get(id) ?? isBuiltInDate(id));
}

/** The shared texts; phonetic hints are no part of them. */
export async function readStrings(parts: PackageEntries, name: string): Promise<readonly string[]> {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isHint = false;
  if (parts.entries.has(name))
    await parse(parts, name, {
      open(element) {
        if (element === 'si') text = '';
        if (element === 'rPh') isHint = true;
        if (element === 't') isText = !isHint;
      },
      text(piece) {
        if (isText) text += piece;
      },
      close(element) {
        if (element === 't') isText = false;
        if (element === 'rPh') isHint = false;
        if (element === 'si') strings.push(fromCellText(text));
      },
    });
  return strings;
}
