import { ROOT_BAND } from '../bands/band-data.ts';
import type { CsvTemplate } from '../rendering/csv/parse-csv-template.ts';
import { Pauses } from '../rendering/ooxml/xml/pauses.ts';
import type { KnownBand } from './known-band.ts';
import type { TemplateFindings } from './report-problem.ts';

/**
 * Finds columns of a CSV template that stay empty, titles that are not above their columns, and text that is lost.
 *
 * @param shown the bands whose rows the document has
 */
export function checkCsv(
  { header, columns, beside, below }: CsvTemplate,
  shown: readonly KnownBand[],
  findings: TemplateFindings,
): void {
  for (const { name: field } of columns) {
    findings.names.add(field);
    if (!shown.some((band) => band.has(field)))
      findings.error(`the column \${${field}} is always empty: no band of the first level has this field`);
  }
  if (header.join('') !== '' && header.length !== columns.length)
    findings.error(`the template has ${header.length} titles and ${columns.length} columns`);
  if (beside !== '') findings.warn(`the text beside the aliases is left out: ${beside}`);
  if (below !== '') findings.warn(`the text below the aliases becomes a part of the titles: ${below}`);
}

const LOOP = /\{%-?\s*for\s+(\w+)\s+in\s+[\w.[\]]*?\bbands\.(\w+)/g;
const BAND = /\bbands\.(\w+)/g;
const FIELD = /\b(?:(\w+)|bands\.(\w+)\[\d+\])\.fields\.([\w.]+)/g;

/** A list of rows that is used as if it were one row. */
const LIST = /\bbands\.(\w+)\.(?:fields|bands)\b/g;
const TAG = /\{[{%][^{}]*[%}]\}/g;
/** A member of a variable that a row does not have. */
const NO_MEMBER = /(?<![\w.'"])(\w+)\.(?!(?:fields|bands|name)\b)(\w+)/g;

/** Finds bands and fields in a template of the Liquid language that the report does not have. */
export async function checkLiquid(
  text: string,
  bands: ReadonlyMap<string, KnownBand>,
  findings: TemplateFindings,
): Promise<void> {
  const pauses = new Pauses();
  const report = (line: number, message: string): void => findings.error(message, `line ${line}`);
  // Fields may be read in many ways, so a word is enough for one that is used.
  for (const [word] of text.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) {
    if (pauses.isDue()) await pauses.take();
    findings.names.add(word);
  }
  let lineOf = lineCounter(text);
  for (const { 1: name = '', index } of text.matchAll(BAND)) {
    if (pauses.isDue()) await pauses.take();
    if (!bands.has(name)) report(lineOf(index), `the report has no band ${name}`);
  }
  lineOf = lineCounter(text);
  const loops = [...text.matchAll(LOOP)].values();
  let loop = loops.next().value;
  const bandOf = new Map<string | undefined, string | undefined>();
  for (const { 1: variable, 2: direct, 3: field = '', index } of text.matchAll(FIELD)) {
    if (pauses.isDue()) await pauses.take();
    for (; loop !== undefined && loop.index < index; loop = loops.next().value) bandOf.set(loop[1], loop[2]);
    const band = bands.get(direct ?? bandOf.get(variable) ?? variable ?? '');
    if (band !== undefined && !band.has(field.replace(/\.(?:size|first|last)$/, '')))
      report(lineOf(index), `fields.${field} never has a value: the band ${band.name} has no such field`);
  }
  lineOf = lineCounter(text);
  for (const { 0: tag, index } of text.matchAll(TAG)) {
    if (pauses.isDue()) await pauses.take();
    for (const [, band] of tag.matchAll(LIST))
      report(lineOf(index), `bands.${band} is a list: bands.${band}[0] is its first row, and a loop has all of them`);
    for (const [member, variable = '', name] of tag.matchAll(NO_MEMBER))
      if (variable === ROOT_BAND || bandOf.has(variable))
        report(lineOf(index), `${member} never has a value: ${variable}.fields.${name} is the field of the row`);
  }
}

/** Returns the line of an index, which must not decrease. */
function lineCounter(text: string): (index: number) => number {
  let [line, next] = [1, text.indexOf('\n')];
  return (index) => {
    for (; next >= 0 && next < index; next = text.indexOf('\n', next + 1)) line += 1;
    return line;
  };
}

/** Parts of a path that are looked at; queries select shorter ones. */
const MAX_PARTS = 20;

/** The names and the beginnings of their paths: `a.b.c` shows `a` and `a.b`, too. */
export function shownBy(names: ReadonlySet<string>): ReadonlySet<string> {
  const shown = new Set(names);
  for (const name of names)
    for (let end = name.indexOf('.'), parts = 0; end >= 0 && parts < MAX_PARTS; end = name.indexOf('.', end + 1)) {
      shown.add(name.slice(0, end));
      parts += 1;
    }
  return shown;
}
