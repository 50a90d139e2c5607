import {
  actorSchema,
  type ExchangeRefused,
  type ExchangeRequest,
  type ExchangeResponse,
  exchangeRequestSchema,
  serviceTokenRequestSchema,
  sessionAttributesRequestSchema,
  sessionLocaleRequestSchema,
} from '@lintel/contracts';
import { hasBearerSecret, receiveJson, sendJson } from '@lintel/http';
import { ACTOR_HEADER, type Actor, noteActor } from '@lintel/telemetry';
import type { RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import type { KeyRotation } from '../keys/rotate-keys.ts';
import type { SessionService } from '../sessions/session-service.ts';
import { type ExchangeDeps, exchangeAnonymous, exchangeTicket, exchangeToken } from './exchange-token.ts';
import { issueServiceToken, type ServiceTokenDeps } from './issue-service-token.ts';

/**
 * `retireOthers`: the former keys have been disclosed. A misspelt member is refused, since a rotation without it would
 * leave them valid.
 */
const rotationSchema = z.strictObject({ retireOthers: z.boolean('retireOthers must be true or false').default(false) });

/** Refuses callers without the shared secret at all routes that the router gets later, and notes whom the others name. */
export function requireInternalCaller(router: Router, internalSecret: string): void {
  router.use(requireSecret(internalSecret));
  router.use((request, _response, next) => {
    const actor = actorIn(request.headers[ACTOR_HEADER]);
    if (actor !== undefined) noteActor(() => actor);
    next();
  });
}

/** Routes for services and operators, which authenticate with the shared secret. */
export function registerInternalRoutes(
  router: Router,
  deps: ExchangeDeps &
    ServiceTokenDeps & {
      readonly sessionService: Pick<SessionService, 'changeLocale' | 'changeAttributes' | 'completeLogin'>;
      readonly rotation: Pick<KeyRotation, 'rotate'>;
    },
): void {
  router.post('/exchange', async (request, response) => {
    const body = await receiveJson(request, exchangeRequestSchema);
    sendResult(response, await exchange(body, deps));
  });
  router.post('/service-tokens', async (request, response) => {
    sendResult(response, await issueServiceToken(await receiveJson(request, serviceTokenRequestSchema), deps));
  });
  router.post('/keys/rotate', async (request, response) => {
    const { retireOthers } = await receiveJson(request, rotationSchema);
    sendResult(response, { kid: await deps.rotation.rotate({ retireOthers }) });
  });
  router.post('/session-locale', async (request, response) => {
    const { sessionId, locale } = await receiveJson(request, sessionLocaleRequestSchema);
    response.status((await deps.sessionService.changeLocale(sessionId, locale)) ? 204 : 404).end();
  });
  router.post('/session-attributes', async (request, response) => {
    const { sessionId, attributes, ofLogin } = await receiveJson(request, sessionAttributesRequestSchema);
    const { sessionService } = deps;
    const isChanged = ofLogin
      ? await sessionService.completeLogin(sessionId, attributes)
      : await sessionService.changeAttributes(sessionId, attributes);
    response.status(isChanged ? 204 : 404).end();
  });
}

function exchange(body: ExchangeRequest, deps: ExchangeDeps): Promise<ExchangeResponse | ExchangeRefused> {
  if ('token' in body) return exchangeToken(body, deps);
  return 'ticket' in body ? exchangeTicket(body.ticket, body, deps) : exchangeAnonymous(deps);
}

/** Whom a service names as the caller, for security events; a wrong header names nobody. */
function actorIn(header: string | readonly string[] | undefined): Actor | undefined {
  if (typeof header !== 'string') return undefined;
  try {
    return actorSchema.safeParse(JSON.parse(decodeURIComponent(header))).data;
  } catch {
    return undefined;
  }
}

/** A 401 without `reason` means that the secret of the caller is wrong, not the token of the user. */
const requireSecret =
  (internalSecret: string): RequestHandler =>
  (request, response, next) => {
    if (hasBearerSecret(request.headers.authorization, internalSecret)) next();
    else {
      request.resume();
      sendJson(response, 401, { error: 'unauthorized', error_description: 'The shared secret is missing or wrong' });
    }
  };

function sendResult(response: Response, result: object): void {
  response.setHeader('Cache-Control', 'no-store');
  sendJson(response, 'reason' in result ? 401 : 200, result);
}
