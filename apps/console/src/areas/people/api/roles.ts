import { useRead } from '../../../requests/use-read.ts';

/** A policy of a resource role. */
export interface ResourcePolicy {
  readonly type: string;
  readonly resource: string;
  readonly action: string;
  readonly effect: string;
}

export interface ResourceRole {
  readonly code: string;
  readonly name: string;
  readonly description: string | null;
  readonly source: 'application' | 'database';
  readonly isReplaced: boolean;
  readonly scopes: readonly string[];
  readonly childRoles: readonly string[];
  readonly policies: readonly ResourcePolicy[];
}

/** A policy of a row-level role. */
export interface RowPolicy {
  readonly type: 'query' | 'predicate';
  readonly entityName: string;
  readonly action: string | null;
  readonly whereClause: string | null;
  readonly joinClause: string | null;
  readonly script: string | null;
}

export interface RowRole {
  readonly code: string;
  readonly name: string;
  readonly source: 'application' | 'database';
  readonly policies: readonly RowPolicy[];
}

export interface Roles {
  readonly resourceRoles: readonly ResourceRole[];
  readonly rowLevelRoles: readonly RowRole[];
}

/** All roles, of the application and of the database. */
export function useRoles(isEnabled = true) {
  return useRead<Roles>(['people', 'roles'], 'rights', '/roles', { enabled: isEnabled });
}
