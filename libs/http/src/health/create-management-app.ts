import type { RequestListener } from 'node:http';
import { PlatformError } from '@lintel/errors';
import type { RunningMetrics } from '@lintel/telemetry';
import express, { type Express } from 'express';
import { sendError, sendJson } from '../responses/send-error.ts';
import { routeHealth } from './health.ts';
import type { Readiness } from './readiness.ts';

export interface ManagementAppOptions {
  readonly service: string;
  readonly readiness: Readiness;
  /** The applications of this process; when one of them drains, the process is not ready. */
  readonly apps: readonly RequestListener[];
  readonly metrics: Pick<RunningMetrics, 'render'>;
  /** Returns the body of `/health/services`, where the process knows other services. */
  readonly askServices?: (() => Promise<{ readonly status: string }>) | undefined;
}

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The application of the management listener, for a port that only operators reach: `/health/live`, `/health/ready`
 * with reasons, `/health/services` at the gateway, `/metrics` for Prometheus. Its requests are not logged.
 */
export function createManagementApp(options: ManagementAppOptions): Express {
  const { metrics, askServices } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  routeHealth(app, { ...options, includesReasons: true });
  if (askServices !== undefined)
    app.get('/health/services', async (_request, response) => {
      const health = await askServices();
      response.setHeader('Cache-Control', 'no-store');
      sendJson(response, health.status === 'ready' ? 200 : 503, health);
    });
  app.get('/metrics', async (_request, response) => {
    const text = await metrics.render();
    response.setHeader('Content-Type', PROMETHEUS_TEXT);
    response.setHeader('Cache-Control', 'no-store');
    response.end(text);
  });
  app.use((request, response) =>
    sendError(response, new PlatformError('REQ_NOT_FOUND', `There is nothing at ${request.path}`)),
  );
  return app;
}
