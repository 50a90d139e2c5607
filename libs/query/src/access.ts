import type { Condition } from './ast/condition.ts';

/**
 * The caller's access in the form of the compiler. `@lintel/security` produces it; this package never imports that
 * one.
 */

/** Value of a policy's parameter (`current_user_country`) for the caller; undefined if there is none. */
export type SessionValue = (name: string) => unknown;

/** A rule on rows that only code can evaluate. Its instances are read as objects, which is slower. */
export interface RowPredicate {
  /** Paths of the attributes the test reads; loaded without regard to the caller's own access. */
  readonly dependsOn: readonly string[];
  /** Whether the caller may see the instance. Pure. */
  readonly test: (instance: Readonly<Record<string, unknown>>, session: SessionValue) => boolean;
}

/** The caller's access to one entity. */
export interface EntityReadAccess {
  /** Whether instances of the entity may be read at all. */
  readonly canRead: boolean;
  /** Whether the attribute may be viewed. */
  mayView(attribute: string): boolean;
  /**
   * Condition that every visible row satisfies, over the entity's own paths; absent if every row is
   * visible. A denied row set is the explicit condition `{ kind: 'constant', value: false }`.
   */
  readonly rows: Condition | undefined;
  /** Predicates that every visible row keeps besides. */
  readonly predicates: readonly RowPredicate[];
}

/** The caller's access for one request. */
export interface ReadAccess {
  /**
   * Equal for two callers whose statements have the same text and whose predicates are the same: part of
   * the statement cache's key. The values of row conditions are parameters and do not count.
   */
  readonly fingerprint: string;
  entity(name: string): EntityReadAccess;
  /** What the caller could read after a stronger login; absent if no login gives more rights. */
  readonly afterLogin?: { readonly acr: string; readonly access: ReadAccess } | undefined;
}
