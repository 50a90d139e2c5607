import type { Column, Table } from '@lintel/metadata';

/** The tables a model is stored in, as PostgreSQL sees them; still nothing of TypeORM. */

export interface ColumnDescription extends Column {
  /** The database numbers the rows when no value is given. */
  readonly identity: boolean;
  /** The column may be NOT NULL or not: rows without a value are of no entity. */
  readonly anyNullability?: true;
}

/** The attributes of a key or an index in the model; used to name them in an error. */
export interface ConstraintOrigin {
  readonly entity: string;
  /** Attribute paths inside the entity, e.g. `number` or `address.city`. */
  readonly attributes: readonly string[];
  /** Text of the violation, or `{msg://key}`. */
  readonly message?: string;
}

/** A check or an exclusion. */
export interface ConstraintDescription {
  readonly name: string;
  readonly kind: 'check' | 'exclusion';
  /** In SQL, after the name. */
  readonly definition: string;
  readonly origin: ConstraintOrigin;
}

export interface ForeignKeyDescription {
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: Table;
  readonly targetColumns: readonly string[];
  /** What happens to the row when the target's row is removed. */
  readonly onDelete: 'NO ACTION' | 'CASCADE';
  readonly origin: ConstraintOrigin;
}

export interface IndexDescription {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** Of the lower-case form of the one column, by code points: serves prefixes, in any case of letters. */
  readonly search: boolean;
  /** Only rows that satisfy this SQL condition. */
  readonly where: string | undefined;
  /** The SQL after the table, of an index with an expression, a condition, a method or an operator class. */
  readonly definition?: string;
  readonly origin: ConstraintOrigin;
}

/** A trigger of the platform: the whole statement, as the catalogue prints it. */
export interface TriggerDescription {
  readonly name: string;
  readonly definition: string;
}

export interface KeyDescription {
  readonly name: string;
  readonly columns: readonly string[];
  readonly origin: ConstraintOrigin;
}

export interface TableDescription extends Table {
  /**
   * Created and changed outside the platform: migrations do not change it, and its keys and indexes may have any names.
   */
  readonly external: boolean;
  /**
   * Created outside the platform, and changed by migrations from now on: it may have actions of foreign keys, defaults
   * and generated columns that the model does not express.
   */
  readonly takenOver?: true;
  /** A view, also a materialized one: always external, without constraints and indexes. */
  readonly isView?: true;
  readonly columns: readonly ColumnDescription[];
  /** Absent for views and for tables that are only lists of rows: always external ones. */
  readonly primaryKey?: KeyDescription;
  readonly foreignKeys: readonly ForeignKeyDescription[];
  readonly indexes: readonly IndexDescription[];
  /** Checks and exclusions. */
  readonly constraints?: readonly ConstraintDescription[];
  /** Record the changes of an entity with history. */
  readonly triggers?: readonly TriggerDescription[];
}
