import type {
  Attribute,
  Datatype,
  Discriminator,
  Enumeration,
  InstanceName,
  NumberKind,
  NumberSymbols,
  ReadAs,
  Table,
} from '@lintel/metadata';
import type { RowPredicate } from '../access.ts';
import type { ComparisonOperator } from '../ast/condition.ts';
import type { DatatypeType } from '../literals/literal-type.ts';
import type { BucketUnit } from '../parse/parse-aggregates.ts';
import type { OrderPlan, SelectPlan, SqlTest } from './language/sql-expression.ts';
import type { Parameter } from './parameter.ts';
import type { HighlightsPlan, RankPlan, SearchPlan } from './search-plan.ts';

/** A column of a table in the statement. */
export interface Column {
  readonly alias: string;
  readonly name: string;
  /** How it is read, if not as it is. */
  readonly readAs?: ReadAs;
  /** Read as a text in lower case: the normal form of keys that are compared without case. */
  readonly lowerCase?: true;
  /** The PostgreSQL type in which it is compared: that of a text form. */
  readonly comparedAs?: string;
  /** Of a discriminator: its values and the names of the entities that they stand for. It reads as the name. */
  readonly entities?: Discriminator['values'];
}

/** A table with the tables joined to it, as a group of its own. */
export interface From {
  /** A `SELECT` is used as a table of its rows. */
  readonly table: Table | SelectPlan | TallyPlan | UnnestPlan | FillPlan | RankPlan;
  readonly alias: string;
  readonly joins: readonly Join[];
}

/** The elements of an array column of a row in scope, as a table with the columns `value` and `position`. */
export interface UnnestPlan {
  readonly unnest: Column;
}

/**
 * Groups, with a row for each unit of time between the first and the last one that has none, for all values of the
 * other columns that occur.
 */
export interface FillPlan {
  readonly fill: SelectPlan;
  /** The column with the unit: a date. */
  readonly column: string;
  /** All columns with it. */
  readonly units: readonly string[];
  readonly unit: BucketUnit;
  /** The other columns that the rows are grouped by. */
  readonly groups: readonly string[];
  /** Columns that are 0 without rows; others, but for the groups, are null. */
  readonly zeros: readonly string[];
}

/** Rows of a table and of the tables joined to it, under conditions. */
export interface Rows {
  readonly from: From;
  readonly where: readonly SqlCondition[];
}

/**
 * For each of several tests a column `b<n>`: whether one of the rows keeps it. One pass over the rows finds out all of
 * them. Without rows the columns are null, or the row is absent.
 */
export interface TallyPlan {
  readonly from: From;
  readonly where: readonly SqlCondition[];
  /**
   * One row for each value of these columns, `k<n>`. Without them it is a lateral sub-select, whose `where` names the
   * row that the others belong to.
   */
  readonly keys: readonly Column[];
  readonly tests: readonly SqlCondition[];
}

export interface Join {
  readonly kind: 'left' | 'inner';
  readonly from: From;
  readonly on: readonly SqlCondition[];
}

