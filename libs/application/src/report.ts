/** Reports defined in code (contract-reports-files-metadata.md §1.8, §1.13). */

export type ReportParameterType =
  | 'DATE'
  | 'TEXT'
  | 'ENTITY'
  | 'BOOLEAN'
  | 'NUMERIC'
  | 'ENTITY_LIST'
  | 'ENUMERATION'
  | 'DATETIME'
  | 'TIME';

export interface ReportParameter {
  readonly alias: string;
  /** Caption. */
  readonly name: string;
  readonly type: ReportParameterType;
  readonly required?: boolean;
  readonly hidden?: boolean;
  readonly entity?: string;
  readonly enumeration?: string;
  /** Locale-independent text, as in the run request. */
  readonly defaultValue?: string;
  /** A missing DATE, TIME or DATETIME without `defaultValue` is now, by the clock of the server. */
  readonly defaultDateIsCurrent?: boolean;
}

/**
 * A parameter's value; `null` where none was given. TEXT and ENUMERATION (constant name) are texts, DATE,
 * TIME and DATETIME ISO texts, NUMERIC an exact decimal text, ENTITY the loaded instance
 * (`id`, `_entityName`, `_instanceName`), ENTITY_LIST an array of them.
 */
export type ReportParameterValue = string | boolean | null | ReportRow | readonly ReportRow[];
export type ReportParameters = Readonly<Record<string, ReportParameterValue>>;
/**
 * One row of a band. Numbers of JSON are `ExactNumber`, which keeps every digit; rows computed in code may
 * also hold numbers and bigints.
 */
export type ReportRow = Readonly<Record<string, unknown>>;

/** Reads entity data under the caller's rights, through the data service. */
export interface ReportData {
  /** Instances in their JSON form, references nested. */
  load(request: {
    readonly entity: string;
    readonly filter?: unknown;
    readonly fetchPlan?: unknown;
    readonly sort?: string;
  }): AsyncIterable<ReportRow>;
}

/**
 * The first data set of a band gives its rows. Each further one is merged into them: where `link` names a
 * field, by equal values of it; else by position, until the shorter one ends. `ancestors` holds the fields
 * of the bands above as `<Band>.<field>`.
 */
export type ReportDataSet =
  /** Rows of an entity, read under the caller's rights and flattened to dotted names. */
  | {
      readonly kind: 'entities';
      readonly name: string;
      readonly entity: string;
      /** Filter in the client form; may use the parameters and the fields of the bands above. */
      readonly filter?: (parameters: ReportParameters, ancestors: ReportRow) => unknown;
      readonly fetchPlan: unknown;
      readonly sort?: string;
      readonly link?: string;
    }
  /** Rows computed by a function, which may read entity data. */
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly rows: (
        parameters: ReportParameters,
        data: ReportData,
        ancestors: ReportRow,
      ) => AsyncIterable<ReportRow> | Promise<readonly ReportRow[]>;
      readonly link?: string;
    };

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
  /** Order of first-level bands; those without it come last, in the order of the definition. */
  readonly position?: number;
  /**
   * Rows are written as they are read, in workbooks of any number of rows: for one horizontal band of the first
   * level with one data set and no bands below it, in a report without vertical and cross bands. Without it the
   * only band that this is possible for is streamed.
   */
  readonly streaming?: boolean;
  /** Without any the band has one row, whose fields are the parameters. */
  readonly dataSets?: readonly ReportDataSet[];
  readonly bands?: readonly ReportBand[];
}

export type ReportOutputType = 'PDF' | 'HTML' | 'DOCX' | 'XLSX' | 'CSV' | 'CUSTOM';

export interface ReportTemplate {
  readonly code: string;
  readonly outputType: ReportOutputType;
  readonly default?: boolean;
  /** Resource name of the template file; its extension selects the formatter. */
  readonly file: string;
  /** File name of the output; `${Band.field}` is substituted. */
  readonly outputName?: string;
}

export interface ReportGroup {
  readonly id: string;
  readonly title: string;
  readonly code?: string;
}

export interface ReportDefinition {
  /** UUID; stays the same over restarts. */
  readonly id: string;
  readonly code: string;
  readonly name: string;
  /** Id of the group. */
  readonly group?: string;
  readonly restAccess: boolean;
  /** Codes of resource roles; the report is visible to their holders only. Absent: to everyone. */
  readonly roles?: readonly string[];
  readonly parameters?: readonly ReportParameter[];
  readonly bands: readonly ReportBand[];
  /** Their first row adds fields to the band `Root`, which has the parameters. */
  readonly rootDataSets?: readonly ReportDataSet[];
  readonly templates: readonly ReportTemplate[];
  /** `Band.field` → format pattern. */
  readonly formats?: Readonly<Record<string, string>>;
}

/** Defines a report. */
export const report = (definition: ReportDefinition): ReportDefinition => Object.freeze(definition);
