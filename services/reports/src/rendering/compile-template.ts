import { extname } from 'node:path/posix';
import type { ReportDefinition, ReportOutputType, ReportTemplate } from '@lintel/application';
import { type CsvTemplate, parseCsvTemplate } from './csv/parse-csv-template.ts';
import { type HtmlTemplate, parseHtmlTemplate } from './html/html-template.ts';
import { type XlsxReportTemplate, xlsxReportTemplate } from './xlsx/render-xlsx-report.ts';
import { parseXlsxTemplate } from './xlsx/template/parse-xlsx-template.ts';

/** A template that is ready to be rendered; `kind` names its formatter. */
export type CompiledTemplate = { readonly definition: ReportTemplate } & (
  | { readonly kind: 'csv'; readonly csv: CsvTemplate }
  | { readonly kind: 'html'; readonly html: HtmlTemplate }
  | { readonly kind: 'xlsx'; readonly xlsx: XlsxReportTemplate }
);

/** Outputs by the extension of the template's file. */
const SUPPORTED: Readonly<Record<string, readonly ReportOutputType[]>> = {
  '.csv': ['CSV'],
  '.html': ['HTML'],
  '.xlsx': ['XLSX', 'CSV'],
  '.xlsm': ['XLSX'],
};

/**
 * Reads a template and checks it against its report.
 *
 * @throws Error that says what is not supported or wrong in it
 */
export async function compileTemplate(
  definition: ReportTemplate,
  bytes: Uint8Array,
  { bands }: Pick<ReportDefinition, 'bands'>,
): Promise<CompiledTemplate> {
  assertSupported(definition);
  if (/\.xls[xm]$/i.test(definition.file)) {
    const workbook = await parseXlsxTemplate(bytes, bands);
    return { definition, kind: 'xlsx', xlsx: xlsxReportTemplate(workbook, bands) };
  }
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  if (definition.outputType === 'CSV') {
    const named = /\$\{([^.}]+)\./.exec(definition.outputName ?? '')?.[1];
    if (named !== undefined && named !== 'Root')
      throw new Error('the output name of a csv template can use fields of the band Root only');
    return { definition, kind: 'csv', csv: parseCsvTemplate(text) };
  }
  return { definition, kind: 'html', html: parseHtmlTemplate(text) };
}

function assertSupported({ file, outputType }: ReportTemplate): void {
  const extension = extname(file).toLowerCase();
  const outputs = SUPPORTED[extension];
  if (outputs?.includes(outputType) === true) return;
  const supported = Object.entries(SUPPORTED)
    .map(([from, to]) => `${from} to ${to.join(', ')}`)
    .join('; ');
  throw new Error(`${outputType} from a ${extension || 'nameless'} file is not supported; supported are ${supported}`);
}
