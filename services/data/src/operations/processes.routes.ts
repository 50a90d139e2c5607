import { INTEGERS } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { Engine } from '../feature.ts';
import { numberOf } from '../receiving/receive-number.ts';
import { readBacklogs } from './read-backlogs.ts';
import { receiveOperator } from './receive-operator.ts';
import { receivePathValue } from './receive-path-value.ts';

/** The state of all processes, of the queues and of what waits (contract/operations.md#processes). */
export function registerProcessesRoutes(router: Router, { ports, config, accessOf }: Engine): void {
  const path = config.paths.operationsPath;
  const { processes, events, database } = ports;
  const guard = receiveOperator(accessOf);
  router.get(`${path}/processes`, async (request, response) => {
    guard(request, response, 'health.view');
    sendJson(response, 200, await processes.list());
  });
  router.get(`${path}/processes/:processId/settings`, async (request, response) => {
    guard(request, response, 'configuration.view');
    const settings = await processes.settingsOf(receivePathValue(request, 'processId'));
    if (settings === undefined) throw new PlatformError('REQ_NOT_FOUND', 'There is no such process');
    sendJson(response, 200, settings);
  });
  router.get(`${path}/queues`, async (request, response) => {
    guard(request, response, 'health.view');
    const [queues, backlogs] = await Promise.all([events.queues(), readBacklogs(database)]);
    sendJson(response, 200, { queues, ...backlogs });
  });
  router.get(`${path}/slow-statements`, async (request, response) => {
    guard(request, response, 'statements.view');
    const limit = numberOf(request, INTEGERS.slowStatements);
    sendJson(response, 200, (await processes.statements()).slice(0, limit));
  });
}