export type SqlCondition =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly SqlCondition[] }
  | { readonly kind: 'not'; readonly condition: SqlCondition }
  /** False or null. */
  | { readonly kind: 'not-true'; readonly condition: SqlCondition }
  | { readonly kind: 'same'; readonly left: Column; readonly right: Column }
  | {
      readonly kind: 'compare';
      readonly column: Column;
      readonly operator: ComparisonOperator;
      readonly parameter: Parameter;
    }
  /** Case-insensitive `LIKE`. */
  | { readonly kind: 'like'; readonly column: Column; readonly negated: boolean; readonly parameter: Parameter }
  /** The text begins with another, in any case: it is not before `first` and not after `end`. */
  | { readonly kind: 'prefix'; readonly column: Column; readonly first: Parameter; readonly end: Parameter }
  | { readonly kind: 'any'; readonly column: Column; readonly negated: boolean; readonly parameter: Parameter }
  /** An array column has the value, or one of the values of the list. */
  | {
      readonly kind: 'array';
      readonly column: Column;
      readonly has: 'value' | 'one-of';
      readonly parameter: Parameter;
      /** Type of the elements, without limits. */
      readonly elementType: string;
    }
  /** Several columns among the rows that the parameters, one array per column, make up. */
  | {
      readonly kind: 'row-any';
      readonly columns: readonly Column[];
      readonly negated: boolean;
      readonly parameters: readonly Parameter[];
    }
  /** All columns are null; negated: one is not. */
  | { readonly kind: 'null'; readonly columns: readonly Column[]; readonly negated: boolean }
  /** The column, a discriminator, names one of the entities. */
  | { readonly kind: 'named'; readonly column: Column; readonly names: readonly string[] }
  | {
      readonly kind: 'exists';
      readonly from: From;
      readonly where: readonly SqlCondition[];
      /** The database must not make a join of it. */
      readonly isApart?: true;
    }
  /** A test of what a JSON column has at a path; JSON null is no value. */
  | { readonly kind: 'json'; readonly column: Column; readonly path: Parameter; readonly test: JsonTest }
  | ({ readonly kind: 'search' } & SearchPlan)
  /** The column has a value of rows that are found once, whatever the row is. */
  | ({ readonly kind: 'among'; readonly column: Column; readonly value: Column } & Rows)
  /** The column, of a tally, is true. */
  | { readonly kind: 'flag'; readonly column: Column }
  | SqlTest;

/** A test of a JSON value, by its JSON type; of its text, in any case. */
export type JsonTest =
  | { readonly kind: 'compare'; readonly operator: ComparisonOperator; readonly parameter: Parameter }
  | { readonly kind: 'like'; readonly negated: boolean; readonly parameter: Parameter }
  | { readonly kind: 'prefix'; readonly first: Parameter; readonly end: Parameter }
  | { readonly kind: 'any'; readonly negated: boolean; readonly parameter: Parameter }
  | { readonly kind: 'null'; readonly negated: boolean };

/** A column's value in its JSON form. */
export type ColumnFormat =
  | DatatypeType
  | { readonly kind: 'enum'; readonly enumeration: Enumeration }
  /** As text, of any type: ids that are no numbers (contract/decisions.md#7). */
  | { readonly kind: 'text'; readonly of?: DatatypeType };

/** A column's value as people of one locale read it. */
export type DisplayFormat =
  /** The text for each value of a small set. */
  | {
      readonly kind: 'captions';
      readonly captions: readonly { readonly id: string | number | boolean; readonly text: string }[];
    }
  | { readonly kind: 'number'; readonly number: NumberKind; readonly symbols: NumberSymbols }
  /** `pattern` is of the letters `y M d H m Z`; `unbounded` as in `DatatypeType`. */
  | { readonly kind: 'temporal'; readonly datatype: Datatype; readonly pattern: string; readonly unbounded?: true };

/** A column's value as a text. */
export type TextFormat = ColumnFormat | DisplayFormat;

/** An expression whose value is a text. */
export type TextPlan =
  /** Null is no text: `NULL`. */
  | { readonly kind: 'text-constant'; readonly text: string | null }
  /** Null if the column is; `''` when `orEmpty`. */
  | { readonly kind: 'text-column'; readonly column: Column; readonly format: TextFormat; readonly orEmpty: boolean }
  | { readonly kind: 'text-concat'; readonly parts: readonly TextPlan[] }
  | {
      readonly kind: 'text-select';
      readonly from: From;
      readonly where: readonly SqlCondition[];
      readonly text: TextPlan;
      readonly orEmpty: boolean;
    };

