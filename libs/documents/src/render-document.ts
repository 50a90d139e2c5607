import type { BatchDataSet, ReportBand, ReportFormat, ReportRow, ReportTemplate } from '@lintel/application';
import { buildModel, createMessages, type Display, displayIn } from '@lintel/metadata';
import { compileTemplate } from './rendering/compile-template.ts';
import type { DocumentConverters } from './rendering/converting/document-converters.ts';
import { createPictureSource } from './rendering/images/create-picture-source.ts';
import { type RenderedReport, type RenderLimits, renderReport } from './rendering/render-report.ts';
import { ReportFailure } from './report-failure.ts';

/** A template: the bytes of a file, and the document that is made of it. */
export interface DocumentTemplate extends Pick<ReportTemplate, 'file' | 'outputType' | 'outputName'> {
  /** Bytes of the file; its extension in `file` selects the formatter (guide/reports.md). */
  readonly content: Uint8Array;
}

/** A row of a band: its fields, and the rows of the bands below it by name. */
export interface DocumentRow {
  readonly fields?: ReportRow;
  readonly bands?: Readonly<Record<string, readonly DocumentRow[]>>;
}

/** What a document needs besides its data; all of it may be absent. */
export interface DocumentOptions {
  /** `Band.field` → format. */
  readonly formats?: Readonly<Record<string, ReportFormat>>;
  /** Language of numbers, dates, enums and booleans; English if absent. */
  readonly locale?: Display;
  /** Programs that make PDF, and HTML of office documents: `createConverters`. Without them these outputs fail. */
  readonly converters?: DocumentConverters;
  /** Reads the picture of an address. Without it pictures of addresses fail. */
  readonly readPicture?: (url: string, signal: AbortSignal) => Promise<Uint8Array>;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<RenderLimits>;
}

const LIMITS: RenderLimits = {
  htmlMaxRows: 10_000,
  xlsxMaxRows: 100_000,
  liquid: { maxRenderMs: 5_000, maxOutputLength: 16_000_000 },
  template: { maxTags: 5_000 },
  maxPathMs: 1_000,
  maxCells: 200_000,
  maxPicturesBytes: 128 * 1024 * 1024,
  maxElements: 100_000,
  csvFormulaGuard: true,
};

/**
 * Makes a document of a template and data, without a service: the rows of each band are written where the template
 * has the band of that name. Values are texts, numbers, booleans, `Date`, null, and objects of them.
 *
 * @example
 * const content = await readFile('prices.xlsx'); // has the named range `Price` with the cells ${name} and ${price}
 * const data = { bands: { Price: [{ fields: { name: 'Pen', price: 1.5 } }] } };
 * const document = await renderDocument({ file: 'prices.xlsx', content, outputType: 'XLSX' }, data);
 * await writeFile(document.fileName, document.content);
 *
 * @param data fields of the band `Root`, and the rows of the bands of the first level
 * @returns the name of the file and its content, which is made while it is read
 * @throws Error that says what the template lacks or has too much; ReportFailure where the document cannot be made
 */
export async function renderDocument(
  template: DocumentTemplate,
  data: DocumentRow,
  options: DocumentOptions = {},
): Promise<RenderedReport> {
  const { formats = {}, locale = displayIn(createMessages(), 'en'), signal = new AbortController().signal } = options;
  const limits = { ...LIMITS, ...options.limits };
  const { content, ...definition } = template;
  const bands = bandsBelow([data]);
  const root: BatchDataSet = { kind: 'batch', name: 'Root', rows: async () => [[data.fields ?? {}]] };
  const report = { bands, formats, rootDataSets: [root] };
  const compiled = await compileTemplate(
    { code: 'DEFAULT', ...definition },
    async () => content,
    report,
    limits.template,
  );
  const { readPicture = refuse('Pictures of addresses need readPicture') } = options;
  const context = {
    model: buildModel({ entities: [] }),
    parameters: {},
    parameterFields: new Map(),
    data: { load: noEntities, select: noEntities, readDocument: noEntities },
    signal,
    maxPathMs: limits.maxPathMs,
    maxCells: limits.maxCells,
    putEmptyRow: false,
  };
  return renderReport({ id: '', name: '', restAccess: false, templates: [], ...report }, compiled, context, {
    locale,
    limits,
    converters: options.converters ?? NO_CONVERTERS,
    pictures: createPictureSource({
      remote: { read: readPicture },
      readFile: undefined,
      signal,
      maxTotalBytes: limits.maxPicturesBytes,
    }),
  });
}

/** The bands below rows, each with the rows that follow from theirs, in the order in which they are read. */
function bandsBelow(parents: readonly DocumentRow[]): readonly ReportBand[] {
  const names = new Set(parents.flatMap(({ bands = {} }) => Object.keys(bands)));
  return [...names].map((name) => {
    const lists = parents.map(({ bands = {} }) => bands[name] ?? []);
    let next = 0;
    const rows: BatchDataSet['rows'] = async (_parameters, _data, asked) => {
      const from = next;
      next += asked.length;
      return lists.slice(from, next).map((list) => list.map(({ fields = {} }) => fields));
    };
    return { name, dataSets: [{ kind: 'batch', name, rows }], bands: bandsBelow(lists.flat()) };
  });
}

const refuse = (message: string) => async (): Promise<never> => {
  throw new ReportFailure(message);
};
const noEntities = (): never => {
  throw new ReportFailure('A document of data reads nothing else');
};
const NO_CONVERTERS: DocumentConverters = {
  printHtml: refuse('PDF needs converters'),
  convertOffice: refuse('PDF and HTML of office documents need converters'),
  findMissing: async () => [],
  findMissingPackage: () => undefined,
  close: async () => {},
};
