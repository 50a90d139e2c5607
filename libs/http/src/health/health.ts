import type { RequestListener } from 'node:http';
import type { Express } from 'express';
import { sendJson } from '../responses/send-error.ts';
import { isDraining } from './draining.ts';
import { askReadiness, type Readiness } from './readiness.ts';

export interface HealthOptions {
  readonly service: string;
  readonly readiness: Readiness;
  /** The applications whose end of service is not ready any more. */
  readonly apps: readonly RequestListener[];
  /** Whether answers say why a check is down: not where strangers may ask. */
  readonly tellsReasons: boolean;
}

/** `/health/live` says that the event loop turns; `/health/ready` asks what the service owns. */
export function routeHealth(app: Express, { service, readiness, apps, tellsReasons }: HealthOptions): void {
  app.get('/health/live', (_request, response) => sendJson(response, 200, { service, status: 'live' }));
  app.get('/health/ready', async (_request, response) => {
    const results = await askReadiness(readiness);
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
      ...(tellsReasons && { reasons }),
    });
  });
}
