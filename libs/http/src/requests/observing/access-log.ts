import type { IncomingMessage, ServerResponse } from 'node:http';
import { activeSpan, beginWork, endWork, type Logger, nameServerSpan, type RequestLine } from '@lintel/telemetry';
import type { Request } from 'express';
import { routeTemplateOf, sessionIdOf, traceOf } from '../context/request-state.ts';
import type { RequestMetrics } from './request-metrics.ts';

/** Express sets what it knows of the route. */
type LoggedRequest = IncomingMessage & Partial<Pick<Request, 'params' | 'route' | 'baseUrl' | 'originalUrl'>>;

/**
 * Writes one line and one measurement per request: route template, status, duration; the line also has the session.
 * Never a name, a query string, a body or a path with values. Health checks are not logged.
 */
export const logAccess = (logger: Logger, metrics: RequestMetrics) => {
  const write = requestLinesOf(logger);
  return (request: LoggedRequest, response: ServerResponse, next: () => void): void => {
    const startedAtMs = performance.now();
    metrics.begin();
    const work = beginWork({ startedAtMs, describe: () => shapeOf(request, response) });
    const span = activeSpan();
    // Must run before the listener that ends the span on the same event.
    if (span !== undefined)
      response.prependOnceListener('close', () =>
        nameServerSpan(span, request.method ?? '', routeOf(request, response)),
      );
    response.on('close', () => {
      const route = routeOf(request, response);
      const endedAtMs = performance.now();
      endWork(work, endedAtMs);
      const status = response.headersSent ? response.statusCode : undefined;
      metrics.end(request, route, status, endedAtMs - startedAtMs);
      if (!response.writableFinished) metrics.abort();
      if (route?.startsWith('/health/') === true) return;
      write({
        method: request.method,
        route: route ?? NO_ROUTE,
        status: response.statusCode,
        durationMs: endedAtMs - startedAtMs,
        session: sessionIdOf(response),
        traceId: traceOf(response)?.traceId,
        aborted: !response.writableFinished,
      });
    });
    next();
  };
};

/** Writes lines by the logger's own way for requests, if it has one. */
const requestLinesOf = (logger: Logger): ((line: RequestLine) => void) =>
  logger.request?.bind(logger) ??
  (({ durationMs, aborted, ...line }) =>
    logger.info({ ...line, durationMs: Math.round(durationMs * 10) / 10, ...(aborted && { aborted }) }, 'request'));

/** Describes a request that may have blocked the event loop: names of the model and sizes, no values. */
function shapeOf(request: LoggedRequest, response: ServerResponse): Readonly<Record<string, unknown>> {
  const entity: unknown = request.params?.['entityName'];
  const { originalUrl = request.url ?? '' } = request;
  const queryAt = originalUrl.indexOf('?');
  return {
    method: request.method,
    route: routeOf(request, response) ?? NO_ROUTE,
    ...(typeof entity === 'string' && MODEL_NAME.test(entity) && { entity }),
    queryLength: queryAt < 0 ? 0 : originalUrl.length - queryAt - 1,
    bodyBytes: Number(request.headers['content-length'] ?? 0),
    traceId: traceOf(response)?.traceId,
  };
}

/** The form of names of entities, so that clients cannot put other text into the log. */
const MODEL_NAME = /^[\w$]{1,100}$/;

/** In the log, where no route matched. */
const NO_ROUTE = '-';

/** `/rest/entities/:entityName/:entityId`, never the ids themselves; undefined where no route matched. */
function routeOf(request: LoggedRequest, response: ServerResponse): string | undefined {
  const named = routeTemplateOf(response);
  if (named !== undefined) return named;
  const path: unknown = (request.route as { path?: unknown } | undefined)?.path;
  if (path === undefined) return undefined;
  const template =
    typeof path === 'string' ? `${baseOf(request, path)}${path}` : `${request.baseUrl ?? ''}${String(path)}`;
  return template.length > 1 && template.endsWith('/') ? template.slice(0, -1) : template;
}

/**
 * The path at which the router of a route is mounted. Express resets it when a route has failed: then it is the part of
 * the URL before the path of the route. Such paths contain no values.
 */
function baseOf({ baseUrl = '', originalUrl = '' }: LoggedRequest, path: string): string {
  if (baseUrl !== '' || /[*{]/.test(path)) return baseUrl;
  const [given = ''] = originalUrl.split('?', 1);
  const segments = given.split('/').filter(Boolean);
  const base = segments.slice(0, Math.max(0, segments.length - path.split('/').filter(Boolean).length));
  return base.length === 0 ? '' : `/${base.join('/')}`;
}
