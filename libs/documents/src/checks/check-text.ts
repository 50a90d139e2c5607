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
  if (columns.length === 0) findings.error('the template has no columns: no line has an alias');
  else if (header.join('') !== '' && header.length !== columns.length)
    findings.error(`the template has ${header.length} titles and ${columns.length} columns`);
  if (beside !== '') findings.warn(`the text beside the aliases is left out: ${beside}`);
  if (below !== '') findings.warn(`the text below the aliases becomes a part of the titles: ${below}`);
}

/** Variables with the row of a loop, with a list of rows, and with one row. */
const ROWS =
  /\{%-?\s*(?:(?:for|tablerow)\s+(\w+)\s+in\s+(?:[\w.[\]]*\bbands\.(\w+)|(\w+)(?![\w.[]))|assign\s+(\w+)\s*=\s*[\w.[\]]*\bbands\.(\w+)(\[\d+\]|\.first|\.last)?\s*(?:-?%|\|))/g;
const BAND = /\bbands\.(\w+)/g;
const FIELD = /\b(?:(\w+)|bands\.(\w+)\[\d+\])\.fields\.([\w.]+)/g;

/** A list of rows that is used as if it were one row. */
const LIST = /\bbands\.(\w+)\.(?:fields|bands)\b/g;
const TAG = /\{[{%][^{}]*[%}]\}/g;
/** The variable of an output, or of a loop over it. */
const VARIABLE = /(?:^\{\{-?\s*|\b(?:for|tablerow)\s+\w+\s+in\s+)([A-Za-z_]\w*)/g;
const ASSIGNED = /\b(?:assign|capture|increment|decrement|for|tablerow)\s+["']?(\w+)/g;
/** Variables and values of the language. */
const GIVEN = ['forloop', 'tablerowloop', 'true', 'false', 'nil', 'null', 'empty', 'blank'];
/** A member of a variable that a row does not have. */
const NO_MEMBER = /(?<![\w.'"])(\w+)\.(?!(?:fields|bands|name)\b)(\w+)/g;

/** Aliases of other formats, and directives of FreeMarker. */
const OTHER_LANGUAGE = /\$\{[^{}\n]{1,60}\}|<\/?#\w+|\[#\w+/g;
/** Elements that load files beside the page, and scripts. */
const LOADED =
  /<(?:(script)\b|(?:img|link)\s[^<>]*?(?:src|href)\s*=\s*["']?(?!(?:data|https?):|\/\/|[{#])([^"'\s<>]+))/gi;

/** Finds bands and fields in a template of the Liquid language that the report does not have. */
export async function checkLiquid(
  template: string,
  bands: ReadonlyMap<string, KnownBand>,
  findings: TemplateFindings,
): Promise<void> {
  const pauses = new Pauses();
  const report = (line: number, message: string): void => findings.error(message, `line ${line}`);
  const text = template.replaceAll(/\[(["'])(\w+)\1\]/g, '.$2');
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
  /** The bands of variables with a row, and of variables with a list of rows. */
  const bandOf = new Map<string | undefined, string | undefined>();
  const lists = new Map<string | undefined, string | undefined>();
  const loops = [...text.matchAll(ROWS)].values();
  let loop = loops.next().value;
  const readTo = (end: number): void => {
    for (; loop !== undefined && loop.index < end; loop = loops.next().value) {
      const [, row, band, list, assigned, of, member] = loop;
      if (assigned === undefined) bandOf.set(row, band ?? lists.get(list));
      else (member === undefined ? lists : bandOf).set(assigned, of);
    }
  };
  for (const { 1: variable, 2: direct, 3: field = '', index } of text.matchAll(FIELD)) {
    if (pauses.isDue()) await pauses.take();
    readTo(index);
    const band = bands.get(direct ?? bandOf.get(variable) ?? variable ?? '');
    if (band !== undefined && !band.has(field.replace(/\.(?:size|first|last)$/, '')))
      report(lineOf(index), `fields.${field} never has a value: the band ${band.name} has no such field`);
  }
  readTo(text.length);
  const known = new Set([ROOT_BAND, ...GIVEN]);
  for (const [, name = ''] of text.matchAll(ASSIGNED)) {
    if (pauses.isDue()) await pauses.take();
    known.add(name);
  }
  lineOf = lineCounter(text);
  for (const { 0: tag, index } of text.matchAll(TAG)) {
    if (pauses.isDue()) await pauses.take();
    for (const [, name = ''] of tag.matchAll(VARIABLE))
      if (!known.has(name)) report(lineOf(index), `${name} never has a value: all data are below ${ROOT_BAND}`);
    for (const [, band] of tag.matchAll(LIST))
      report(lineOf(index), `bands.${band} is a list: bands.${band}[0] is its first row, and a loop has all of them`);
    for (const [member, variable = '', name] of tag.matchAll(NO_MEMBER))
      if (variable === ROOT_BAND || bandOf.has(variable))
        report(lineOf(index), `${member} never has a value: ${variable}.fields.${name} is the field of the row`);
  }
  const warn = async (pattern: RegExp, messageOf: (found: RegExpExecArray) => string): Promise<void> => {
    const lineOf = lineCounter(text);
    for (const found of text.matchAll(pattern)) {
      if (pauses.isDue()) await pauses.take();
      findings.warn(messageOf(found), `line ${lineOf(found.index)}`);
    }
  };
  await warn(OTHER_LANGUAGE, ([found]) => `${found} stays as it is written: pages are in the Liquid language, {{ … }}`);
  await warn(LOADED, ([, script, address]) =>
    script === undefined
      ? `${address} is not loaded: a template is one file, with addresses of https: and data:`
      : 'scripts do not run in documents',
  );
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
