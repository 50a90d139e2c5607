import type { ReportBand, ReportDefinition, ReportFormat, ReportTemplate } from '@lintel/application';
import {
  bandIn,
  type CompiledTemplate,
  checkCsv,
  checkLiquid,
  checkWord,
  checkWorkbook,
  compileTemplate,
  type KnownBand,
  Pauses,
  parseContentFormat,
  type ReportProblem,
  shownBy,
  TemplateFindings,
  type TemplateLimits,
} from '@lintel/documents';
import { isPlatformError } from '@lintel/errors';
import { displayIn, FormatError, formatDecimal, formatTemporal, type Messages, type Model } from '@lintel/metadata';
import { nextIteration } from '@lintel/timing';
import type { DescribedQueries } from '../definitions/check-data-sets.ts';
import { knownBands } from './known-bands.ts';

/** What the templates of a report are compared with. */
export interface CheckContext {
  readonly model: Model;
  readonly messages: Messages;
  /** Locales in which formats are tried. */
  readonly locales: readonly string[];
  /** Returns the bytes of the file of a template. */
  readonly readFile: (template: ReportTemplate) => Promise<Uint8Array>;
  readonly limits: TemplateLimits;
}

/** Problems of one template that are reported. */
const MAX_PROBLEMS = 200;

/** Compares the templates and formats of a report with its bands (contract/reports.md#definition-check). */
export async function checkReport(
  report: ReportDefinition,
  context: CheckContext,
  queries: DescribedQueries = new Map(),
): Promise<readonly ReportProblem[]> {
  const bands = knownBands(report, context.model, queries);
  await nextIteration();
  const problems: ReportProblem[] = formatProblems(report.formats ?? {}, bands, context);
  const names = new Set<string>();
  for (const template of report.templates) {
    const findings = new TemplateFindings();
    try {
      let bytes = new Uint8Array();
      const read = async () => (bytes = new Uint8Array(await context.readFile(template)));
      const compiled = await compileTemplate(template, read, report, context.limits);
      await nextIteration();
      await checkTemplate(compiled, bytes, report, bands, findings);
      if (compiled.kind === 'xlsx' || compiled.kind === 'docx')
        findBandsNotShown(report.bands, compiled, findings, shownBy(findings.names));
      if (compiled.kind === 'xlsx' || compiled.kind === 'csv') findTags(report.formats ?? {}, findings);
      if (compiled.kind === 'code')
        for (const { name, selected } of bands.values()) for (const field of selected) names.add(`${name}.${field}`);
    } catch (error) {
      // Not about the template: files cannot be read now, or too many are.
      if (isPlatformError(error)) throw error;
      findings.error((error as Error).message);
    }
    for (const name of findings.names) names.add(name);
    const shown = findings.problems.slice(0, MAX_PROBLEMS);
    problems.push(...shown.map((problem) => ({ ...problem, template: template.code })));
  }
  if (report.templates.length > 0) problems.push(...(await unusedFields(report, bands, shownBy(names))));
  return problems;
}

async function checkTemplate(
  compiled: CompiledTemplate,
  bytes: Uint8Array,
  report: ReportDefinition,
  bands: ReadonlyMap<string, KnownBand>,
  findings: TemplateFindings,
): Promise<void> {
  if (compiled.kind === 'xlsx') await checkWorkbook(compiled.xlsx.workbook, bands, findings);
  else if (compiled.kind === 'docx') await checkWord(compiled.docx, bands, findings);
  else if (compiled.kind === 'csv')
    checkCsv(
      compiled.csv,
      report.bands.flatMap(({ name, orientation }) => (orientation === 'cross' ? [] : (bands.get(name) ?? []))),
      findings,
    );
  else if (compiled.kind === 'liquid') await checkLiquid(new TextDecoder().decode(bytes), bands, findings);
}