/** An expression whose value is JSON that the shape stage turns into an instance name. */
export type NamePlan =
  | TextPlan
  | { readonly kind: 'name-items'; readonly items: readonly NamePlan[] }
  /** The values in their JSON form, for code of the application. */
  | { readonly kind: 'name-values'; readonly values: readonly NamedColumn[] }
  | {
      readonly kind: 'name-select';
      readonly from: From;
      readonly where: readonly SqlCondition[];
      readonly name: NamePlan;
    }
  /** By the entity that the discriminator names; the JSON is `[case number, name]` unless all are texts. */
  | {
      readonly kind: 'name-by-entity';
      readonly discriminator: Column;
      readonly cases: readonly { readonly names: readonly string[]; readonly name: NamePlan }[];
      readonly otherwise: NamePlan;
      readonly tagged: boolean;
    };

/** A column that is passed to code of the application under that name; none if the caller may not view it. */
export interface NamedColumn {
  readonly name: string;
  readonly column: Column | undefined;
  readonly format: ColumnFormat;
}

/** How the shape stage computes an instance name from the result of the statement; absent if the result is the name. */
export type NameRecipe =
  | {
      readonly kind: 'method';
      readonly format: Extract<InstanceName, { kind: 'method' }>['format'];
      readonly names: readonly string[];
      readonly recipes: readonly (NameRecipe | undefined)[];
    }
  | { readonly kind: 'parts'; readonly recipes: readonly (NameRecipe | undefined)[] }
  | {
      readonly kind: 'computed';
      readonly compute: (values: Readonly<Record<string, unknown>>) => unknown;
      readonly values: readonly NamedColumn[];
    }
  | { readonly kind: 'by-entity'; readonly recipes: readonly (NameRecipe | undefined)[] };

/** The value of one member of an object. */
export type ValuePlan =
  | { readonly kind: 'constant'; readonly text: string }
  /** `isLong`: its values have no greatest length. */
  | { readonly kind: 'column'; readonly column: Column; readonly format: ColumnFormat; readonly isLong?: true }
  | { readonly kind: 'name'; readonly name: NamePlan; readonly recipe: NameRecipe | undefined }
  /** An object of the same row; null when all of `presentWhen` are; without it, never. */
  | { readonly kind: 'object'; readonly object: ObjectPlan; readonly presentWhen: readonly Column[] | undefined }
  | { readonly kind: 'one'; readonly from: From; readonly where: readonly SqlCondition[]; readonly object: ObjectPlan }
  | {
      readonly kind: 'many';
      /** `<entity>.<attribute>` of the model, for the refusal of one with too many rows. */
      readonly name: string;
      readonly from: From;
      readonly where: readonly SqlCondition[];
      readonly orderBy: readonly (Column | Pick<SortPlan, 'column' | 'descending'>)[];
      /** Which of the rows are members; all without it. */
      readonly part?: { readonly limit: number | undefined; readonly offset: number | undefined };
      readonly object: ObjectPlan;
      /** No rows are null instead of an empty list. */
      readonly orNull?: true;
    }
  | {
      readonly kind: 'elements';
      /** As of a collection of references. */
      readonly name: string;
      readonly from: From;
      readonly where: readonly SqlCondition[];
      readonly orderBy: Column;
      readonly value: Column;
      readonly format: ColumnFormat;
      /** No rows are null instead of an empty list. */
      readonly orNull?: true;
    }
  /** The number of rows. */
  | { readonly kind: 'count'; readonly from: From; readonly where: readonly SqlCondition[] }
  /** A list of texts of the model. */
  | { readonly kind: 'names'; readonly names: readonly string[] }
  /** A value of another row; null if there is none. */
  | {
      readonly kind: 'scalar';
      readonly from: From;
      readonly where: readonly SqlCondition[];
      readonly value: Column;
      readonly format: ColumnFormat;
    }
  /** Parts of texts with the words that a search finds; null if no text has one. */
  | { readonly kind: 'highlights'; readonly texts: HighlightsPlan }
  /** Not stored: null, or what the shape stage computes. */
  | { readonly kind: 'computed'; readonly attribute: Attribute };

