import type { Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import { decidingEntities } from '@lintel/metadata';
import { resolveEntity } from '@lintel/query';
import type { Access, EntityAction } from '@lintel/security';
import type { Request, Router } from 'express';
import { textOf } from '../receiving/receive-user.ts';
import { requiredText } from './receive-rights.ts';
import type { RightsDeps } from './rights-deps.ts';
import { rolesWith } from './roles-with.ts';

type Deps = Pick<RightsDeps, 'path' | 'accessOf' | 'currentRoles' | 'read'>;

/** The policies that would permit what was refused. */
interface NeededRight {
  readonly grants: (access: Access) => boolean;
  /** The row-level roles of the caller that restrict it. */
  readonly rowLevelRoles: readonly string[];
}

const ACTIONS: readonly EntityAction[] = ['create', 'read', 'update', 'delete'];

/**
 * What a caller lacks: the policy by its name, the own row-level roles about the entity, and the roles that have the
 * policy, for callers who may see roles (contract/rights.md#needed).
 */
export function registerNeededRightRoute(router: Router, deps: Deps): void {
  const { path } = deps;
  router.get(`${path}/needed`, (request, response) => {
    const { principal } = contextOf(request, response);
    const access = deps.accessOf(principal);
    const { grants, rowLevelRoles } = receiveRight(request, principal, deps);
    const roles = access.hasSpecific('rights.view') ? rolesWith(deps.currentRoles(), grants) : null;
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, { isGranted: grants(access), roles, rowLevelRoles });
  });
}

/** A right on an entity, or a specific one. */
function receiveRight(request: Request, principal: Principal, deps: Deps): NeededRight {
  const specific = textOf(request, 'specific');
  if (specific !== undefined) {
    if (textOf(request, 'entityName') !== undefined || textOf(request, 'action') !== undefined)
      throw new PlatformError('REQ_INVALID_PARAMETER', 'specific excludes entityName and action');
    return { grants: (access) => access.hasSpecific(specific), rowLevelRoles: [] };
  }
  const model = deps.read.currentModel();
  const entity = resolveEntity(model, requiredText(request, 'entityName'));
  const action = ACTIONS.find((each) => each === requiredText(request, 'action'));
  if (action === undefined)
    throw new PlatformError('REQ_INVALID_PARAMETER', `action must be one of ${ACTIONS.join(', ')}`);
  const deciding = decidingEntities(model, entity);
  const { rowRoles } = deps.currentRoles();
  const rowLevelRoles = [...new Set(principal.rowLevelRoles)].filter((code) =>
    rowRoles.get(code)?.policies.some((policy) => {
      const through = deciding.get(policy.entity);
      // A write of a child is an update of its owner.
      const bound = through === undefined || through.length === 0 || action === 'read' ? action : 'update';
      return through !== undefined && (policy.actions ?? ['read']).includes(bound);
    }),
  );
  return { grants: (access) => access.allows(entity.name, action), rowLevelRoles };
}