/** Only Word documents have the formatting of HTML; pages write it as their template says. */
function findTags(formats: Readonly<Record<string, ReportFormat>>, findings: TemplateFindings): void {
  for (const [name, format] of Object.entries(formats)) {
    const isShown = findings.names.has(name) || findings.names.has(name.slice(name.indexOf('.') + 1));
    if (isShown && typeof format === 'string' && parseContentFormat(format)?.kind === 'html')
      findings.warn(`the format ${format} of ${name} has no effect here: the text is shown with its tags`);
  }
}

/** A band may only group others; its data are read for nothing where none of them is shown either. */
function findBandsNotShown(
  bands: readonly ReportBand[],
  compiled: CompiledTemplate & { readonly kind: 'xlsx' | 'docx' },
  findings: TemplateFindings,
  shown: ReadonlySet<string>,
): void {
  const isShownBand = ({ name, bands: below = [] }: ReportBand): boolean =>
    (compiled.kind === 'xlsx' && compiled.xlsx.workbook.ranges.has(name)) || shown.has(name) || below.some(isShownBand);
  for (const band of bands)
    if (isShownBand(band)) findBandsNotShown(band.bands ?? [], compiled, findings, shown);
    else
      findings.warn(
        `the band ${band.name} is not shown: no ${compiled.kind === 'xlsx' ? 'range has its name' : 'table belongs to it'}`,
      );
}

/** Fields that a query selects by name, and that neither a template nor the definition uses. */
async function unusedFields(
  report: ReportDefinition,
  bands: ReadonlyMap<string, KnownBand>,
  shown: ReadonlySet<string>,
): Promise<readonly ReportProblem[]> {
  const pauses = new Pauses();
  const problems: ReportProblem[] = [];
  const outputNames = report.templates.map(({ outputName }) => outputName ?? '');
  const definition = JSON.stringify([report.bands, report.rootDataSets ?? [], outputNames]);
  for (const { name, selected } of bands.values()) {
    const unused: string[] = [];
    for (const field of selected) {
      if (pauses.isDue()) await pauses.take();
      if (
        !shown.has(field) &&
        !shown.has(`${name}.${field}`) &&
        !/_(?:dynamic_header|master_data)[@_]/.test(field) &&
        ![`"${field}"`, `${name}.${field}`, `${name}@${field}`].some((use) => definition.includes(use))
      )
        unused.push(field);
    }
    if (unused.length > 0)
      problems.push({ severity: 'warning', message: `no template shows ${unused.join(', ')} of the band ${name}` });
  }
  return problems;
}

function formatProblems(
  formats: Readonly<Record<string, ReportFormat>>,
  bands: ReadonlyMap<string, KnownBand>,
  { locales, messages }: CheckContext,
): ReportProblem[] {
  return Object.entries(formats).flatMap(([name, format]) => {
    const found: ReportProblem[] = [];
    const named = bandIn(name, bands);
    const isKnown =
      named === undefined ? [...bands.values()].some((band) => band.has(name)) : named.band.has(named.field);
    if (!isKnown) found.push({ severity: 'warning', message: `the format of ${name} is used by no field` });
    if (typeof format !== 'string' || format.includes('%') || parseContentFormat(format) !== undefined) return found;
    const missing = locales.filter((locale) => !isFormat(format, locale, messages));
    if (missing.length > 0)
      found.push({
        severity: missing.length === locales.length ? 'error' : 'warning',
        message: `the format ${format} of ${name} is one of neither numbers nor dates in ${missing.join(', ')}`,
      });
    return found;
  });
}

function isFormat(format: string, locale: string, messages: Messages): boolean {
  const { symbols } = displayIn(messages, locale);
  const isValid = (write: () => string): boolean => {
    try {
      write();
      return true;
    } catch (error) {
      if (error instanceof FormatError || error instanceof RangeError) return false;
      throw error;
    }
  };
  return (
    isValid(() => formatDecimal('1234.5', format, symbols)) ||
    ['2026-01-31T10:20:30', '2026-01-31', '10:20:30'].some((value) =>
      isValid(() => formatTemporal(value, format, locale)),
    )
  );
}
