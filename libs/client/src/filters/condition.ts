/** A condition of a filter, as the API has it. */
export interface Condition {
  /** Path of an attribute: `customer.address.city`. */
  readonly property: string;
  /** `=`, `<>`, `>`, `in`, `contains` and the others of the API. */
  readonly operator: string;
  /** What the attribute is compared with; an array for `in` and `notIn`. */
  readonly value?: unknown;
  /** Levels to the instance that the value of `under` or `above` names; all without it. */
  readonly depth?: number;
}

/** A comparison of two attributes. */
export interface AttributeCondition extends Pick<Condition, 'property' | 'operator'> {
  /** Path of the attribute that is compared with. */
  readonly valueOf: string;
}

/**
 * A date or date-time relative to the request, in the units of ISO 8601: `{ now: '-P7D' }`,
 * `{ startOf: 'month', plus: '-P1M' }`.
 */
export type RelativeTime = {
  /** Zone of the clock; the one of the user without it. */
  readonly timeZone?: string;
} & (
  | { /** Duration from now. */ readonly now: string }
  | {
      /** Unit that has begun. */
      readonly startOf: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
      /** Duration from that beginning. */
      readonly plus?: string;
    }
);

/** Conditions that are joined: by AND, unless the group says otherwise. NOT: none of them holds. */
export interface ConditionGroup {
  /** How the conditions are joined; `AND` without it. */
  readonly group?: 'AND' | 'OR' | 'NOT';
  /** Conditions and further groups. */
  readonly conditions: readonly AnyCondition[];
}

/** A test of the members of a collection, each as a whole: the conditions are about one and the same member. */
export type MembersCondition = {
  /** Conditions over the paths of a member; without them every member counts. */
  readonly conditions?: readonly AnyCondition[];
} & (
  | { /** Path of the collection of which one member satisfies the conditions. */ readonly some: string }
  | { /** Path of the collection of which every member satisfies the conditions. */ readonly every: string }
  | { /** Path of the collection of which no member satisfies the conditions. */ readonly none: string }
  | {
      /** Path of the collection whose members that satisfy the conditions are counted. */
      readonly count: string;
      /** Operator that compares the number: `=`, `<>`, `>`, `>=`, `<`, `<=`. */
      readonly operator: string;
      /** Number that is compared with. */
      readonly value: number;
    }
);

/** A node of a filter. */
export type AnyCondition = Condition | AttributeCondition | ConditionGroup | MembersCondition;
