import { type Principal, rowPreviewBody } from '@lintel/contracts';
import { contextOf, sendJson, sendJsonText } from '@lintel/http';
import { assertReadable, resolveEntity } from '@lintel/query';
import { assertSpecific } from '@lintel/security';
import type { Request, Response, Router } from 'express';
import { assertVisible, explainAccess } from './explain-access.ts';
import { loadCoveredUser } from './load-covered-user.ts';
import { previewRows } from './preview-rows.ts';
import { receiveChecked, requiredText } from './receive-rights.ts';
import type { RightsDeps } from './rights-deps.ts';

/** What another user sees, and why not (contract/rights.md#preview). */
export function registerPreviewRoutes(router: Router, deps: RightsDeps): void {
  const { path, read, accessOf, security } = deps;
  const callerOf = (request: Request, response: Response): Principal => {
    const { principal } = contextOf(request, response);
    assertSpecific(
      accessOf(principal),
      'rights.preview',
      'ACCESS_DENIED',
      'User is not allowed to see what others see',
    );
    response.setHeader('Cache-Control', 'no-store');
    return principal;
  };
  const record = (username: string, caller: Principal, reason: string): void =>
    security.record('rights.previewed', { username, by: caller.username, reason });

  router.post(`${path}/preview`, async (request, response) => {
    const caller = callerOf(request, response);
    const { username, entityName, role, policies } = await receiveChecked(request, rowPreviewBody);
    const { principal } = await loadCoveredUser(username, caller, deps);
    record(username, caller, `rows of ${resolveEntity(read.currentModel(), entityName).name}`);
    const draft = role === undefined || policies === undefined ? undefined : { code: role, policies };
    const { signal } = contextOf(request, response);
    const author = read.loadAccess(caller);
    const { canRead, count, rows } = await previewRows(entityName, principal, draft, author, deps, signal);
    sendJsonText(response, `{"canRead":${canRead},"count":${count},"rows":[${rows.join(',')}]}`);
  });

  router.get(`${path}/explanation`, async (request, response) => {
    const caller = callerOf(request, response);
    const { signal } = contextOf(request, response);
    const target = { entityName: requiredText(request, 'entityName'), id: requiredText(request, 'id') };
    const username = requiredText(request, 'username');
    assertReadable(resolveEntity(read.currentModel(), target.entityName), read.loadAccess(caller).read);
    const user = await loadCoveredUser(username, caller, deps);
    await assertVisible(target, caller, read, signal);
    record(username, caller, `an instance of ${target.entityName}`);
    sendJson(response, 200, await explainAccess(target, user, caller, deps, signal));
  });
}
