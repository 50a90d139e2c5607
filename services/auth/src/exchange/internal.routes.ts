import { exchangeRequestSchema, serviceTokenRequestSchema, sessionLocaleRequestSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { hasBearerSecret, readBody, sendJson } from '@lintel/http';
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import type { KeyRotation } from '../keys/rotate-keys.ts';
import type { SessionKeeper } from '../sessions/session-keeper.ts';
import { type ExchangeDeps, exchangeAnonymous, exchangeToken } from './exchange-token.ts';
import { issueServiceToken, type ServiceTokenDeps } from './issue-service-token.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** `retireOthers` where the former keys are no secret any longer. */
const rotationSchema = z.object({ retireOthers: z.boolean().default(false) });

/** What services and administrators of the machines ask auth for; only callers that know the shared secret. */
export function registerInternalRoutes(
  router: Router,
  internalSecret: string,
  deps: ExchangeDeps &
    ServiceTokenDeps & {
      readonly keeper: Pick<SessionKeeper, 'changeLocale'>;
      readonly rotation: Pick<KeyRotation, 'rotate'>;
    },
): void {
  router.use(requireSecret(internalSecret));
  router.post('/exchange', async (request, response) => {
    const body = await readJson(request, exchangeRequestSchema);
    answer(response, 'token' in body ? await exchangeToken(body.token, deps) : await exchangeAnonymous(deps));
  });
  router.post('/service-tokens', async (request, response) => {
    answer(response, await issueServiceToken(await readJson(request, serviceTokenRequestSchema), deps));
  });
  router.post('/keys/rotate', async (request, response) => {
    const { retireOthers } = await readJson(request, rotationSchema);
    answer(response, { kid: await deps.rotation.rotate({ retireOthers }) });
  });
  router.post('/session-locale', async (request, response) => {
    const { sessionId, locale } = await readJson(request, sessionLocaleRequestSchema);
    response.status((await deps.keeper.changeLocale(sessionId, locale)) ? 204 : 404).end();
  });
}

/** A 401 without `reason` tells the caller that its own secret is wrong, not the user's token. */
const requireSecret =
  (internalSecret: string): RequestHandler =>
  (request, response, next) => {
    if (hasBearerSecret(request.headers.authorization, internalSecret)) next();
    else {
      request.resume();
      sendJson(response, 401, { error: 'unauthorized', error_description: 'The shared secret is missing or wrong' });
    }
  };

function answer(response: Response, result: object): void {
  response.setHeader('Cache-Control', 'no-store');
  sendJson(response, 'reason' in result ? 401 : 200, result);
}

async function readJson<S extends z.ZodType>(request: Request, schema: S): Promise<z.infer<S>> {
  const text = (await readBody(request, MAX_BODY_BYTES)).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PlatformError('REQ_MALFORMED_JSON', 'The body is not JSON', { cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new PlatformError('REQ_INVALID_PARAMETER', parsed.error.issues.map(({ message }) => message).join('; '));
  return parsed.data;
}
