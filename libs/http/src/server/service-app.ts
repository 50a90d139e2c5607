import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { type Logger, type Metrics, NO_METRICS, serveInTrace } from '@lintel/telemetry';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Router } from 'express';
import { passesTo } from '../health/draining.ts';
import { routeHealth } from '../health/health.ts';
import type { Readiness } from '../health/readiness.ts';
import { createForwardingCheck } from '../requests/addresses/forwarding-proof.ts';
import { setTrace } from '../requests/context/request-state.ts';
import { logAccess } from '../requests/observing/access-log.ts';
import type { RefusalCounter } from '../requests/observing/count-refusals.ts';
import { createRequestMetrics } from '../requests/observing/request-metrics.ts';
import { refuseRehearsal } from '../requests/parameters/rehearsal.ts';
import { sendError, toPlatformError } from '../responses/send-error.ts';
import { allowedMethods } from './allowed-methods.ts';
import { refuseMethod } from './refuse-method.ts';

export interface ServiceAppOptions {
  /** Name of the service, for log, health and metrics. */
  readonly service: string;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  /** Whether any client may call: then the sampling flag of `traceparent` is ignored. */
  readonly isPublic?: boolean;
  /**
   * The secret that the gateway proves itself with, so that its `X-Forwarded-*` are believed. Undefined in the gateway,
   * which decides itself which proxies it believes.
   */
  readonly internalSecret: string | undefined;
  /** Named checks of `/health/ready`: own pool, own broker channel; not other services. */
  readonly readiness: Readiness;
  /** Called for responses with status 403. */
  readonly onRefused?: RefusalCounter;
  /** Whether the service decides itself which requests can be rolled back, or leaves the decision to other services. */
  readonly rehearses?: boolean;
  /** Adds the service's own middleware and routes. */
  readonly configure: (app: Express) => void;
}

/** A step of a request that needs nothing of Express. Responds, throws, or calls `next`. */
export type Step = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Handles a request without Express. May throw, or return a promise that is rejected. */
export type DirectHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/**
 * An Express application with what every service needs, in this order: trace id, access log, health, the
 * service's own routes, then 404 or 405 with `Allow`, and the error renderer.
 */
export const createServiceApp = (options: ServiceAppOptions): Express => createApp(options, commonSteps(options));

/**
 * The same with a way past Express for frequent requests, whose trace, access log, metrics and errors are the same.
 *
 * @param directHandlerOf returns undefined for requests that Express handles
 */
export function createServiceListener(
  options: ServiceAppOptions,
  directHandlerOf: (request: IncomingMessage) => DirectHandler | undefined,
): RequestListener {
  const steps = commonSteps(options);
  const app = createApp(options, steps);
  const listener: RequestListener = (request, response) => {
    const handle = directHandlerOf(request);
    if (handle === undefined) return app(request, response);
    const serve = (): void => {
      try {
        handle(request, response)?.catch((error: unknown) => steps.renderError(error, request, response));
      } catch (error) {
        steps.renderError(error, request, response);
      }
    };
    steps.startTrace(request, response, () => steps.logAccess(request, response, serve));
  };
  passesTo(listener, app);
  return listener;
}

/** What every request passes. */
interface CommonSteps {
  readonly startTrace: Step;
  readonly logAccess: Step;
  readonly renderError: (error: unknown, request: IncomingMessage, response: ServerResponse) => void;
}

const commonSteps = ({
  service,
  logger,
  metrics = NO_METRICS,
  isPublic,
  internalSecret,
  onRefused,
}: ServiceAppOptions): CommonSteps => ({
  startTrace: startTrace(isPublic !== true, internalSecret),
  logAccess: logAccess(logger, createRequestMetrics(metrics, service)),
  renderError: createErrorRenderer(logger, onRefused),
});

function createApp(options: ServiceAppOptions, steps: CommonSteps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  // Trailing slashes are accepted (contract/decisions.md#34), paths are case-sensitive.
  app.enable('case sensitive routing');
  app.use(steps.startTrace);
  const { service, readiness } = options;
  app.use(steps.logAccess);
  routeHealth(app, { service, readiness, apps: [app], includesReasons: false });
  if (options.rehearses !== true)
    app.use((request, _response, next) => {
      refuseRehearsal(request);
      next();
    });
  options.configure(app);
  app.use(refuseUnknown(app));
  app.use(((error, request, response, _next) =>
    steps.renderError(error, request, response)) satisfies ErrorRequestHandler);
  return app;
}

/** A router with the same path rules as the application, which also responds to OPTIONS: Express omits it in `Allow`. */
export function createRouter(): Router {
  const router = express.Router({ caseSensitive: true });
  const route = router.route.bind(router);
  router.route = (path: string) => route(path).options((_request, _response, next) => next());
  return router;
}

function startTrace(isTrusted: boolean, internalSecret: string | undefined): Step {
  const checkForwarding = internalSecret === undefined ? undefined : createForwardingCheck(internalSecret);
  return (request, response, next) => {
    checkForwarding?.(request);
    serveInTrace(request, response, isTrusted, (trace) => {
      setTrace(response, trace);
      response.setHeader('X-Trace-Id', trace.traceId);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      next();
    });
  };
}

const refuseUnknown =
  (app: Express): RequestHandler =>
  (request, response) => {
    const allowed = allowedMethods(app, request.path);
    if (allowed.size === 0) throw new PlatformError('REQ_NOT_FOUND', `There is nothing at ${request.path}`);
    refuseMethod(request, response, allowed);
  };

const createErrorRenderer =
  (logger: Logger, onRefused: RefusalCounter | undefined): CommonSteps['renderError'] =>
  (error, request, response) => {
    const platform = toPlatformError(error);
    const wasSent = response.headersSent;
    // A client that disconnected is not an error of the service.
    const isGone = request.destroyed && !request.complete && !request.readableEnded;
    // Refusals because of overload are counted: one line for each would add to the load.
    const isCounted = platform.code === 'REQ_OVERLOADED' && !wasSent;
    if ((platform.status >= 500 || wasSent) && !isGone && !isCounted)
      logger.error({ code: platform.code, error: platform.cause ?? platform, cut: wasSent }, platform.message);
    // Without the details: they may contain input of the client.
    else logger.debug({ code: platform.code }, 'request refused');
    if (platform.status === 403) onRefused?.(response);
    sendError(response, platform);
  };
