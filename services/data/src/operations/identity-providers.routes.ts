import { identityProvidersResponseSchema, testProviderResponseSchema } from '@lintel/contracts';
import { sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { AuthAdministration } from '../identity/auth-administration.ts';
import type { OperatorGuard } from './receive-operator.ts';
import { receivePathValue } from './receive-path-value.ts';

export interface IdentityProvidersOptions {
  /** Prefix below the router: `/operations`. */
  readonly path: string;
  readonly guard: OperatorGuard;
  readonly auth: AuthAdministration;
}

/** No configured name is longer: auth refuses it at its start. */
const MAX_NAME_LENGTH = 64;

/** Identity providers and directories of the configuration (contract/operations.md#identity-providers). */
export function registerIdentityProvidersRoutes(router: Router, { path, guard, auth }: IdentityProvidersOptions): void {
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
