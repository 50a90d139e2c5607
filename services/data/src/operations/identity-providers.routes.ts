import { identityProvidersResponseSchema, testProviderResponseSchema } from '@lintel/contracts';
import { sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { Engine } from '../feature.ts';
import { receiveOperator } from './receive-operator.ts';
import { receivePathValue } from './receive-path-value.ts';

/** No configured name is longer: auth refuses it at its start. */
const MAX_NAME_LENGTH = 64;

/** Identity providers and directories of the configuration (contract/operations.md#identity-providers). */
export function registerIdentityProvidersRoutes(router: Router, { ports, config, accessOf }: Engine): void {
  const path = config.paths.operationsPath;
  const auth = ports.authAdministration;
  const guard = receiveOperator(accessOf);
  router.get(`${path}/identity-providers`, async (request, response) => {
    guard(request, response, 'identity-providers.view');
    const { providers } = identityProvidersResponseSchema.parse(await auth.call('identity-providers/list', {}));
    sendJson(response, 200, providers);
  });
  router.post(`${path}/identity-providers/:name/test`, async (request, response) => {
    guard(request, response, 'identity-providers.test');
    const name = receivePathValue(request, 'name').slice(0, MAX_NAME_LENGTH);
    sendJson(response, 200, testProviderResponseSchema.parse(await auth.call('identity-providers/test', { name })));
  });
}
