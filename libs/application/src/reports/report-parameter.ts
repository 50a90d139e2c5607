/** Types of the parameters of reports; `ReportParameterValue` describes the values of each of them. */
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
 * A parameter's value; `null` if none was given. TEXT and ENUMERATION (constant name) are texts, DATE,
 * TIME and DATETIME ISO texts, NUMERIC an exact decimal text, ENTITY the loaded instance
 * (`id`, `_entityName`, `_instanceName`), ENTITY_LIST an array of them.
 */
export type ReportParameterValue = string | boolean | null | ReportRow | readonly ReportRow[];
/** The values of a run by the aliases of the parameters. */
export type ReportParameters = Readonly<Record<string, ReportParameterValue>>;

/**
 * One row of a band. Numbers of JSON are `ExactNumber`, which keeps every digit; rows computed in code may
 * also contain numbers and bigints.
 */
export type ReportRow = Readonly<Record<string, unknown>>;

/** Escapes a text for LIKE: its `%`, `_` and `\` get a `\` before them. */
export type ReportTextMask = 'STARTS_WITH' | 'CONTAINS' | 'ENDS_WITH';

/** The user who runs or views a report, for the functions of its definition. */
export interface ReportCaller {
  /** User name of the caller. */
  readonly username: string;
  /** Underscore form. */
  readonly locale: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The time zone of the user (`Europe/Berlin`), or of the server if the user has none. */
  readonly timeZone: string;
}

/** A parameter of a report. */
export interface ReportParameter {
  /** Its name in requests, queries and templates. */
  readonly alias: string;
  /** Caption; `msg://group/key` is a text of the application in the language of the request. */
  readonly name: string;
  /** Decides which values a request may send, and in which form code gets them. */
  readonly type: ReportParameterType;
  /** A run without a value, and without a default, returns 400. By default the parameter is optional. */
  readonly required?: boolean;
  /** Not listed for clients; a request may still set it. */
  readonly hidden?: boolean;
  /** The entity of an ENTITY or ENTITY_LIST parameter. */
  readonly entity?: string;
  /** The enum of an ENUMERATION parameter. */
  readonly enumeration?: string;
  /** Locale-independent text, as in the run request. */
  readonly defaultValue?: string;
  /** The same, computed for each request; takes precedence over `defaultValue`. */
  readonly defaultFrom?: (caller: ReportCaller) => string | null | Promise<string | null>;
  /**
   * A default that is computed for each request, at the time of the caller: `today`, `startOfMonth-1`, `endOfWeek`, `now`,
   * or `currentUser`. A parameter with it has no other default.
   */
  readonly defaultExpression?: string;
  /** Which instances forms offer for an ENTITY or ENTITY_LIST: a filter as in requests. A run takes others, too. */
  readonly lookupFilter?: Readonly<Record<string, unknown>>;
  /** A missing DATE, TIME or DATETIME without another default is now, in the time zone of the caller. */
  readonly defaultDateIsCurrent?: boolean;
  /** Returns the value that data sets and templates use instead; not called for null. */
  readonly transformation?:
    | ReportTextMask
    | ((
        value: NonNullable<ReportParameterValue>,
        parameters: ReportParameters,
      ) => ReportParameterValue | Promise<ReportParameterValue>);
  /** Returns why the value cannot be used. It gets the value before its transformation, and is not called for null. */
  readonly validation?: (
    value: NonNullable<ReportParameterValue>,
    caller: ReportCaller,
  ) => string | undefined | Promise<string | undefined>;
}
