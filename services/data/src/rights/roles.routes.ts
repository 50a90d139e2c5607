import { rowPolicyBody } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import { assertSpecific, type RoleRegistry } from '@lintel/security';
import type { Request, Response, Router } from 'express';
import { listPermissions } from '../permissions/list-permissions.ts';
import { checkRowPolicy } from './check-row-policy.ts';
import { compareRoles } from './compare-roles.ts';
import { listRoles } from './list-roles.ts';
import { loadUser } from './load-covered-user.ts';
import { receiveChecked, requiredText } from './receive-rights.ts';
import type { RightsDeps } from './rights-deps.ts';

/** Roles, their difference, the permissions of a user, and the check of a policy (contract/rights.md#rights). */
export function registerRolesRoutes(router: Router, deps: RightsDeps): void {
  const { path, read, accessOf, currentRoles } = deps;
  const assertMayView = (request: Request, response: Response): void => {
    const access = accessOf(contextOf(request, response).principal);
    assertSpecific(access, 'rights.view', 'ACCESS_DENIED', 'User is not allowed to see roles and rights of others');
    response.setHeader('Cache-Control', 'no-store');
  };

  router.get(`${path}/roles`, async (request, response) => {
    assertMayView(request, response);
    sendJson(response, 200, await listRoles(deps));
  });

  router.get(`${path}/difference`, (request, response) => {
    assertMayView(request, response);
    const [first, second] = [requiredText(request, 'first'), requiredText(request, 'second')];
    const roles = currentRoles();
    for (const code of [first, second]) assertRole(roles, code);
    sendJson(response, 200, compareRoles(read.currentModel(), roles, first, second));
  });

  router.get(`${path}/permissions`, async (request, response) => {
    assertMayView(request, response);
    const { principal } = await loadUser(requiredText(request, 'username'), deps);
    sendJson(response, 200, listPermissions(read.currentModel(), accessOf(principal), principal, deps.application));
  });

  router.post(`${path}/conditions`, async (request, response) => {
    assertMayView(request, response);
    const policy = await receiveChecked(request, rowPolicyBody);
    const author = read.loadAccess(contextOf(request, response).principal).read;
    sendJson(response, 200, { errors: checkRowPolicy(read.currentModel(), policy, author) });
  });
}

function assertRole({ resourceRoles }: Pick<RoleRegistry, 'resourceRoles'>, code: string): void {
  if (!resourceRoles.has(code)) throw new PlatformError('REQ_NOT_FOUND', `There is no resource role ${code}`);
}
