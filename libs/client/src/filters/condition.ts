/** A condition of a filter, as the API has it. */
export interface Condition {
  /** Path of an attribute: `customer.address.city`. */
  readonly property: string;
  /** `=`, `<>`, `>`, `in`, `contains` and the others of the API. */
  readonly operator: string;
  /** What the attribute is compared with; an array for `in` and `notIn`. */
  readonly value?: unknown;
}

/** Conditions that are joined: by AND, unless the group says otherwise. NOT: none of them holds. */
export interface ConditionGroup {
  /** How the conditions are joined; `AND` without it. */
  readonly group?: 'AND' | 'OR' | 'NOT';
  /** Conditions and further groups. */
  readonly conditions: readonly (Condition | ConditionGroup)[];
}
