/** The objects of a database as its catalogue describes them; definitions are as PostgreSQL prints them. */

export interface CatalogueColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** Expression; null for none. */
  readonly default: string | null;
  /** The database gives a value that is not given: by number or by expression. */
  readonly generated: 'identity' | 'stored' | null;
  /** Of the model: the column may be NOT NULL or not. */
  readonly anyNullability?: true;
  /** Of the model: the database gives the value in some way, perhaps by a trigger. */
  readonly anyGeneration?: true;
}

export type ConstraintKind = 'primary key' | 'foreign key' | 'unique constraint' | 'check' | 'exclusion';

export interface CatalogueConstraint {
  readonly name: string;
  readonly kind: ConstraintKind;
  readonly definition: string;
  /** Of the model: the name has a hash of the definition, which PostgreSQL prints in its own form. */
  readonly isNamedByHash?: true;
}

/** An index that no constraint has brought along. */
export interface CatalogueIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly definition: string;
  /** As of a constraint. */
  readonly isNamedByHash?: true;
}

export interface CatalogueTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly CatalogueColumn[];
  readonly constraints: readonly CatalogueConstraint[];
  readonly indexes: readonly CatalogueIndex[];
  /** Those of the platform; absent for none. */
  readonly triggers?: readonly { readonly name: string; readonly definition: string }[];
  /**
   * Created outside the platform: the names of its keys and indexes are not compared, and additional objects are not
   * reported.
   */
  readonly external?: true;
  /** Taken over by migrations: its columns are compared as in tables of another owner, its keys without their actions. */
  readonly takenOver?: true;
  readonly isPartitioned?: true;
  /** A view or a materialized view: it is reported only if the model has it, and of its columns only names and types. */
  readonly isView?: true;
}

export interface Catalogue {
  readonly tables: readonly CatalogueTable[];
  /** `schema.name`. */
  readonly views: readonly string[];
  /** `schema.name(types of parameters)`. */
  readonly functions: readonly string[];
}
