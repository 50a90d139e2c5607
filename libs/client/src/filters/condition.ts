/** A condition of a filter, as the API has it. */
export interface Condition {
  readonly property: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** Conditions that are joined: by AND, unless the group says otherwise. NOT: none of them holds. */
export interface ConditionGroup {
  readonly group?: 'AND' | 'OR' | 'NOT';
  readonly conditions: readonly (Condition | ConditionGroup)[];
}
