import type { CsvTemplate } from '../rendering/csv/parse-csv-template.ts';
import type { KnownBand } from './known-bands.ts';
import type { TemplateFindings } from './report-problem.ts';

/** Finds columns of a CSV template that stay empty, and titles that are not above their columns. */
export function checkCsv(
  { header, fields }: CsvTemplate,
  bands: ReadonlyMap<string, KnownBand>,
  { problems, names }: TemplateFindings,
): void {
  const first = [...bands.values()].filter(({ parent }) => parent !== undefined && parent.parent === undefined);
  for (const field of fields) {
    names.add(field);
    if (!first.some((band) => band.has(field)))
      problems.push({
        severity: 'error',
        message: `the column \${${field}} is always empty: no band of the first level has this field`,
      });
  }
  if (header.join('') !== '' && header.length !== fields.length)
    problems.push({
      severity: 'error',
      message: `the template has ${header.length} titles and ${fields.length} columns`,
    });
}

const LOOP = /\{%-?\s*for\s+(\w+)\s+in\s+[\w.[\]]*?\bbands\.(\w+)/g;
const BAND = /\bbands\.(\w+)/g;
const FIELD = /\b(?:(\w+)|bands\.(\w+)\[\d+\])\.fields\.([\w.]+)/g;

/** Finds bands and fields in a template of the Liquid language that the report does not have. */
export function checkLiquid(
  text: string,
  bands: ReadonlyMap<string, KnownBand>,
  { problems, names }: TemplateFindings,
): void {
  const report = (severity: 'error' | 'warning', index: number, message: string): void =>
    void problems.push({ severity, message, location: `line ${text.slice(0, index).split('\n').length}` });
  // Fields may be read in many ways, so a word is enough for one that is used.
  for (const [word] of text.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) names.add(word);
  for (const { 1: name = '', index } of text.matchAll(BAND))
    if (!bands.has(name)) report('error', index, `the report has no band ${name}`);
  const loops = [...text.matchAll(LOOP)];
  for (const { 1: variable, 2: direct, 3: field = '', index } of text.matchAll(FIELD)) {
    const loop = loops.findLast((one) => one[1] === variable && one.index < index);
    const band = bands.get(direct ?? loop?.[2] ?? variable ?? '');
    if (band !== undefined && !band.has(field.replace(/\.(?:size|first|last)$/, '')))
      report('error', index, `fields.${field} never has a value: the band ${band.name} has no such field`);
  }
}

/** Whether a field is shown by one of the names. */
export const isShown = (band: string, field: string, names: ReadonlySet<string>): boolean =>
  [...names].some((name) => [field, `${band}.${field}`].some((full) => name === full || name.startsWith(`${full}.`)));

/** Whether a band is named, or a field of it. */
export const isNamed = (band: string, names: ReadonlySet<string>): boolean =>
  [...names].some((name) => name === band || name.startsWith(`${band}.`));
