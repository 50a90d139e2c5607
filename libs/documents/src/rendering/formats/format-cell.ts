import type { ReportFormat } from '@lintel/application';
import {
  type Display,
  FormatError,
  formatDecimal,
  formatTemporal,
  plainDecimal,
  type TemporalKind,
} from '@lintel/metadata';
import { type Cell, plainOf } from '../../bands/cell.ts';
import { ReportFailure } from '../../report-failure.ts';
import { type ContentFormat, parseContentFormat } from './content-format.ts';

/** Formats a text by `%s`, `%S`, `%10s`, `%-10s`, `%.3s` and `%%` (contract/report-templates.md#values). */
const formatText = (text: string, pattern: string): string =>
  pattern.replace(
    /%(?:%|(-)?(\d{1,4})?(?:\.(\d{1,4}))?([sS]))/g,
    (directive, left: string | undefined, width: string | undefined, precision: string | undefined, letter: string) => {
      if (directive === '%%') return '%';
      const cut = precision === undefined ? text : text.slice(0, Number(precision));
      const cased = letter === 'S' ? cut.toUpperCase() : cut;
      return left === undefined ? cased.padStart(Number(width ?? 0)) : cased.padEnd(Number(width ?? 0));
    },
  );

/** Formats values of one run, for all kinds of templates. */
export interface CellFormatter {
  /** Returns the text of a field: by its own format, else by its type in the locale of the request. */
  format(band: string, field: string, cell: Cell): string;
  /** Whether the field has its own format, which is one of text. */
  hasFormat(band: string, field: string): boolean;
  /** Returns the format of a field that is a picture or HTML; outputs without these have its plain text. */
  contentFormat(band: string, field: string): ContentFormat | undefined;
  /** Returns the number format of a workbook for dates and times without a format of their own. */
  dateFormat(kind: TemporalKind): string;
}

/**
 * @param formats by `Band.field` or `field`
 * @param withoutFormat the text of a field without a format, in the locale unless given
 */
export function createCellFormatter(
  formats: Readonly<Record<string, ReportFormat>>,
  locale: Display,
  withoutFormat: (cell: Cell, locale: Display) => string = defaultText,
): CellFormatter {
  const patterns = new Map<string, ReportFormat>();
  const contents = new Map<string, ContentFormat>();
  for (const [name, pattern] of Object.entries(formats)) {
    const content = typeof pattern === 'string' ? parseContentFormat(pattern) : undefined;
    if (content === undefined) patterns.set(name, pattern);
    else contents.set(name, content);
  }
  const dateFormats = new Map(Object.entries(locale.temporals).map(([kind, pattern]) => [kind, dateFormatOf(pattern)]));
  const patternOf = (band: string, field: string): ReportFormat | undefined =>
    patterns.get(`${band}.${field}`) ?? patterns.get(field);
  return {
    format(band, field, cell) {
      const pattern = patternOf(band, field);
      if (pattern === undefined) return withoutFormat(cell, locale);
      return typeof pattern === 'string' ? patternText(cell, pattern, locale) : computedText(cell, pattern, locale);
    },
    hasFormat: (band, field) => patternOf(band, field) !== undefined,
    contentFormat: (band, field) => contents.get(`${band}.${field}`) ?? contents.get(field),
    dateFormat: (kind) => dateFormats.get(kind) ?? '',
  };
}

/** A pattern of dates in the letters of workbooks, whose dates have no zone. */
export const dateFormatOf = (pattern: string): string =>
  pattern.replace(/\s*Z$/, '').replaceAll('M', 'm').replaceAll('H', 'h');

/** @throws ReportFailure where the function fails; its error is only logged */
function computedText(cell: Cell, format: Exclude<ReportFormat, string>, { locale }: Display): string {
  if (cell.kind === 'empty') return '';
  try {
    return format(plainOf(cell), locale);
  } catch (cause) {
    throw new ReportFailure('An error occurred in the format of a field.', { cause });
  }
}

/** @throws ReportFailure for an invalid pattern, or one that does not fit the value */
function patternText(cell: Cell, pattern: string, locale: Display): string {
  try {
    return byPattern(cell, pattern, locale);
  } catch (cause) {
    throw cause instanceof FormatError ? new ReportFailure(cause.message, { cause }) : cause;
  }
}

function byPattern(cell: Cell, pattern: string, locale: Display): string {
  switch (cell.kind) {
    case 'number':
      return formatDecimal(cell.text, pattern, locale.symbols);
    case 'temporal':
      return formatTemporal(cell.text, pattern, locale.locale);
    case 'text':
      return formatText(cell.text, pattern);
    default:
      return defaultText(cell, locale);
  }
}

/** Returns the text of a value without a format. */
export function defaultText(cell: Cell, locale: Display): string {
  switch (cell.kind) {
    case 'empty':
      return '';
    case 'text':
      return cell.text;
    case 'number':
      return formatDecimal(cell.text, locale.numbers[cell.number], locale.symbols);
    case 'boolean':
      return cell.value ? locale.trueText : locale.falseText;
    case 'temporal':
      return formatTemporal(cell.text, locale.temporals[cell.temporal], locale.locale);
    case 'enum':
      return locale.captions.constant(cell.enumName, cell.constant);
    case 'instance':
      return cell.name;
    case 'list':
      return cell.cells.map((item) => defaultText(item, locale)).join(', ');
    default:
      return cell satisfies never;
  }
}

/** The same for programs: numbers with a decimal point and without grouping, dates and times in the form of ISO 8601. */
export function machineText(cell: Cell, locale: Display): string {
  if (cell.kind === 'number') return plainDecimal(cell.text) ?? cell.text;
  if (cell.kind === 'temporal') return cell.text;
  return cell.kind === 'list'
    ? cell.cells.map((item) => machineText(item, locale)).join(', ')
    : defaultText(cell, locale);
}
