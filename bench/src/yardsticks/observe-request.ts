import { activeSpan, nameServerSpan, serveInTrace } from '@lintel/telemetry';
import type { RequestHandler } from 'express';
import type { RequestLog } from './request-log.ts';

/** First handlers of the yardsticks with Express: the trace of a request, its line in the log, its measurement. */
export const observeRequest =
  (log: RequestLog): RequestHandler =>
  (request, response, next) =>
    serveInTrace(request, response, false, () => {
      const startedMs = performance.now();
      const span = activeSpan();
      response.once('finish', () => {
        const path: unknown = (request.route as { path?: unknown } | undefined)?.path;
        const route = String(path ?? '-');
        nameServerSpan(span, request.method, route);
        log.note(request.method, route, response.statusCode, startedMs);
      });
      next();
    });
