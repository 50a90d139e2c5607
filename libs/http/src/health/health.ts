import type { RequestListener } from 'node:http';
import type { Express } from 'express';
import { sendJson } from '../responses/send-error.ts';
import { isDraining } from './draining.ts';
import { checkReadiness, type Readiness } from './readiness.ts';

export interface HealthOptions {
  readonly service: string;
  readonly readiness: Readiness;
  /** The applications of this process; when one of them drains, the process is not ready. */
  readonly apps: readonly RequestListener[];
  /** Whether responses have the reasons of failed checks; not on listeners that clients reach. */
  readonly includesReasons: boolean;
}

/** `/health/live` shows that the event loop runs; `/health/ready` runs the checks of the service. */
export function routeHealth(app: Express, { service, readiness, apps, includesReasons }: HealthOptions): void {
  app.get('/health/live', (_request, response) => sendJson(response, 200, { service, status: 'live' }));
  app.get('/health/ready', async (_request, response) => {
    const results = await checkReadiness(readiness);
    const isStopping = apps.some(isDraining);
    const ready = !isStopping && Object.values(results).every(({ status }) => status !== 'down');
    const checks = Object.fromEntries(Object.entries(results).map(([name, { status }]) => [name, status]));
    const reasons = Object.fromEntries(
      Object.entries(results).flatMap(([name, { reason }]) => (reason === undefined ? [] : [[name, reason]])),
    );
    if (isStopping) Object.assign(reasons, { service: 'it is stopping' });
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, ready ? 200 : 503, {
      service,
      status: ready ? 'ready' : 'not ready',
      checks,
      ...(includesReasons && { reasons }),
    });
  });
}
