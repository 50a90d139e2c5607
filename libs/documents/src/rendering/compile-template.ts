import { extname } from 'node:path/posix';
import type { ReportDefinition, ReportOutputType, ReportRenderer, ReportTemplate } from '@lintel/application';
import { nextIteration } from '@lintel/timing';
import { type CsvTemplate, parseCsvTemplate } from './csv/parse-csv-template.ts';
import { type DocxTemplate, parseDocxTemplate } from './docx/docx-template.ts';
import { type LiquidTemplate, parseHtmlTemplate, parseTextTemplate } from './html/liquid-template.ts';
import { unpackedSizeOf } from './ooxml/read-package.ts';
import { PART_LIMITS } from './ooxml/xml/xml.ts';
import { type XlsxReportTemplate, xlsxReportTemplate } from './xlsx/render-xlsx-report.ts';
import { parseXlsxTemplate } from './xlsx/template/parse-xlsx-template.ts';

/** A template that is ready for rendering; `kind` is its formatter. */
export type CompiledTemplate = { readonly definition: ReportTemplate } & (
  | { readonly kind: 'csv'; readonly csv: CsvTemplate }
  | { readonly kind: 'liquid'; readonly liquid: LiquidTemplate }
  | { readonly kind: 'docx'; readonly docx: DocxTemplate }
  | { readonly kind: 'xlsx'; readonly xlsx: XlsxReportTemplate }
  | { readonly kind: 'code'; readonly render: ReportRenderer }
);

/** Limits of a template. */
export interface TemplateLimits {
  /** Tags and outputs of a template of HTML or text. */
  readonly maxTags: number;
  /** Called with the size of the template, unpacked, before it is unpacked; absent for templates of the application. */
  readonly reserve?: ((bytes: number) => Promise<void>) | undefined;
}

/** Outputs by the extension of the template's file (contract/report-templates.md#formats). */
const SUPPORTED: Readonly<Record<string, readonly ReportOutputType[]>> = {
  '.csv': ['CSV'],
  '.html': ['HTML', 'PDF', 'CSV', 'CUSTOM'],
  '.txt': ['TXT', 'CSV', 'CUSTOM'],
  '.docx': ['DOCX', 'HTML', 'PDF'],
  '.xlsx': ['XLSX', 'HTML', 'PDF', 'CSV'],
  '.xlsm': ['XLSX', 'PDF'],
};

/** Own messages for extensions that are not supported. */
const REFUSED: Readonly<Record<string, string>> = {
  '.ftl': 'FreeMarker templates are not supported: write the page as .html in the Liquid language',
  '.doc': 'doc templates are not supported: save the document as .docx',
  '.odt': 'odt templates are not supported: save the document as .docx',
  '.xls': 'xls templates are not supported: save the workbook as .xlsx',
  '.jrxml': 'JasperReports templates are not supported',
  '.jasper': 'JasperReports templates are not supported',
};

/**
 * Compiles a template and checks it against its report.
 *
 * @param read returns the bytes of the template's file; not called where code makes the document
 * @throws Error that says what is invalid or not supported
 */
export async function compileTemplate(
  definition: ReportTemplate,
  read: () => Promise<Uint8Array>,
  report: Pick<ReportDefinition, 'bands' | 'formats'>,
  { maxTags, reserve }: TemplateLimits,
): Promise<CompiledTemplate> {
  if (definition.render !== undefined) return { definition, kind: 'code', render: definition.render };
  const extension = extname(definition.file).toLowerCase();
  assertSupported(extension, definition);
  const bytes = await read();
  await reserve?.(await memoryOf(extension, bytes));
  switch (extension) {
    case '.docx':
      return { definition, kind: 'docx', docx: await parseDocxTemplate(bytes) };
    case '.xlsx':
    case '.xlsm':
      return {
        definition,
        kind: 'xlsx',
        xlsx: xlsxReportTemplate(await parseXlsxTemplate(bytes, report.bands), report),
      };
    case '.csv':
      assertRootName(definition);
      return { definition, kind: 'csv', csv: parseCsvTemplate(textOf(bytes)) };
    default: {
      const parse = extension === '.txt' ? parseTextTemplate : parseHtmlTemplate;
      // Several templates may have been read at once, and each is parsed in one step.
      await nextIteration();
      return { definition, kind: 'liquid', liquid: parse(textOf(bytes), maxTags) };
    }
  }
}

/** The most memory that a template takes while it is kept. */
async function memoryOf(extension: string, bytes: Uint8Array): Promise<number> {
  switch (extension) {
    case '.docx':
      return unpackedSizeOf(bytes);
    case '.xlsx':
    case '.xlsm':
      return unpackedSizeOf(bytes, parsedSizeOf);
    default:
      return bytes.byteLength;
  }
}

/** Memory of a cell of a template, with its share of the row; sheets are kept parsed. */
const CELL_BYTES = 140;
/** `<c/>` */
const SMALLEST_CELL_LENGTH = 4;

const parsedSizeOf = (name: string, bytes: number): number =>
  /\.xml$/i.test(name)
    ? bytes + Math.min(Math.floor(bytes / SMALLEST_CELL_LENGTH), PART_LIMITS.elements) * CELL_BYTES
    : bytes;

/** CSV is streamed: when the response head with the file name is sent, no row was read yet. */
function assertRootName({ outputName }: ReportTemplate): void {
  const named = /\$\{([^.}]+)\./.exec(outputName ?? '')?.[1];
  if (named !== undefined && named !== 'Root')
    throw new Error('the output name of a csv template can use fields of the band Root only');
}

/**
 * The template with another output of its file; of one that code makes there is none.
 *
 * @throws Error that names the outputs that there are
 */
export function withOutput(template: CompiledTemplate, outputType: string): CompiledTemplate {
  const { definition, kind } = template;
  if (outputType === definition.outputType) return template;
  const extension = extname(definition.file).toLowerCase();
  const outputs = kind === 'code' ? [definition.outputType] : (SUPPORTED[extension] ?? []);
  const chosen = outputs.find((each) => each === outputType);
  if (chosen === undefined)
    throw new Error(`Template ${definition.code} has no output ${outputType}, only ${outputs.join(', ')}`);
  return { ...template, definition: { ...definition, outputType: chosen } };
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Error('the file is not UTF-8: save it with this encoding', { cause });
  }
}

function assertSupported(extension: string, { outputType }: ReportTemplate): void {
  if (SUPPORTED[extension]?.includes(outputType) === true) return;
  const refusal = REFUSED[extension];
  if (refusal !== undefined) throw new Error(refusal);
  const supported = Object.entries(SUPPORTED)
    .map(([from, to]) => `${from} to ${to.join(', ')}`)
    .join('; ');
  throw new Error(`${outputType} from a ${extension || 'nameless'} file is not supported; supported are ${supported}`);
}
