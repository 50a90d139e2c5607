import { activeSpan, type Logger, nameServerSpan } from '@lintel/telemetry';
import type { Request, RequestHandler, Response } from 'express';
import type { RequestMetrics } from './request-metrics.ts';
import { routeTemplateOf, sessionIdOf, traceOf } from './request-state.ts';

/**
 * One line and one measurement per request: route template, status, duration; in the line the login, too. Never a name, a
 * query string, a body or a path with values in it. Health checks leave no line.
 */
export const logAccess =
  (logger: Logger, metrics: RequestMetrics): RequestHandler =>
  (request, response, next) => {
    const startedAtMs = performance.now();
    metrics.begin();
    const span = activeSpan();
    // Before whoever ends the span at the same moment.
    if (span !== undefined)
      response.prependOnceListener('close', () => nameServerSpan(span, request.method, routeOf(request, response)));
    response.once('close', () => {
      const route = routeOf(request, response);
      metrics.end(request.method, route, response.statusCode, performance.now() - startedAtMs);
      if (!response.writableFinished) metrics.abort();
      if (route.startsWith('/health/')) return;
      const line = {
        method: request.method,
        route,
        status: response.statusCode,
        durationMs: Math.round((performance.now() - startedAtMs) * 10) / 10,
        session: sessionIdOf(response),
        traceId: traceOf(response)?.traceId,
      };
      if (response.writableFinished) logger.info(line, 'request');
      else logger.info({ ...line, aborted: true }, 'request');
    });
    next();
  };

/** `/rest/entities/:entityName/:entityId`, never the ids themselves; `-` where no route matched. */
function routeOf(request: Request, response: Response): string {
  const named = routeTemplateOf(response);
  if (named !== undefined) return named;
  const path: unknown = (request.route as { path?: unknown } | undefined)?.path;
  if (path === undefined) return '-';
  const template = typeof path === 'string' ? `${baseOf(request, path)}${path}` : `${request.baseUrl}${String(path)}`;
  return template.length > 1 && template.endsWith('/') ? template.slice(0, -1) : template;
}

/**
 * Where the router of a route is mounted. Express forgets it when a route has failed: then it is what the path has
 * in front of the route. Paths that routers are mounted at hold no values.
 */
function baseOf({ baseUrl, originalUrl }: Request, path: string): string {
  if (baseUrl !== '' || /[*{]/.test(path)) return baseUrl;
  const [given = ''] = originalUrl.split('?', 1);
  const segments = given.split('/').filter(Boolean);
  const base = segments.slice(0, Math.max(0, segments.length - path.split('/').filter(Boolean).length));
  return base.length === 0 ? '' : `/${base.join('/')}`;
}
