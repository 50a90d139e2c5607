import { suggestion } from '@lintel/errors';
import { type Alias, findAliases, piecesOf } from '../rendering/aliases.ts';
import { hasAlias, labelOf, ownOf, rowsOfTable } from '../rendering/docx/bind-tables.ts';
import type { DocxTemplate } from '../rendering/docx/docx-template.ts';
import { decodeAliases } from '../rendering/docx/fill-hyperlinks.ts';
import { textOfParagraph } from '../rendering/docx/paragraph-text.ts';
import { descendantsOf, wordAttribute } from '../rendering/docx/word-xml.ts';
import { relationshipsOf } from '../rendering/ooxml/relationships.ts';
import { parsePartInSlices } from '../rendering/ooxml/xml/parse-xml-in-slices.ts';
import { Pauses } from '../rendering/ooxml/xml/pauses.ts';
import { NAMESPACES, rootOf } from '../rendering/ooxml/xml/xml.ts';
import { checkPackage, checkResembling, checkUnfilled } from './check-unfilled.ts';
import { bandIn, type KnownBand } from './known-band.ts';
import type { TemplateFindings } from './report-problem.ts';

type Element = ReturnType<typeof descendantsOf>[number];

/** Texts of paragraphs, also deleted ones. */
const TEXT = /<((?:\w+:)?(?:t|delText))(?: [^>]*)?>[^<]*<\/\1>/g;
const PARAGRAPH = /<w:p[ />]/g;
const LABEL = /##\s*band/i;
/** Fields of form letters. */
const MERGE_FIELD = /\bMERGEFIELD\s+"?([^\s"]+)/g;

/** Finds aliases and tables of a Word document that never show anything. */
export async function checkWord(
  template: DocxTemplate,
  bands: ReadonlyMap<string, KnownBand>,
  findings: TemplateFindings,
): Promise<void> {
  await checkPackage(template.parts, findings);
  for (const { part, name } of template.unlinked)
    findings.warn(
      `the field${name && ` ${name}`} becomes what it shows in the template: documents load nothing`,
      part.slice(part.lastIndexOf('/') + 1),
    );
  const pauses = new Pauses();
  const parts = [template.mainPart, ...template.otherTextParts];
  const prefixOf = (part: string): string =>
    part === template.mainPart ? '' : `${part.slice(part.lastIndexOf('/') + 1)}, `;
  for (const part of parts) {
    const root = rootOf(await parsePartInSlices(template.parts, part));
    const paragraphs = descendantsOf(root, 'p');
    const links = relationshipsOf(template.parts, part);
    const numbers = new Map(paragraphs.map((paragraph, index) => [paragraph, index + 1]));
    const locationOf = (paragraph: Element | undefined): string =>
      `${prefixOf(part)}paragraph ${(paragraph && numbers.get(paragraph)) ?? 1}`;
    const repeated = repeatedParagraphs(root, bands, locationOf, findings);
    for (const paragraph of paragraphs) {
      if (pauses.isDue()) await pauses.take();
      const addresses = descendantsOf(paragraph, 'hyperlink').map((link) =>
        decodeAliases(links.get(link.getAttributeNS(NAMESPACES.officeRelationships, 'id') ?? '')?.target ?? ''),
      );
      const text = textOfParagraph(paragraph);
      const aliases = [text, ...addresses].flatMap(findAliases);
      checkResembling(piecesOf(text), locationOf(paragraph), findings);
      checkAliases(aliases, repeated.get(paragraph), locationOf(paragraph), bands, findings);
      for (const [, name] of codesIn(paragraph).matchAll(MERGE_FIELD)) {
        if (pauses.isDue()) await pauses.take();
        findings.warn(
          `the field MERGEFIELD ${name} stays as it is: aliases such as \${Band.${name}} are filled`,
          locationOf(paragraph),
        );
      }
    }
  }
  let [of, end, count] = ['', 0, 0];
  const locationIn = (part: string, before: string): string => {
    if (!parts.includes(part)) return prefixOf(part).slice(0, -2);
    if (of !== part) [of, end, count] = [part, 0, 0];
    count += before.slice(end).match(PARAGRAPH)?.length ?? 0;
    end = before.length;
    return `${prefixOf(part)}paragraph ${count || 1}`;
  };
  await checkUnfilled(
    template.parts,
    { names: parts, elements: TEXT, hasFilledAddresses: true, locationOf: locationIn },
    findings,
  );
}

function checkAliases(
  aliases: readonly Alias[],
  band: KnownBand | undefined,
  location: string,
  bands: ReadonlyMap<string, KnownBand>,
  findings: TemplateFindings,
): void {
  for (const { name } of aliases) {
    findings.names.add(name);
    const named = bandIn(name, bands);
    if (named !== undefined) {
      const inner = bandIn(named.field, bands);
      if (!named.band.has(named.field) && inner?.band.has(inner.field) !== true)
        findings.error(`\${${name}} never has a value: the band ${named.band.name} has no such field`, location);
    } else if (band !== undefined) {
      if (!band.has(name))
        findings.error(`\${${name}} never has a value: it is no field of the band ${band.name}`, location);
    } else
      findings.warn(
        `\${${name}} stays as it is written: it is outside of the tables of bands and names none`,
        location,
      );
  }
}

/** The codes of the fields that begin in a paragraph. */
const codesIn = (paragraph: Element): string =>
  [
    ...descendantsOf(paragraph, 'instrText').map(({ textContent }) => textContent ?? ''),
    ...descendantsOf(paragraph, 'fldSimple').map((field) => ` ${wordAttribute(field, 'instr') ?? ''}`),
  ].join('');

/** The paragraphs of rows that are repeated, with their band. */
function repeatedParagraphs(
  root: Element,
  bands: ReadonlyMap<string, KnownBand>,
  locationOf: (paragraph: Element | undefined) => string,
  findings: TemplateFindings,
): ReadonlyMap<Element, KnownBand> {
  const found = new Map<Element, KnownBand>();
  const labels = new Map<Element, string>();
  for (const table of descendantsOf(root, 'tbl')) {
    const label = labelOf(table);
    const marker = label?.found[1];
    if (label === undefined || marker === undefined) continue;
    labels.set(label.paragraph, label.found[0]);
    findings.names.add(`${marker}.`);
    const band = bands.get(marker);
    if (band === undefined)
      findings.error(
        `the table belongs to the band ${marker}, which the report does not have${suggestion(marker, bands.keys())}`,
        locationOf(descendantsOf(table, 'p')[0]),
      );
    const rows = rowsOfTable(table);
    const row = rows.find((one) => hasAlias(one, ({ name }) => bandIn(name, bands) === undefined));
    if (
      row === undefined &&
      !marker.endsWith('Control') &&
      descendantsOf(table, 'tbl').every((one) => labelOf(one) === undefined)
    )
      findings.warn(
        `no row is repeated for the band ${marker}: none has one of its aliases`,
        locationOf(label.paragraph),
      );
    const filled = marker.endsWith('Control') && row === rows[0] ? rows : [row].filter((one) => one !== undefined);
    if (band !== undefined)
      for (const paragraph of filled.flatMap((one) => ownOf(one, 'p'))) found.set(paragraph, band);
  }
  for (const paragraph of descendantsOf(root, 'p'))
    if (LABEL.test(textOfParagraph(paragraph).replace(labels.get(paragraph) ?? '', '')))
      findings.warn(
        'the label ##band has no effect and stays as it is written: a table has one, ##band=Name, in its first row',
        locationOf(paragraph),
      );
  return found;
}
