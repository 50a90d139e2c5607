import {
  endSessionsRequestSchema,
  loginHistoryRequestSchema,
  sessionOwnerRequestSchema,
  userSessionsRequestSchema,
} from '@lintel/contracts';
import { receiveJson, sendJson } from '@lintel/http';
import type { LoginHistory } from '@lintel/login';
import type { Router } from 'express';
import { endUserSessions, listUserSessions, type UserSessionsDeps } from './user-sessions.ts';

/** Routes of the internal listener for the logins of users; the callers have the shared secret. */
export function registerUserSessionRoutes(
  router: Router,
  deps: UserSessionsDeps & { readonly history: Pick<LoginHistory, 'of'> },
): void {
  router.post('/user-sessions', async (request, response) => {
    const { username } = await receiveJson(request, userSessionsRequestSchema);
    sendJson(response, 200, { sessions: await listUserSessions(username, deps) });
  });
  router.post('/user-sessions/owner', async (request, response) => {
    const { sessionId } = await receiveJson(request, sessionOwnerRequestSchema);
    sendJson(response, 200, { username: (await deps.logins.find(sessionId))?.username ?? null });
  });
  router.post('/user-sessions/end', async (request, response) => {
    sendJson(response, 200, {
      ended: await endUserSessions(await receiveJson(request, endSessionsRequestSchema), deps),
    });
  });
  router.post('/user-sessions/history', async (request, response) => {
    sendJson(response, 200, { attempts: await deps.history.of(await receiveJson(request, loginHistoryRequestSchema)) });
  });
}
