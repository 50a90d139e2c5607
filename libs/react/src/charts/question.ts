import type { Aggregate, ConditionGroup, GroupBy } from '@lintel/client';

/** How the groups of a question are drawn. */
export interface QuestionChart {
  readonly kind: 'bar' | 'line' | 'pie' | 'number';
  /** Name of a group in the rows; the first one without it. */
  readonly x?: string | undefined;
  /** Name of an aggregate in the rows; the first one without it. */
  readonly y?: string | undefined;
}

/** Groups and aggregates as a saved view holds them, and how they are drawn. */
export interface Question {
  readonly groupBy?: readonly GroupBy[] | undefined;
  readonly aggregates?: Readonly<Record<string, Aggregate>> | undefined;
  readonly filter?: ConditionGroup | undefined;
  /** Words that searchable attributes have. */
  readonly q?: string | undefined;
  readonly having?: ConditionGroup | undefined;
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  /** Without it the rows are a table only. */
  readonly chart?: QuestionChart | undefined;
}

/**
 * Names of groups and aggregates in the rows, in the order of the question; of groups with a caption, its name.
 * `shownAs` returns it for the name of a group.
 */
export function namesOfQuestion({ groupBy = [], aggregates = {} }: Question) {
  const named = groupBy.map((group) => (typeof group === 'string' ? { attribute: group } : group));
  const captions = new Map(named.map(({ attribute, as = attribute, captionAs = as }) => [as, captionAs]));
  return {
    groups: [...captions.values()],
    values: Object.keys(aggregates),
    shownAs: (name: string): string => captions.get(name) ?? name,
  };
}
