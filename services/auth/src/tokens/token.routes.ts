import { clientAddressOf, refuseMethod } from '@lintel/http';
import type { FormReceiver } from '@lintel/login';
import type { Request, Response, Router } from 'express';
import { DEVICE_GRANT } from '../clients/client-settings.ts';
import type { Clock } from '../ports.ts';
import { isResource, resourceOf } from './discovery/resource.ts';
import { type IntrospectDeps, introspectToken } from './introspection/introspect-token.ts';
import { type RevokeDeps, revokeToken } from './introspection/revoke-token.ts';
import { readForm } from './oauth/form.ts';
import type { EndpointFamily } from './oauth/oauth-failure.ts';
import { grantTypeNotAllowed, invalidTarget, methodNotSupported } from './oauth/refusals.ts';
import { oauthHandler, sendOAuthJson } from './oauth/send-oauth.ts';
import {
  assertGrantParameters,
  authenticateClient,
  type CheckedTokenRequest,
  type ClientAuthentication,
  grantTypeOf,
  scopesOf,
} from './token-request.ts';

export interface TokenRoutesDeps extends RevokeDeps, IntrospectDeps {
  /** Whether the password grant is refused (`svc.security.profile`). */
  readonly isHardened: boolean;
  readonly forms: FormReceiver;
  readonly clock: Clock;
  readonly authentication: ClientAuthentication;
  /**
   * Of the key that the request proves to have; undefined without a proof.
   *
   * @throws OAuthFailure invalid_dpop_proof
   */
  readonly thumbprintOf: (request: Request) => Promise<string | undefined>;
  /** Passes a checked token request to the OAuth provider, which responds. */
  readonly issue: (request: Request, response: Response, checked: CheckedTokenRequest) => Promise<void>;
  /** Passes the request of a device for a code to the OAuth provider, which responds. */
  readonly authorizeDevice: (
    request: Request,
    response: Response,
    checked: CheckedTokenRequest,
    scope: string,
  ) => Promise<void>;
}

interface ClientRequest extends CheckedTokenRequest {
  readonly request: Request;
  readonly response: Response;
}

const MAX_FORM_BYTES = 56 * 1024;

/** Routes of the OAuth endpoints that receive forms, at both prefixes (contract/decisions.md#24). */
export function registerTokenRoutes(router: Router, deps: TokenRoutesDeps): void {
  const post = (path: string, handle: (request: ClientRequest) => Promise<void>): void => {
    const family: EndpointFamily = path.startsWith('/oauth2/') ? 'oauth2' : 'oauth';
    router.post(
      path,
      oauthHandler(async (request, response) => handle(await receive(family, request, response, deps))),
    );
    router.all(
      path,
      oauthHandler(async (request, response) => {
        request.resume();
        refuseMethod(request, response, ['POST'], methodNotSupported);
      }),
    );
  };
  for (const prefix of ['/oauth', '/oauth2']) {
    post(`${prefix}/token`, async ({ request, response, ...checked }) => {
      const { family, client, form } = checked;
      // `/oauth/token` has ignored the parameter always.
      if (family === 'oauth2' && !isResource(form.all('resource'), deps.issuer))
        throw invalidTarget(resourceOf(deps.issuer));
      assertGrantParameters(family, form, grantTypeOf(family, form, client, deps.isHardened));
      const thumbprint = family === 'oauth2' ? await deps.thumbprintOf(request) : undefined;
      await deps.issue(request, response, { ...checked, thumbprint });
    });
    post(`${prefix}/revoke`, async ({ response, family, client, form }) => {
      await revokeToken(family, client, form, deps);
      response.setHeader('Content-Length', 0);
      response.status(200).end();
    });
  }
  post('/oauth2/device_authorization', async ({ request, response, ...checked }) => {
    const { family, client, form } = checked;
    if (!client.grantTypes.has(DEVICE_GRANT)) throw grantTypeNotAllowed(family);
    const scope = scopesOf(family, form, client).join(' ');
    await deps.authorizeDevice(request, response, checked, scope);
  });
  post('/oauth2/introspect', async ({ response, client, form }) => {
    sendOAuthJson(response, 200, JSON.stringify(await introspectToken(client, form, deps)));
  });
}

/** receive → read the form → authenticate the client. */
async function receive(
  family: EndpointFamily,
  request: Request,
  response: Response,
  { forms, authentication, isHardened, clock }: TokenRoutesDeps,
): Promise<ClientRequest> {
  const receivedAtMs = clock.now();
  const body = await forms.receive(request, MAX_FORM_BYTES);
  const start = request.originalUrl.indexOf('?');
  const query = start < 0 ? '' : request.originalUrl.slice(start + 1);
  const form = readForm({ family, contentType: request.headers['content-type'], body, query, isHardened });
  const { authorization } = request.headers;
  const client = await authenticateClient(
    { family, authorization, form, address: clientAddressOf(request) },
    authentication,
  );
  return { request, response, receivedAtMs, family, client, form };
}
