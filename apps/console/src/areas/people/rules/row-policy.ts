import type { RowPolicy } from '../api/roles.ts';

/** A policy before anything is entered. */
export const NEW_POLICY: RowPolicy = {
  type: 'query',
  entityName: '',
  action: 'read',
  whereClause: '',
  joinClause: null,
  script: null,
};

/** A policy as it is saved: of a query without a script, of a predicate without clauses. */
export const writtenPolicy = ({ type, entityName, action, whereClause, joinClause, script }: RowPolicy) => ({
  type,
  entityName,
  action,
  whereClause: type === 'query' ? whereClause : null,
  joinClause: type === 'query' && joinClause !== '' ? joinClause : null,
  script: type === 'predicate' ? script : null,
});

/** The policies as a preview takes them; undefined if one of them is a function of the application, which has no text. */
export const previewedPolicies = (policies: readonly RowPolicy[]): readonly RowPolicy[] | undefined =>
  policies.every(({ type, script }) => type === 'query' || script !== null)
    ? policies.map((policy) => ({ ...policy, action: policy.action ?? 'read' }))
    : undefined;
