import { listViewBody, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf, handleUnknownInside, sendJson } from '@lintel/http';
import { assertReadable, resolveEntity } from '@lintel/query';
import { assertSpecific } from '@lintel/security';
import type { Request, Response, Router } from 'express';
import type { Engine, FeatureFactory } from '../feature.ts';
import { textOf } from '../receiving/receive-user.ts';
import { receiveChecked } from '../rights/receive-rights.ts';
import { checkQuestion, mayAsk } from './check-question.ts';
import { createListViewStore } from './create-list-view-store.ts';
import type { ListView, ListViewInput } from './list-view.ts';

/** Saved views of lists. */
export const listViewsFeature: FeatureFactory = (engine) => ({ register: ({ rest }) => registerRoutes(rest, engine) });

const SHARE = 'views.share';
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Saved views of lists, of the caller and shared ones (contract/user.md#views). */
function registerRoutes(router: Router, { ports, config, accessOf, read, requestDatabase }: Engine): void {
  const path = `${config.paths.userSessionPath}/views`;
  const store = createListViewStore(requestDatabase);
  const callerOf = (request: Request, response: Response): Principal => {
    const { principal } = contextOf(request, response);
    if (principal.kind !== 'user') throw new PlatformError('ACCESS_DENIED', 'Only users have views');
    response.setHeader('Cache-Control', 'no-store');
    return principal;
  };
  const receive = async (request: Request, response: Response, caller: Principal): Promise<ListViewInput> => {
    const view = await receiveChecked(request, listViewBody);
    assertReadable(resolveEntity(read.currentModel(), view.entityName), read.loadAccess(caller).read);
    if (view.shared) assertSpecific(accessOf(caller), SHARE, 'ACCESS_DENIED', 'User is not allowed to share views');
    if (view.role !== null && !ports.currentRoles().resourceRoles.has(view.role))
      throw new PlatformError('REQ_INVALID_PARAMETER', `role: there is no resource role ${view.role}`);
    checkQuestion(view, caller, read, (found) => handleUnknownInside(response, 'refuse', 'body', found));
    return view;
  };

  router.get(path, async (request, response) => {
    const caller = callerOf(request, response);
    const views = await store.list(caller, textOf(request, 'entityName'));
    const access = accessOf(caller);
    const readable = views.filter(
      (view) =>
        access.allows(view.entityName, 'read') && (view.owner === caller.username || mayAsk(view, caller, read)),
    );
    sendJson(
      response,
      200,
      readable.map((view) => toJson(view, caller)),
    );
  });

  router.post(path, async (request, response) => {
    const caller = callerOf(request, response);
    const view = { ...(await receive(request, response, caller)), id: ports.ids.next(), owner: caller.username };
    await store.create(view);
    sendJson(response, 201, toJson(view, caller));
  });

  router.put(`${path}/:viewId`, async (request, response) => {
    const caller = callerOf(request, response);
    const view = { ...(await receive(request, response, caller)), id: idOf(request), owner: caller.username };
    if (!(await store.update(view))) throw unknown();
    sendJson(response, 200, toJson(view, caller));
  });

  router.delete(`${path}/:viewId`, async (request, response) => {
    const caller = callerOf(request, response);
    const mayShare = accessOf(caller).hasSpecific(SHARE);
    if (!(await store.remove(idOf(request), caller.username, mayShare))) throw unknown();
    response.status(204).end();
  });
}

const unknown = (): PlatformError => new PlatformError('REQ_NOT_FOUND', 'There is no such view');

function idOf({ params }: Request): string {
  const { viewId = '' } = params;
  if (typeof viewId !== 'string' || !UUID.test(viewId)) throw unknown();
  return viewId.toLowerCase();
}

const toJson = (view: ListView, { username }: Principal): object => {
  const { id, entityName, name, content, question, shared, role, owner } = view;
  return {
    id,
    entityName,
    name,
    content: JSON.parse(content) as object,
    ...(question && { question: JSON.parse(question) as object }),
    shared,
    role,
    owner,
    isOwn: owner === username,
  };
};
