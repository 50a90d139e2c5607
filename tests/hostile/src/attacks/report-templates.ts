import { strToU8, zipSync } from 'fflate';

/** A query of the example, with the field of a template that shows its result. */
export const ORDERS = 'select o.number as number from sales_Order o';
export const ALIAS = '$'.concat('{number}');

const COLUMNS = Array.from({ length: 10 }, (_, at) => at);
/** Names of the columns of a sheet. */
export const LETTERS = COLUMNS.map((at) => String.fromCharCode(65 + at));
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
const TABLE = `<w:tbl><w:tr>${COLUMNS.map((at) => cell(`${at === 0 ? '##band=Orders ' : ''}${ALIAS}`)).join('')}</w:tr></w:tbl>`;
const OOXML = 'http://schemas.openxmlformats.org';
const OFFICE = `${OOXML}/officeDocument/2006/relationships`;

/** A document of a main part, and of the parts that it refers to as `rId1`, … */
function documentOf(
  type: string,
  main: string,
  parts: Readonly<Record<string, readonly [type: string, text: string]>>,
) {
  const relationships = (targets: readonly (readonly [type: string, target: string])[]): Uint8Array =>
    strToU8(
      `<Relationships xmlns="${OOXML}/package/2006/relationships">${targets
        .map(([kind, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${kind}" Target="${target}"/>`)
        .join('')}</Relationships>`,
    );
  return zipSync({
    '[Content_Types].xml': strToU8(
      `<Types xmlns="${OOXML}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/main.xml" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    ),
    '_rels/.rels': relationships([['officeDocument', 'main.xml']]),
    'main.xml': strToU8(main),
    '_rels/main.xml.rels': relationships(Object.entries(parts).map(([name, [kind]]) => [kind, name])),
    ...Object.fromEntries(Object.entries(parts).map(([name, [, text]]) => [name, strToU8(text)])),
  });
}

/** A table of the band `Orders`. */
export const WORD = documentOf(
  'wordprocessingml.document',
  `<w:document xmlns:w="${OOXML}/wordprocessingml/2006/main"><w:body>${TABLE}</w:body></w:document>`,
  {},
);
const MAIN = `${OOXML}/spreadsheetml/2006/main`;
const CELLS = Object.fromEntries(LETTERS.map((letter) => [`${letter}1`, ALIAS]));

interface Sheet {
  readonly name: string;
  readonly cells: Readonly<Record<string, string | number>>;
}

export function workbook({
  sheets,
  names,
}: {
  readonly sheets: readonly Sheet[];
  readonly names: Readonly<Record<string, string>>;
}) {
  const named = Object.entries(names).map(([name, range]) => `<definedName name="${name}">${range}</definedName>`);
  const listed = sheets.map(({ name }, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  const partOf = ({ cells }: Sheet): readonly [string, string] => {
    const rows = Map.groupBy(Object.entries(cells), ([cell]) => Number(/\d+$/.exec(cell)?.[0]));
    const written = [...rows].map(
      ([row, inside]) =>
        `<row r="${row}">${inside.map(([cell, text]) => `<c r="${cell}" t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`,
    );
    return ['worksheet', `<worksheet xmlns="${MAIN}"><sheetData>${written.join('')}</sheetData></worksheet>`];
  };
  return documentOf(
    'spreadsheetml.sheet',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${listed.join('')}</sheets><definedNames>${named.join('')}</definedNames></workbook>`,
    Object.fromEntries(sheets.map((sheet, at) => [`sheet${at + 1}.xml`, partOf(sheet)])),
  );
}
const RANGE = 'Orders!$A$1:$J$1';
export const WORKBOOK = workbook({ sheets: [{ name: 'Orders', cells: CELLS }], names: { Orders: RANGE } });

/** Bands whose ranges are whole sheets, side by side. */
export const HIGH_BANDS = Array.from({ length: 190 }, (_, at) => `High${at}`);
export const HIGH_WORKBOOK = workbook({
  sheets: [{ name: 'Orders', cells: { A1: ALIAS } }],
  names: { Orders: RANGE, ...Object.fromEntries(HIGH_BANDS.map((band) => [band, 'Orders!$A$2:$XFD$1048000'])) },
});
