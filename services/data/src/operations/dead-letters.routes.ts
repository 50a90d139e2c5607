import { INTEGERS } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { KeyedDeadLetter } from '@lintel/events';
import { contextOf, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { Engine } from '../feature.ts';
import { numberOf } from '../receiving/receive-number.ts';
import { receiveOperator } from './receive-operator.ts';
import { receivePathValue } from './receive-path-value.ts';
import { withHandlerLetters } from './with-handler-letters.ts';

const unknown = (): PlatformError => new PlatformError('REQ_NOT_FOUND', 'There is no such dead letter');

/** Dead letters (contract/operations.md#dead-letters). Their content needs a permission of its own: it has values. */
export function registerDeadLettersRoutes(router: Router, { ports, config, accessOf }: Engine): void {
  const path = config.paths.operationsPath;
  const { logger, database } = ports;
  const events = withHandlerLetters(ports.events, database);
  const guard = receiveOperator(accessOf);
  router.get(`${path}/dead-letters`, async (request, response) => {
    guard(request, response, 'dead-letters.view');
    const limit = numberOf(request, INTEGERS.deadLetters);
    const { letters, total } = await events.deadLetters(limit);
    sendJson(response, 200, { total, letters: letters.map(toJson) });
  });
  router.get(`${path}/dead-letters/:key`, async (request, response) => {
    guard(request, response, 'dead-letters.content.view');
    const letter = await events.deadLetter(receivePathValue(request, 'key'));
    if (letter === undefined) throw unknown();
    const { content, isTruncated } = letter;
    sendJson(response, 200, { ...toJson(letter), content, truncated: isTruncated });
  });
  router.post(`${path}/dead-letters/:key/retry`, async (request, response) => {
    guard(request, response, 'dead-letters.manage');
    const key = receivePathValue(request, 'key');
    const outcome = await events.retry(key);
    if (outcome === 'unknown') throw unknown();
    if (outcome === 'no-queue')
      throw new PlatformError('BUS_QUEUE_GONE', 'The queue of the event does not exist any more; the letter is kept');
    logger.info({ deadLetter: key, by: contextOf(request, response).principal.sessionId }, 'dead letter retried');
    response.status(204).end();
  });
  router.delete(`${path}/dead-letters/:key`, async (request, response) => {
    guard(request, response, 'dead-letters.manage');
    const key = receivePathValue(request, 'key');
    if (!(await events.discard(key))) throw unknown();
    logger.info({ deadLetter: key, by: contextOf(request, response).principal.sessionId }, 'dead letter discarded');
    response.status(204).end();
  });
}

const toJson = ({ key, service, id, type, subject, queue, reason, time }: KeyedDeadLetter) => ({
  key,
  service,
  id: id ?? null,
  type: type ?? null,
  subject: subject ?? null,
  queue: queue ?? null,
  reason: reason ?? null,
  time: time?.toISOString() ?? null,
});
