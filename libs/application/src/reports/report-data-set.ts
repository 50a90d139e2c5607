import type { ReportParameters, ReportRow } from './report-parameter.ts';

/** Reads entity data under the caller's rights, through the data service. */
export interface ReportData {
  /**
   * Instances in their JSON form, references nested. Each read uses a connection to the database until it ends: read
   * one to its end before the next one, since runs that wait for a connection while they have one can wait for each other.
   */
  load(request: {
    readonly entity: string;
    readonly filter?: unknown;
    readonly fetchPlan?: unknown;
    readonly sort?: string;
  }): AsyncIterable<ReportRow>;
}

interface Named {
  /** Unique in its band. */
  readonly name: string;
  /** Field by whose values the rows are merged with those of the first data set; without it by position. */
  readonly link?: string;
}

/**
 * Rows of an entity, read under the caller's rights; attributes of references and embedded objects by dotted
 * names.
 */
export interface EntitiesDataSet extends Named {
  readonly kind: 'entities';
  /** Name of the entity whose instances are read. */
  readonly entity: string;
  /** Filter in the client form; may use the parameters and, without `below`, the fields of the bands above. */
  readonly filter?: (parameters: ReportParameters, ancestors: ReportRow) => unknown;
  /** Name of a plan, or a plan: which attributes a row has. */
  readonly fetchPlan: unknown;
  /** As in requests: `-date,number`. */
  readonly sort?: string;
  /**
   * Which rows belong to which row of the band above: those whose `attribute` (`order.id`, part of the plan)
   * equals its `field` (`Orders.id`). Rows of all parents are then read together.
   */
  readonly below?: { readonly attribute: string; readonly field: string };
}

/**
 * A query in the entity query language, read under the caller's rights: `${alias}` is a parameter,
 * `${Band.field}` for a field of a band above; `[[ … ]]` is left out while a parameter in it has no value, and
 * so is a comparison with one. Values are always bound. Rows of all parents are read in one statement.
 */
export interface QueryDataSet extends Named {
  readonly kind: 'query';
  /** Text in the entity query language. */
  readonly query: string;
  /** For a query that selects instances; values are selected by alias. */
  readonly fetchPlan?: unknown;
}

/**
 * Groups and aggregates of an entity, read under the caller's rights: a question in the form of a saved view, whose
 * values may be relative to now. The names of groups and aggregates are the fields of the rows; every parent row has
 * all of them.
 */
export interface AggregatesDataSet extends Named {
  readonly kind: 'aggregates';
  /** Name of the entity whose instances are grouped. */
  readonly entity: string;
  /** Members of a request for aggregates, as JSON. */
  readonly question: {
    readonly groupBy?: readonly unknown[] | undefined;
    readonly aggregates?: Readonly<Record<string, unknown>> | undefined;
    readonly filter?: Readonly<Record<string, unknown>> | undefined;
    readonly having?: Readonly<Record<string, unknown>> | undefined;
    readonly sort?: string | undefined;
    readonly limit?: number | undefined;
  };
}

/**
 * SQL, with placeholders as in a query. It reads all rows, whatever the caller's rights are. It is run by a database
 * login that may only read and that cannot read secret attributes.
 */
export interface SqlDataSet extends Named {
  readonly kind: 'sql';
  /** Text of the statement; the names of its columns are the fields of the rows. */
  readonly sql: string;
}

/** The instance of an ENTITY parameter, loaded under the caller's rights. */
export interface EntityDataSet extends Named {
  readonly kind: 'entity';
  /** Alias; `entity` without it. */
  readonly parameter?: string;
  /** Name of a plan, or a plan: which attributes the row has. */
  readonly fetchPlan: unknown;
}

/** The instances of an ENTITY_LIST parameter; `alias#attribute`: the members of a collection of an ENTITY one. */
export interface EntityListDataSet extends Named {
  readonly kind: 'entityList';
  /** Alias; `entities` without it. */
  readonly parameter?: string;
  /** Name of a plan, or a plan: which attributes a row has. */
  readonly fetchPlan: unknown;
}

/** The members of a collection that a band above has loaded already: nothing is read. */
export interface CollectionDataSet extends Named {
  readonly kind: 'collection';
  /** `<Band>.<attribute>` */
  readonly field: string;
}

/** Objects that a JSON path (RFC 9535) finds in a document. */
export interface JsonDataSet extends Named {
  readonly kind: 'json';
  /** Where the document comes from: a parameter, another server, or the definition itself. */
  readonly source:
    | { readonly parameter: string }
    /** `${alias}` and `${Band.field}` are substituted, encoded; the host must be on the list of allowed ones. */
    | { readonly url: string }
    /** Text, or a value. */
    | { readonly from: (parameters: ReportParameters, ancestors: ReportRow) => unknown };
  /** JSON path of the objects: `$.items[*]`. */
  readonly path: string;
}

/** Rows computed by a function, which may read entity data. */
export interface FunctionDataSet extends Named {
  readonly kind: 'function';
  /** `ancestors` contains the fields of the bands above as `<Band>.<field>`. */
  readonly rows: (
    parameters: ReportParameters,
    data: ReportData,
    ancestors: ReportRow,
  ) => AsyncIterable<ReportRow> | Promise<readonly ReportRow[]>;
}

/** The same for all parent rows at once: as many lists as there are parents. */
export interface BatchDataSet extends Named {
  readonly kind: 'batch';
  /** Returns one list of rows for each parent, in the order of `parents`. */
  readonly rows: (
    parameters: ReportParameters,
    data: ReportData,
    parents: readonly ReportRow[],
  ) => Promise<readonly (readonly ReportRow[])[]>;
}

/**
 * The first data set of a band supplies its rows. Each further one is merged into them: if `link` names a
 * field, by equal values of it; else by position, until the shorter one ends.
 */
export type ReportDataSet =
  | EntitiesDataSet
  | QueryDataSet
  | SqlDataSet
  | AggregatesDataSet
  | EntityDataSet
  | EntityListDataSet
  | CollectionDataSet
  | JsonDataSet
  | FunctionDataSet
  | BatchDataSet;
