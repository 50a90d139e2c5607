/** The parsed content of a database schema, from which a model is generated. */

export interface FoundColumn {
  readonly name: string;
  /** As the catalogue spells it, types of the user with their schema: `numeric(19,2)`, `public.mood`. */
  readonly type: string;
  /** Base type of a domain; the type itself if it is not a domain. */
  readonly baseType: string;
  /** The value of `pg_type.typtype`: `e` enum, `d` domain, `b` and others. */
  readonly typeKind: string;
  /** Of an array: the type of its elements, and the declared number of dimensions, which the database does not check. */
  readonly array?: {
    readonly type: string;
    readonly baseType: string;
    readonly typeKind: string;
    readonly dimensions: number;
  } | null;
  /** Labels of an enum, in its order. */
  readonly labels: readonly string[] | null;
  readonly nullable: boolean;
  /** Expression; null for none. */
  readonly default: string | null;
  /** The database numbers the rows: an identity, or a sequence that belongs to the column. */
  readonly numbered: boolean;
  /** The default, or a value in the statistics of the table, is infinite or of another year than 1 to 9999. */
  readonly unbounded?: boolean;
  /** Computed by the database. */
  readonly computed: boolean;
  readonly comment: string | null;
}

/** A foreign key, its columns in the order of those that it references. */
export interface FoundForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: { readonly schema: string; readonly name: string };
  readonly targetColumns: readonly string[];
  readonly onDelete: 'NO ACTION' | 'RESTRICT' | 'CASCADE' | 'SET NULL' | 'SET DEFAULT';
}

/** An index, also one that belongs to a constraint. */
export interface FoundIndex {
  readonly name: string;
  /** Null if a part of it is an expression. */
  readonly columns: readonly string[] | null;
  readonly unique: boolean;
  /** Condition of a partial index. */
  readonly where: string | null;
  readonly method: string;
  /** In the words of PostgreSQL; of a unique constraint its index. */
  readonly definition: string;
}

/** A primary key, a check or an exclusion. */
export interface FoundConstraint {
  readonly name: string;
  /** Columns that it is about. */
  readonly columns: readonly string[];
  readonly definition: string;
}

/** A trigger, a rule or a policy of a table. */
export interface FoundAutomatism {
  readonly kind: 'trigger' | 'rule' | 'policy';
  readonly name: string;
  /** Of a trigger and a rule in the words of PostgreSQL; of a policy its command: `SELECT`, `ALL`. */
  readonly definition: string;
}

/** What the catalogue says of a view. */
export interface FoundView {
  /**
   * Columns that are those of the primary key of the one table that the view selects rows of, without grouping or
   * joining them; null if that is not known.
   */
  readonly key: readonly string[] | null;
  /** The table of `key`, as `schema.name`. */
  readonly base: string | null;
  /** PostgreSQL can insert, update and delete its rows, also by `INSTEAD OF` triggers. */
  readonly writable: boolean;
  /** It has rows: false for a materialized view before its first `REFRESH`. */
  readonly populated: boolean;
}

/** A table, or another relation that has rows. */
export interface FoundTable {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'partitioned table' | 'partition' | 'view' | 'materialized view' | 'foreign table';
  /** It inherits from another one, without being a partition. */
  readonly inherits: boolean;
  /** Tables that inherit from it, as `schema.name`; not its partitions. */
  readonly inheritedBy: readonly string[];
  readonly comment: string | null;
  readonly columns: readonly FoundColumn[];
  readonly primaryKey: FoundConstraint | null;
  /** Null for everything but views and materialized views. */
  readonly view: FoundView | null;
  readonly foreignKeys: readonly FoundForeignKey[];
  readonly indexes: readonly FoundIndex[];
  readonly checks: readonly FoundConstraint[];
  readonly exclusions: readonly FoundConstraint[];
  /** What the database does by itself when rows are read or written; without triggers of constraints. */
  readonly automatisms: readonly FoundAutomatism[];
}

export interface DatabaseSchema {
  /** In the order of their names. */
  readonly tables: readonly FoundTable[];
}
