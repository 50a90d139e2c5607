import { sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { SchemaState } from './create-schema-state.ts';
import type { OperatorGuard } from './receive-operator.ts';

export interface SchemaOptions {
  /** Prefix below the router: `/operations`. */
  readonly path: string;
  readonly guard: OperatorGuard;
  readonly schemaState: () => Promise<SchemaState>;
}

/** Migrations and drift (contract/operations.md#schema). */
export function registerSchemaRoutes(router: Router, { path, guard, schemaState }: SchemaOptions): void {
  router.get(`${path}/schema`, async (request, response) => {
    guard(request, response, 'schema.view');
    sendJson(response, 200, await schemaState());
  });
}
