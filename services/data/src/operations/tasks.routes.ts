import { isPlatformError } from '@lintel/errors';
import { contextOf, sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { Engine } from '../feature.ts';
import { receiveOperator } from './receive-operator.ts';
import { withHandlerLetters } from './with-handler-letters.ts';

/** More are not counted. */
const MAX_COUNTED = 1_000;
const FAILED = {
  name: 'lintel_failed_runs',
  text: `SELECT count(*)::int AS count FROM (SELECT FROM job.job WHERE state = 'failed' LIMIT ${MAX_COUNTED}) f`,
  values: [],
};
/** The queue of runs of reports in the background. */
const REPORTS = 'reports.runs';

/** `GET /operations/tasks` (contract/operations.md#tasks): what waits for an operator, as numbers. */
export function registerTasksRoute(router: Router, { ports, config, accessOf }: Engine): void {
  const { database } = ports;
  const events = withHandlerLetters(ports.events, database);
  const guard = receiveOperator(accessOf);
  router.get(`${config.paths.operationsPath}/tasks`, async (request, response) => {
    guard(request, response, 'jobs.read', ['dead-letters.view', 'health.view']);
    const { hasSpecific } = accessOf(contextOf(request, response).principal);
    const failedRuns = async () => (await database.query<{ count: number }>(FAILED))[0]?.count ?? 0;
    const deadLetters = async () => (await events.deadLetters(0)).total;
    const waitingReports = async () => (await ports.events.queues()).find(({ name }) => name === REPORTS)?.events ?? 0;
    const counts = [
      ['failedRuns', 'jobs.read', failedRuns],
      ['deadLetters', 'dead-letters.view', deadLetters],
      ['waitingReports', 'health.view', waitingReports],
    ] as const;
    const permitted = counts.filter(([, permission]) => hasSpecific(permission));
    const found = await Promise.all(
      permitted.map(async ([name, , count]) => [name, await count().catch(unknownWithoutBroker)] as const),
    );
    sendJson(response, 200, Object.fromEntries(found));
  });
}

function unknownWithoutBroker(error: unknown): null {
  if (isPlatformError(error) && error.code === 'BUS_UNAVAILABLE') return null;
  throw error;
}