export interface MemberPlan {
  readonly name: string;
  readonly value: ValuePlan;
}

/** A JSON object of one row. */
export interface ObjectPlan {
  readonly members: readonly MemberPlan[];
  /** Pairs of columns of this row and of a row above: an instance that is its own ancestor is written short. */
  readonly cycles: readonly (readonly { readonly own: Column; readonly above: Column }[])[];
  /** The members of the short form; only if there are cycles. */
  readonly short: readonly MemberPlan[];
  readonly policies: readonly PolicyPlan[];
  /** The object gets a security token, which the shape stage creates. */
  readonly token?: TokenPlan | undefined;
}

/** The input of the security token of an object. */
export interface TokenPlan {
  /** Of an embedded object, or where the object does not name its own. */
  readonly entity: string;
  /** Shown references whose targets row rules may hide. */
  readonly references: readonly string[];
}

/** Row predicates and what they read: the member of that name in the object's policy member. */
export interface PolicyPlan {
  readonly entity: string;
  /** About instances of a descendant alone: the member is absent for others. */
  readonly isOfDescendant: boolean;
  readonly predicates: readonly RowPredicate[];
  readonly object: ObjectPlan;
}

export interface SortPlan {
  readonly column: Column;
  readonly descending: boolean;
  /** PostgreSQL type that holds each of the column's values exactly. */
  readonly sqlType: string;
  /** Null in some row, be it because there is no row on the other side of a join. */
  readonly nullable: boolean;
}

/**
 * A position in the order of a list: the values of a row in the columns of the order, as PostgreSQL writes
 * them. It stays valid when rows are added or deleted, that row included.
 */
export interface RowPosition {
  /** The order that the values belong to: `StatementTemplate.order`. */
  readonly order: string;
  readonly values: readonly (string | null)[];
}

/** The rows after a position in the order. */
export interface AfterPlan {
  /**
   * Conditions of the rows: one list for each range of the order, the nearest first; a row keeps those of
   * exactly one range.
   */
  readonly ranges: readonly (readonly SqlCondition[])[];
  /** The order in the page's columns, to merge the ranges by. */
  readonly orderBy: readonly SortPlan[];
}

declare const planned: unique symbol;

/** What the statement does: the tables, conditions and the JSON of each row. Only `plan` makes one. */
export interface ReadPlan {
  readonly [planned]: true;
  readonly from: From;
  readonly where: readonly SqlCondition[];
  readonly orderBy: readonly (SortPlan | OrderPlan)[];
  /**
   * The columns that the page hands to the JSON, under the page's alias; undefined if there is no page
   * (one instance), so that the JSON is made from the tables directly.
   */
  readonly page: { readonly alias: string; readonly columns: readonly PageColumn[] } | undefined;
  /** The page is the first rows, in this order of its columns, of `RANKED_MATCHES` rows that are read in any order. */
  readonly candidates?: readonly SortPlan[];
  /** The page has `LIMIT` and `OFFSET`; a data set has neither. */
  readonly limited: boolean;
  /** Identifies the order; empty if there is no page. */
  readonly order: string;
  /** The page's columns of the order, selected in addition to the JSON; empty if no page follows. */
  readonly position: readonly Column[];
  /** The position after which the page begins; undefined for the first page. */
  readonly after: AfterPlan | undefined;
  readonly object: ObjectPlan;
  /** The root's version, selected in addition to the JSON; only for one instance of a versioned entity. */
  readonly version: Column | undefined;
}

export interface PageColumn {
  readonly column: Column;
  readonly name: string;
}

/** The number of matching rows. Only `plan` creates one. */
export interface CountPlan {
  readonly [planned]: true;
  readonly from: From;
  readonly where: readonly SqlCondition[];
}

/** @internal Gives the brand; for `plan` alone. */
export const brandPlanned = <P extends ReadPlan | CountPlan>(plan: Omit<P, typeof planned>): P =>
  Object.freeze(plan) as unknown as P;
