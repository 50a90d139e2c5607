import type { AttributeSearch, Table } from '@lintel/metadata';
import type { Parameter } from './parameter.ts';
import type { Column } from './read-plan.ts';

/** A column of words, and how it is searched. */
export interface SearchedColumn {
  readonly column: Column;
  readonly search: AttributeSearch;
}

/** A search in those columns of a row that the caller may view. */
export interface SearchPlan {
  readonly columns: readonly SearchedColumn[];
  readonly query: Parameter;
  /** The searched text, for columns whose typing errors are found. */
  readonly text: Parameter;
  /** All columns that the index is of, if some are hidden: a row that is found has the words in these as well. */
  readonly indexed: { readonly columns: readonly SearchedColumn[]; readonly query: Parameter } | undefined;
  /** The last word and the words before it, for the index of the table, if the last may be the beginning of a word. */
  readonly parts?: { readonly last: Parameter; readonly others: Parameter; readonly table: Table } | undefined;
  /** The index is asked for all words, never for the parts. */
  readonly isWhole?: boolean;
}

/** The attributes whose texts are shown around the words of a search. */
export type HighlightsPlan = readonly (SearchedColumn & {
  readonly attribute: { readonly name: string };
  /** Any of the words. */
  readonly query: Parameter;
})[];

/** The rank of a search in a row in scope, as a table with the column `rank`. */
export interface RankPlan {
  readonly rank: SearchPlan;
}
