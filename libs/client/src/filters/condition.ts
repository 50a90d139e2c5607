/** A condition of a filter, as the API has it. */
export interface Condition {
  readonly property: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** Conditions that are joined: by AND, unless the group says otherwise. */
export interface ConditionGroup {
  readonly group?: 'AND' | 'OR';
  readonly conditions: readonly (Condition | ConditionGroup)[];
}
