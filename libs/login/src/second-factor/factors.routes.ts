import { confirmAppRequestSchema, removeFactorsRequestSchema, secondFactorsRequestSchema } from '@lintel/contracts';
import { receiveJson, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { FactorAdministration } from './factors/factor-administration.ts';

/** Routes of the internal listener for the second factors of users; the callers have the shared secret. */
export function registerFactorRoutes(router: Router, administration: FactorAdministration): void {
  router.post('/second-factors', async (request, response) => {
    const { username } = await receiveJson(request, secondFactorsRequestSchema);
    sendJson(response, 200, await administration.list(username));
  });
  router.post('/second-factors/offer', async (request, response) => {
    const { username } = await receiveJson(request, secondFactorsRequestSchema);
    sendJson(response, 200, await administration.offer(username));
  });
  router.post('/second-factors/confirm', async (request, response) => {
    sendJson(response, 200, await administration.confirm(await receiveJson(request, confirmAppRequestSchema)));
  });
  router.post('/second-factors/remove', async (request, response) => {
    sendJson(response, 200, await administration.remove(await receiveJson(request, removeFactorsRequestSchema)));
  });
  router.post('/second-factors/recovery-codes', async (request, response) => {
    const { username } = await receiveJson(request, secondFactorsRequestSchema);
    sendJson(response, 200, { recoveryCodes: await administration.renewRecoveryCodes(username) });
  });
}
