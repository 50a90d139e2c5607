import { apiKeyRequestSchemas as schemas } from '@lintel/contracts';
import { receiveJson, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { ApiKeys } from './api-keys.ts';

/** Routes of the internal listener for API keys; the callers have the shared secret. */
export function registerApiKeyRoutes(router: Router, keys: ApiKeys): void {
  router.post('/api-keys/list', async (request, response) => {
    const { username } = await receiveJson(request, schemas.list);
    sendJson(response, 200, await keys.list(username));
  });
  router.post('/api-keys/create', async (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, await keys.create(await receiveJson(request, schemas.create)));
  });
  router.post('/api-keys/owner', async (request, response) => {
    const { id } = await receiveJson(request, schemas.owner);
    sendJson(response, 200, { username: (await keys.ownerOf(id)) ?? null });
  });
  router.post('/api-keys/end', async (request, response) => {
    const { id, username, by } = await receiveJson(request, schemas.end);
    sendJson(response, 200, { ended: await keys.end(id, username, by) });
  });
}
