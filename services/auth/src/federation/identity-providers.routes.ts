import { testProviderRequestSchema } from '@lintel/contracts';
import type { ProviderAdministration } from '@lintel/federation';
import { receiveJson, sendJson } from '@lintel/http';
import type { Router } from 'express';

/** Routes of the internal listener for identity providers; the callers have the shared secret. */
export function registerIdentityProviderRoutes(router: Router, { providers, tests }: ProviderAdministration): void {
  router.post('/identity-providers/list', (request, response) => {
    request.resume();
    sendJson(response, 200, { providers });
  });
  router.post('/identity-providers/test', async (request, response) => {
    const { name } = await receiveJson(request, testProviderRequestSchema);
    sendJson(response, 200, await tests.run(name));
  });
}
