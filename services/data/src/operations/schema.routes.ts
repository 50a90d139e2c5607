import { sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { Engine } from '../feature.ts';
import { createSchemaState } from './create-schema-state.ts';
import { receiveOperator } from './receive-operator.ts';

/** Migrations and drift (contract/operations.md#schema). */
export function registerSchemaRoutes(router: Router, { ports, config, accessOf }: Engine): void {
  const schemaState = createSchemaState(ports.application, config);
  const path = config.paths.operationsPath;
  const guard = receiveOperator(accessOf);
  router.get(`${path}/schema`, async (request, response) => {
    guard(request, response, 'schema.view');
    sendJson(response, 200, await schemaState());
  });
}
