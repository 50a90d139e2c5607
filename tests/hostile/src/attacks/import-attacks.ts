import { EXPORT_TYPES } from '@lintel/contracts';
import { strToU8, zipSync } from 'fflate';
import type { Attack } from './attack.ts';

const TABLES: readonly Attack[] = (
  [
    ['a file of 9 MB whose rows are refused is read until it stops', 100_000, 200],
    ['a file of 11 MB is refused', 130_000, 413],
    ['a row of 2 MB is refused', 0, 400],
  ] as const
).map(
  ([title, rows, status]): Attack => ({
    finding: 'H4',
    title: `an import: ${title}`,
    sender: 'manager',
    run: async ({ send }) => [
      await send({
        method: 'POST',
        path: '/rest/imports/sales_Customer?dryRun=true',
        headers: { 'content-type': 'text/csv' },
        body: rows === 0 ? `name\n"${'x'.repeat(2_000_000)}"\n` : `name,email\n${`,${'x'.repeat(88)}\n`.repeat(rows)}`,
      }),
    ],
    statuses: [status],
  }),
);

const SHEET = 'xl/worksheets/sheet1.xml';
const row = (number: number, text: string): string =>
  `<row r="${number}"><c r="A${number}" t="inlineStr"><is><t>${text}</t></is></c></row>`;
const sheet = (...rows: readonly string[]): string =>
  `<worksheet><sheetData>${row(1, 'name')}${rows.join('')}</sheetData></worksheet>`;
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relation = (type: string, target: string): string =>
  `<Relationships><Relationship Id="r1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;
/** A workbook with one sheet, and with these parts. */
const file = (parts: Readonly<Record<string, string>>): Uint8Array => {
  const all = {
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    [SHEET]: sheet(),
    ...parts,
  };
  return zipSync(Object.fromEntries(Object.entries(all).map(([name, text]) => [name, strToU8(text)])));
};

/** Workbooks of some kilobytes that unpack to much more, or that have what no table has. */
const WORKBOOKS: readonly Attack[] = (
  [
    ['a part of 200 MB', () => file({ 'xl/media/a.xml': 'x'.repeat(200_000_000) })],
    ['a sheet of 100 MB of empty rows', () => file({ [SHEET]: sheet('<row/>'.repeat(16_000_000)) })],
    ['a cell of 20 MB', () => file({ [SHEET]: sheet(row(2, 'xyz'.repeat(7_000_000))) })],
    [
      'entities that grow',
      () =>
        file({ [SHEET]: `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1_000)}">]>${sheet(row(2, '&a;'.repeat(100_000)))}` }),
    ],
    ['elements that are nested 300,000 times', () => file({ [SHEET]: `${'<a>'.repeat(300_000)}` })],
  ] as const
).map(
  ([title, make]): Attack => ({
    finding: 'H4',
    title: `an import of a workbook: ${title} is refused, or has no effect`,
    sender: 'manager',
    run: async ({ send }) => [
      await send({
        method: 'POST',
        path: '/rest/imports/sales_Customer?dryRun=true',
        headers: { 'content-type': EXPORT_TYPES.xlsx },
        body: make(),
      }),
    ],
    // Entities are not resolved: the row is refused.
    statuses: [200, 400],
    withinMs: 20_000,
  }),
);

/** Tables to be imported (H4). */
export const IMPORT_ATTACKS: readonly Attack[] = [...TABLES, ...WORKBOOKS];
