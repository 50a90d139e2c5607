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

/** What becomes of a text that is searched for with LIKE: its `%`, `_` and `\` are escaped with `\`. */
export type ReportTextMask = 'STARTS_WITH' | 'CONTAINS' | 'ENDS_WITH';

/** Who runs or looks at a report, as functions of its definition see it. */
export interface ReportCaller {
  readonly username: string;
  /** Underscore form. */
  readonly locale: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface ReportParameter {
  readonly alias: string;
  /** Caption; `msg://group/key` is a text of the application in the language of the request. */
  readonly name: string;
  readonly type: ReportParameterType;
  readonly required?: boolean;
  readonly hidden?: boolean;
  readonly entity?: string;
  readonly enumeration?: string;
  /** Locale-independent text, as in the run request. */
  readonly defaultValue?: string;
  /** The same, found out at each request; wins over `defaultValue`. */
  readonly defaultFrom?: (caller: ReportCaller) => string | null | Promise<string | null>;
  /** A missing DATE, TIME or DATETIME without another default is now, by the clock of the server. */
  readonly defaultDateIsCurrent?: boolean;
  /** What data sets and templates see instead of the value; not called for null. */
  readonly transformation?:
    | ReportTextMask
    | ((
        value: NonNullable<ReportParameterValue>,
        parameters: ReportParameters,
      ) => ReportParameterValue | Promise<ReportParameterValue>);
  /** Answers why the value cannot be used; not called for null. Sees the value before its transformation. */
  readonly validation?: (
    value: NonNullable<ReportParameterValue>,
    caller: ReportCaller,
  ) => string | undefined | Promise<string | undefined>;
}
