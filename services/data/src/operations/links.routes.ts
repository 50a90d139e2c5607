import { sendJson } from '@lintel/http';
import type { Router } from 'express';
import type { LinkSettings } from './link-settings.ts';
import type { OperatorGuard } from './receive-operator.ts';

export interface LinksOptions {
  /** Prefix below the router: `/operations`. */
  readonly path: string;
  readonly guard: OperatorGuard;
  readonly links: LinkSettings;
}

/** Where dashboards and traces are (contract/operations.md#links). */
export function registerLinksRoute(router: Router, { path, guard, links }: LinksOptions): void {
  const { dashboards = null, traces = null } = links;
  router.get(`${path}/links`, (request, response) => {
    guard(request, response, 'health.view');
    sendJson(response, 200, { dashboards, traces });
  });
}
