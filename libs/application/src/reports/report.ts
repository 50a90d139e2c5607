import type { ReportDataSet } from './report-data-set.ts';
import type { ReportCaller, ReportParameter, ReportParameters, ReportRow } from './report-parameter.ts';

/**
 * A part of a report that is repeated for each of its rows of data; bands form a tree (contract/reports.md#code,
 * contract/reports.md#definitions).
 */
export interface ReportBand {
  /** Letters, digits and underscores; unique in the report. */
  readonly name: string;
  /**
   * Whether rows follow each other downwards (horizontal, the default) or to the right, or make a table with
   * columns and rows of their own: a cross band `X` has one data set whose name ends with `dynamic_header`
   * (the columns), one that ends with `master_data` (the rows) and others for its cells. A cell belongs to the
   * column whose `<field>` equals its `X_dynamic_header_<field>`, and to the row whose `<field>` equals its
   * `X_master_data_<field>`; both axes are parameters of its data sets, lists of rows named
   * `X_dynamic_header` and `X_master_data`. Formatters see the bands `X_header`, `X_dynamic_header`,
   * `X_master_data` and `X`.
   */
  readonly orientation?: 'horizontal' | 'vertical' | 'cross';
  /** Order of first-level bands; those without it are last, in the order of the definition. */
  readonly position?: number;
  /**
   * Rows are written as they are read, in workbooks of any number of rows: for one horizontal band of the first
   * level with one data set and no bands below it, in a report without vertical and cross bands. Without it the
   * only band that this is possible for is streamed.
   */
  readonly streaming?: boolean;
  /** Without any the band has one row, whose fields are the parameters. */
  readonly dataSets?: readonly ReportDataSet[];
  /** Bands below: their rows belong to a row of this one. */
  readonly bands?: readonly ReportBand[];
}

/** Outputs that only screens of the reference draw: such templates are listed, but not run over HTTP. */
export type ReportViewType = 'CHART' | 'TABLE' | 'PIVOT_TABLE';

/** `TXT` is plain text; `CUSTOM` is the output of the template, under the name that the template gives. */
export type ReportOutputType = 'PDF' | 'HTML' | 'DOCX' | 'XLSX' | 'CSV' | 'TXT' | 'CUSTOM' | ReportViewType;

/** A row of a band with the rows of its child bands by band name, as code of the application sees it. */
export interface ReportBandRow {
  /** Name of the band. */
  readonly name: string;
  /** Fields of the row by name, merged from all data sets of the band. */
  readonly fields: ReportRow;
  /** Rows of the child bands by the names of the bands. */
  readonly bands: Readonly<Record<string, readonly ReportBandRow[]>>;
}

/** The input of a template in code. */
export interface ReportRenderInput {
  /** The band above all others: its fields are the parameters and those of the root data sets. */
  readonly root: ReportBandRow;
  /** Values of the run after their transformations. */
  readonly parameters: ReportParameters;
  /** Of the request, in underscore form. */
  readonly locale: string;
  /** Aborted when no client waits for the document any more. */
  readonly signal: AbortSignal;
}

/** Creates a document: bytes, or text that is sent as UTF-8. */
export type ReportRenderer = (input: ReportRenderInput) => Promise<Uint8Array | string> | Uint8Array | string;

/** A template of a report, and the output that is made of it. */
export interface ReportTemplate {
  /** Unique in the report; requests name the template by it. */
  readonly code: string;
  /** Format of the document; a request may choose another one that the file of the template permits. */
  readonly outputType: ReportOutputType;
  /** Used if a request names no template. */
  readonly default?: boolean;
  /** Resource name of the template file; its extension selects the formatter. */
  readonly file: string;
  /** Creates the document in code, for any output type; then the file need not exist; it only names the document. */
  readonly render?: ReportRenderer;
  /** File name of the output; `${Band.field}` is substituted. */
  readonly outputName?: string;
}

/**
 * How a field is written: a pattern of its type (numbers `#,##0.00`, dates `dd MMM yyyy`, texts `%10s`), read with
 * the symbols of the request's locale; or a function, which is not called for empty fields.
 *
 * @param locale underscore form
 */
export type ReportFormat = string | ((value: unknown, locale: string) => string);

/** A group that lists of reports show them in. */
export interface ReportGroup {
  /** Reports name their group by it. */
  readonly id: string;
  /** As a report's name. */
  readonly title: string;
  /** Returned with the group, for clients that know it by a code. */
  readonly code?: string;
}

/** A report: its parameters, the bands with their data, and templates (guide/reports.md). */
export interface ReportDefinition {
  /** UUID; the same after a restart. */
  readonly id: string;
  /** Unique. A report without a code is run by its id only. */
  readonly code?: string;
  /** `msg://group/key` is a text of the application in the language of the request. */
  readonly name: string;
  /** Id of the group. */
  readonly group?: string;
  /** Whether the API lists and runs it. */
  readonly restAccess: boolean;
  /** Codes of resource roles; the report is visible to their holders only. Absent: to everyone. */
  readonly roles?: readonly string[];
  /** What a request can set; without it the report has no parameters. */
  readonly parameters?: readonly ReportParameter[];
  /** Returns why the values contradict each other; called when each of them is valid by itself. */
  readonly validation?: (
    parameters: ReportParameters,
    caller: ReportCaller,
  ) => string | undefined | Promise<string | undefined>;
  /** Bands of the first level; each has its data and further bands below it. */
  readonly bands: readonly ReportBand[];
  /** Their first row adds fields to the band `Root`, which has the parameters. */
  readonly rootDataSets?: readonly ReportDataSet[];
  /** The documents that can be made; a request names one by its code. */
  readonly templates: readonly ReportTemplate[];
  /** `Band.field` → format pattern. */
  readonly formats?: Readonly<Record<string, ReportFormat>>;
}

/** Defines a report. */
export const report = (definition: ReportDefinition): ReportDefinition => Object.freeze(definition);
