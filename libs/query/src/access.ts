import type { Condition } from './ast/condition.ts';

/**
 * What the compiler needs to know of the caller's access. `@lintel/security` produces it; this package
 * never imports that one.
 */

/** The caller's access to one entity. */
export interface EntityReadAccess {
  /** Whether instances of the entity may be read at all. */
  readonly canRead: boolean;
  /** Whether the attribute may be viewed. */
  mayView(attribute: string): boolean;
  /**
   * Condition that every visible row keeps, over the entity's own paths; absent where every row is
   * visible. A denied row set is the explicit condition `{ kind: 'constant', value: false }`.
   */
  readonly rows: Condition | undefined;
}

/** The caller's access for one request. */
export interface ReadAccess {
  /**
   * Equal for two callers whose statements have the same text: part of the statement cache's key. The
   * values of row conditions are parameters and do not count.
   */
  readonly fingerprint: string;
  entity(name: string): EntityReadAccess;
}
