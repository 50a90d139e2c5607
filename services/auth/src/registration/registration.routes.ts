import { clientAddressOf, readBody, refuseMethod } from '@lintel/http';
import type { Request, Router } from 'express';
import { methodNotSupported } from '../tokens/oauth/refusals.ts';
import { oauthHandler, sendOAuthJson } from '../tokens/oauth/send-oauth.ts';
import type { ClientRegistration, RegistrationCall } from './client-registration.ts';
import { invalidMetadata, REGISTRATION_PATH } from './registration-metadata.ts';

const MAX_BODY_BYTES = 32 * 1024;

/** Routes of dynamic registration, which exist only where it is switched on. */
export function registerRegistrationRoutes(router: Router, registration: ClientRegistration): void {
  const one = `${REGISTRATION_PATH}/:clientId`;
  router.post(
    REGISTRATION_PATH,
    oauthHandler(async (request, response) => {
      sendOAuthJson(response, 201, JSON.stringify(await registration.register(callOf(request))));
    }),
  );
  router.get(
    one,
    oauthHandler(async (request, response) => {
      sendOAuthJson(response, 200, JSON.stringify(await registration.read(callOf(request), idOf(request))));
    }),
  );
  router.put(
    one,
    oauthHandler(async (request, response) => {
      sendOAuthJson(response, 200, JSON.stringify(await registration.replace(callOf(request), idOf(request))));
    }),
  );
  router.delete(
    one,
    oauthHandler(async (request, response) => {
      await registration.remove(callOf(request), idOf(request));
      response.status(204).end();
    }),
  );
  for (const [path, served] of [
    [REGISTRATION_PATH, ['POST']],
    [one, ['GET', 'PUT', 'DELETE']],
  ] as const)
    router.all(
      path,
      oauthHandler(async (request, response) => {
        request.resume();
        refuseMethod(request, response, served, methodNotSupported);
      }),
    );
}

const callOf = (request: Request): RegistrationCall => ({
  authorization: request.headers.authorization,
  address: clientAddressOf(request),
  body: () => receive(request),
});

const idOf = ({ params }: Request): string => String(params['clientId'] ?? '');

async function receive(request: Request): Promise<unknown> {
  try {
    return JSON.parse((await readBody(request, MAX_BODY_BYTES)).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidMetadata('The body is not JSON');
    throw error;
  }
}
