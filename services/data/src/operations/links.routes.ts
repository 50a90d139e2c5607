import { sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { Engine } from '../feature.ts';
import { receiveOperator } from './receive-operator.ts';

/** Where dashboards and traces are (contract/operations.md#links). */
export function registerLinksRoute(router: Router, { config, accessOf }: Engine): void {
  const path = config.paths.operationsPath;
  const guard = receiveOperator(accessOf);
  const { dashboards = null, traces = null } = config.links;
  router.get(`${path}/links`, (request, response) => {
    guard(request, response, 'health.view');
    sendJson(response, 200, { dashboards, traces });
  });
}
