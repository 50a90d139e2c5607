import { apiKeyRequestSchemas as schemas } from '@lintel/contracts';
import { receiveJson, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { FeatureFactory } from '../feature.ts';
import { respondInternal } from '../respond-internal.ts';
import type { ApiKeys } from './api-keys.ts';
import { followUsers } from './follow-users.ts';

/** API keys, with which programs of users call the API. */
export const apiKeysFeature: FeatureFactory<'ports' | 'apiKeys' | 'keyStore'> = ({ ports, apiKeys, keyStore }) => ({
  register: ({ internal }) => registerRoutes(internal, apiKeys),
  follow: [() => followUsers(ports.bus, apiKeys)],
  repeated: [[keyStore.purge, 'expired API keys were not removed']],
});

function registerRoutes(router: Router, keys: ApiKeys): void {
  respondInternal(router, '/api-keys/list', schemas.list, ({ username }) => keys.list(username));
  router.post('/api-keys/create', async (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, await keys.create(await receiveJson(request, schemas.create)));
  });
  respondInternal(router, '/api-keys/owner', schemas.owner, async ({ id }) => ({
    username: (await keys.ownerOf(id)) ?? null,
  }));
  respondInternal(router, '/api-keys/end', schemas.end, async ({ id, username, by }) => ({
    ended: await keys.end(id, username, by),
  }));
}
