import { clientRequestSchemas as schemas } from '@lintel/contracts';
import { receiveJson, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { ClientAdministration } from './administer-clients.ts';

/** Routes of the internal listener for the administration of clients; the callers have the shared secret. */
export function registerClientRoutes(router: Router, administration: ClientAdministration): void {
  router.post('/clients/list', async (request, response) => {
    const { limit, offset } = await receiveJson(request, schemas.list);
    sendJson(response, 200, administration.list(limit, offset));
  });
  router.post('/clients/get', async (request, response) => {
    const { clientId } = await receiveJson(request, schemas.get);
    sendJson(response, 200, await administration.get(clientId));
  });
  router.post('/clients/create', async (request, response) => {
    const { caller, client } = await receiveJson(request, schemas.create);
    sendJson(response, 200, await administration.create(caller, client));
  });
  router.post('/clients/update', async (request, response) => {
    const { caller, clientId, client } = await receiveJson(request, schemas.update);
    sendJson(response, 200, await administration.update(caller, clientId, client));
  });
  router.post('/clients/remove', async (request, response) => {
    const { caller, clientId } = await receiveJson(request, schemas.remove);
    await administration.remove(caller, clientId);
    sendJson(response, 200, {});
  });
  router.post('/clients/create-secret', async (request, response) => {
    const { caller, clientId, secret } = await receiveJson(request, schemas['create-secret']);
    sendJson(response, 200, await administration.createSecret(caller, clientId, secret));
  });
  router.post('/clients/remove-secret', async (request, response) => {
    const { caller, clientId, secretId } = await receiveJson(request, schemas['remove-secret']);
    await administration.removeSecret(caller, clientId, secretId);
    sendJson(response, 200, {});
  });
}
