import type { RoleRegistry } from '@lintel/security';
import { buildAccess } from '@lintel/security';

/** What requests without a token may reach, and the roles of the user `anonymous`, as whom they run. */
export interface AnonymousAccess {
  /** The anonymous URL patterns. */
  readonly patterns: readonly string[];
  /** Codes of the resource roles that are assigned to `anonymous`. */
  readonly roleCodes: readonly string[];
}

/** Paths without data: documents, and what describes the API. */
const WITHOUT_DATA = /\/(docs|metadata|messages|capabilities|version)(\/|$)/;

/**
 * What surprises in the rights of requests without a token, one sentence each with a proposal: an open path without
 * rights, and rights to change.
 */
export function anonymousWarnings(
  { patterns, roleCodes }: AnonymousAccess,
  { resourceRoles }: Pick<RoleRegistry, 'resourceRoles'>,
): readonly string[] {
  const open = patterns.filter((pattern) => !WITHOUT_DATA.test(pattern));
  if (open.length === 0) return [];
  const paths = open.join(', ');
  if (roleCodes.length === 0)
    return [
      `Requests without a token may reach ${paths}, and the user anonymous, as whom they run, has no role: they may read nothing; assign a role to anonymous (sec_RoleAssignment)`,
    ];
  const access = buildAccess(roleCodes, resourceRoles, { requireApiScope: false });
  const entities = [
    ...new Set(
      [...resourceRoles.values()].flatMap(({ policies }) =>
        policies.flatMap((policy) => (policy.kind === 'entity' ? [policy.entity] : [])),
      ),
    ),
  ];
  const changed = entities.filter((entity) =>
    (['create', 'update', 'delete'] as const).some((action) => access.allows(entity, action)),
  );
  return changed.length === 0
    ? []
    : [
        `Requests without a token may reach ${paths} and change ${changed.includes('*') ? 'every entity' : changed.join(', ')}: the user anonymous, as whom they run, has the roles ${roleCodes.join(', ')}`,
      ];
}
