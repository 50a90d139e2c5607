import type { EntityAction, ResourcePolicy, ResourceRole, RowPolicy, StoredRoles } from '@lintel/security';
import type { RightsDeps } from './rights-deps.ts';

/** Where a role is defined. */
type Source = 'application' | 'database';

/** A policy of a row-level role, in the form of `sec_RowLevelPolicy`. */
export interface ListedRowPolicy {
  readonly type: 'query' | 'predicate';
  readonly entityName: string;
  readonly action: string | null;
  readonly whereClause: string | null;
  readonly joinClause: string | null;
  /** Null for a function of the application. */
  readonly script: string | null;
}

export interface ListedRowRole {
  readonly code: string;
  readonly name: string;
  readonly source: Source;
  readonly policies: readonly ListedRowPolicy[];
}

/** The body of `GET /rights/roles`. */
export interface ListedRoles {
  readonly resourceRoles: readonly {
    readonly code: string;
    readonly name: string;
    readonly description: string | null;
    readonly source: Source;
    readonly isReplaced: boolean;
    readonly scopes: readonly string[];
    readonly childRoles: readonly string[];
    readonly policies: readonly { type: string; resource: string; action: string; effect: string }[];
  }[];
  readonly rowLevelRoles: readonly ListedRowRole[];
}

/**
 * All roles of the application and of the database, the policies of both in the form of the entities that store them,
 * sorted by code. A row-level role of both is listed twice: the policies of both hold.
 */
export async function listRoles({
  application,
  database,
}: Pick<RightsDeps, 'application' | 'database'>): Promise<ListedRoles> {
  const [row] = await database.query<{ readonly body: string }>({
    name: 'data_stored_roles',
    text: 'SELECT body::text AS body FROM sec.role_snapshot',
    values: [],
  });
  const stored = JSON.parse(row?.body ?? NO_ROLES) as StoredRoles;
  return {
    resourceRoles: sorted([
      ...[...application.resourceRoles.values()].map(ofApplication),
      ...stored.resourceRoles.map((role) => ({
        ...role,
        source: 'database' as const,
        isReplaced: application.resourceRoles.has(role.code),
      })),
    ]),
    rowLevelRoles: sorted([
      ...[...application.rowRoles.values()].map(({ code, name, policies }) => ({
        code,
        name,
        source: 'application' as const,
        policies: policies.map(toListedPolicy),
      })),
      ...stored.rowLevelRoles.map((role) => ({
        ...role,
        source: 'database' as const,
        policies: role.policies.map((policy) => ({ ...policy, type: policy.type as ListedRowPolicy['type'] })),
      })),
    ]),
  };
}

const NO_ROLES = '{"resourceRoles":[],"rowLevelRoles":[]}';

const sorted = <R extends { readonly code: string }>(roles: readonly R[]): readonly R[] =>
  roles.toSorted((a, b) => (a.code < b.code ? -1 : Number(a.code > b.code)));

const ofApplication = (role: ResourceRole) => ({
  code: role.code,
  name: role.name,
  description: role.description ?? null,
  source: 'application' as const,
  isReplaced: false,
  scopes: role.scopes,
  childRoles: role.childRoles,
  policies: role.policies.flatMap(toStoredPolicies),
});

const ALL_ACTIONS: readonly EntityAction[] = ['create', 'read', 'update', 'delete'];

function toStoredPolicies(policy: ResourcePolicy) {
  switch (policy.kind) {
    case 'entity': {
      const isAll = ALL_ACTIONS.every((action) => policy.actions.includes(action));
      const actions = isAll ? ['all'] : policy.actions;
      return actions.map((action) => ({ type: 'entity', resource: policy.entity, action, effect: effectOf(policy) }));
    }
    case 'attribute':
      return [
        {
          type: 'entityAttribute',
          resource: `${policy.entity}.${policy.attribute}`,
          action: policy.action,
          effect: 'allow',
        },
      ];
    case 'specific':
      return [{ type: 'specific', resource: policy.name, action: 'access', effect: effectOf(policy) }];
    default:
      return policy satisfies never;
  }
}

const effectOf = ({ acr }: { readonly acr?: string }): string => (acr === undefined ? 'allow' : 'step-up');

/** A policy of the application in the form of a stored one; the text of a function is not shown. */
export const toListedPolicy = (policy: RowPolicy): ListedRowPolicy =>
  policy.kind === 'query'
    ? {
        type: 'query',
        entityName: policy.entity,
        action: (policy.actions ?? ['read']).join(','),
        whereClause: policy.where,
        joinClause: policy.join ?? null,
        script: null,
      }
    : {
        type: 'predicate',
        entityName: policy.entity,
        action: policy.actions.join(','),
        whereClause: null,
        joinClause: null,
        script: null,
      };
