import type { ProcessDirectory } from '@lintel/cache';
import { INTEGERS } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { EventAdministration } from '@lintel/events';
import { sendJson } from '@lintel/http';
import type { Database } from '@lintel/persistence';
import type { Router } from 'express';
import { numberOf } from '../receiving/receive-number.ts';
import { readBacklogs } from './read-backlogs.ts';
import type { OperatorGuard } from './receive-operator.ts';
import { receivePathValue } from './receive-path-value.ts';

export interface ProcessesOptions {
  /** Prefix below the router: `/operations`. */
  readonly path: string;
  readonly guard: OperatorGuard;
  readonly processes: ProcessDirectory;
  readonly events: EventAdministration;
  readonly database: Pick<Database, 'query'>;
}

/** The state of all processes, of the queues and of what waits (contract/operations.md#processes). */
export function registerProcessesRoutes(router: Router, options: ProcessesOptions): void {
  const { path, guard, processes, events, database } = options;
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
