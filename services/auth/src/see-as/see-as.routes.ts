import { seeAsRequestSchemas as schemas } from '@lintel/contracts';
import { receiveJson, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { SeeAs } from './see-as.ts';

/** Routes of the internal listener for sessions that see as another user; the callers have the shared secret. */
export function registerSeeAsRoutes(router: Router, seeAs: SeeAs): void {
  router.post('/see-as/begin', async (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, await seeAs.begin(await receiveJson(request, schemas.begin)));
  });
  router.post('/see-as/end', async (request, response) => {
    const { sessionId } = await receiveJson(request, schemas.end);
    await seeAs.end(sessionId);
    sendJson(response, 200, {});
  });
}
