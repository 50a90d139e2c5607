import { PlatformError } from '@lintel/errors';
import { contextOf, disconnectSignal, sendJson } from '@lintel/http';
import { keyInSql, parseEntityId, parseRead } from '@lintel/query';
import { prepareRead, readOne } from '@lintel/reading';
import { assertStrongLogin } from '@lintel/security';
import type { Router } from 'express';
import type { Engine, FeatureFactory } from '../feature.ts';
import { CHOOSE_OWNER } from './definitions/webhook-listeners.ts';

/** The deliveries of webhooks and test messages; the engine has their listeners. */
export const webhooksFeature: FeatureFactory = (engine) => ({
  register: ({ rest }) => registerRoutes(rest, engine),
  start: () => engine.webhooks.start(),
  close: () => engine.webhooks.stop(),
});

const ENTITY = 'sys_Webhook';
const DENIED = 'User is not allowed to change this webhook';

/** `POST /operations/webhooks/:webhookId/test` (contract/operations.md#webhook-test). */
function registerRoutes(router: Router, { config, webhooks, accessOf, read }: Engine): void {
  const { sendTestMessage } = webhooks;
  router.post(`${config.paths.operationsPath}/webhooks/:webhookId/test`, async (request, response) => {
    const { principal } = contextOf(request, response);
    const signal = disconnectSignal(response);
    const access = accessOf(principal);
    if (!access.allows(ENTITY, 'update')) {
      assertStrongLogin(access, (stronger) => stronger.allows(ENTITY, 'update'));
      throw new PlatformError('ACCESS_DENIED', DENIED);
    }
    const { webhookId = '' } = request.params;
    const model = read.currentModel();
    const entity = model.entities.get(ENTITY);
    if (entity === undefined) throw new PlatformError('MODEL_ENTITY_NOT_FOUND', `Entity ${ENTITY} not found`);
    const parsed = parseRead(
      { operation: 'instance', entityName: ENTITY, members: {} },
      read.limits,
      read.limitsOf(principal),
    );
    const prepared = prepareRead(parsed, model, read.loadAccess(principal), read);
    const id = keyInSql(model, entity, parseEntityId(model, entity, webhookId));
    const found = await readOne(prepared, id, read.database, signal);
    if (found === undefined) throw notFound(webhookId);
    const { owner } = JSON.parse(found.json) as { readonly owner?: unknown };
    if ((principal.kind !== 'user' || owner !== principal.username) && !access.hasSpecific(CHOOSE_OWNER))
      throw new PlatformError('ACCESS_DENIED', DENIED);
    if (sendTestMessage === undefined)
      throw new PlatformError('REQ_NOT_FOUND', 'Webhooks are switched off (svc.webhooks.enabled)');
    const result = await sendTestMessage(webhookId, signal);
    if (result === undefined) throw notFound(webhookId);
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, result);
  });
}

const notFound = (id: string): PlatformError =>
  new PlatformError('DATA_INSTANCE_NOT_FOUND', `Entity ${ENTITY} with id ${id} not found`);
