import { type Application, isServiceUpstream } from '@lintel/application';
import {
  type ApplicationCaller,
  type ContextDependencies,
  createContext,
  createLocalize,
  currentWriteDependencies,
  localizeFor,
  OpenLifetime,
  rehearseCall,
} from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import {
  announceDeprecation,
  applyPreference,
  contextOf,
  handleUnknown,
  handleUnknownInside,
  handlingFor,
  isRehearsal,
  refuseMethod,
  refuseRehearsal,
  sendJson,
  sendJsonText,
  sendText,
  type UnknownMembers,
} from '@lintel/http';
import type { Clock } from '@lintel/timing';
import type { Request, RequestHandler, Response, Router } from 'express';
import { receiveFlag } from '../access/receive-flag.ts';
import { type Failure, failureOfError, RunFailure } from '../access/run-failure.ts';
import { type ModelVersions, namedVersion } from '../client-versions/client-version.ts';
import { errorOfCode, responseOfError } from '../controllers/response-of-error.ts';
import { sendControllerResponse } from '../controllers/send-response.ts';
import { sendUpstream } from '../controllers/send-upstream.ts';
import type { CallInBackground } from './background/call-job.ts';
import {
  acceptCall,
  type CallRunsOptions,
  prefersBackground,
  registerCallRunsRoutes,
} from './background/call-runs.routes.ts';
import { type CallDependencies, callMethod, type ReceivedCall } from './call-method.ts';
import { describeService } from './list-services.ts';
import { receiveGet, receivePath, receivePost } from './receive-call.ts';
import { servedMethods } from './resolve-method.ts';
import type { ShapedResult } from './results/shape-result.ts';

export interface MethodRouteOptions extends ContextDependencies {
  readonly application: Pick<Application, 'id' | 'restServices' | 'services' | 'errorHandlers'>;
  /** Path of the service methods below the router, e.g. `/services`. */
  readonly path: string;
  readonly versions: ModelVersions;
  readonly clock: Clock;
  readonly unknownMembers: UnknownMembers;
  readonly runs: CallRunsOptions;
}

/** Service methods: their listing and calls by GET and POST (contract/services.md#services). */
export function registerMethodRoutes(router: Router, options: MethodRouteOptions): void {
  const { path, application } = options;
  const services = application.restServices;

  const upstreams = (application.services ?? []).filter(isServiceUpstream);
  for (const { name, url } of upstreams) {
    const refuse: RequestHandler = (request, _response, next) => {
      refuseRehearsal(request);
      refuseRehearsal(request, true);
      next();
    };
    router.use(`${path}/${name}`, refuse, sendUpstream(url));
  }
  registerCallRunsRoutes(router, options.runs);
  router.get(path, (request, response) => {
    const withTypes = receiveFlag(request, 'types');
    // An upstream server of the application describes its own methods.
    const forwarded = upstreams.map(({ name }) => ({ name, methods: [] }));
    sendJson(response, 200, [...[...services.values()].map((one) => describeService(one, withTypes)), ...forwarded]);
  });
  router.get(`${path}/:serviceName`, (request, response) => {
    const name = String(request.params['serviceName']);
    const service = services.get(name);
    if (service === undefined) throw new PlatformError('MODEL_SERVICE_NOT_FOUND', `Service ${name} not found`);
    sendJson(response, 200, describeService(service, receiveFlag(request, 'types')));
  });

  const respond = async (request: Request, response: Response, call: ReceivedCall): Promise<void> => {
    const caller = contextOf(request, response);
    const { principal, signal } = caller;
    // One model for the whole call, dynamic attributes included.
    const write = await currentWriteDependencies(options.write);
    const lifetime = new OpenLifetime();
    // All parameters of a GET are of the method.
    const isDryRun = isRehearsal(request, call.httpMethod === 'GET');
    const version = namedVersion(options.versions, request.query['modelVersion']);
    if (isDryRun && version !== undefined)
      throw new PlatformError('REQ_INVALID_PARAMETER', "A rehearsal cannot have the parameter 'modelVersion'");
    const rehearse: CallDependencies['rehearse'] = async (work) => {
      applyPreference(response, 'tx=rollback');
      const own = { deps: write, principal, signal, lifetime };
      return { kind: 'json', text: await rehearseCall(own, async (data) => jsonOf(await work(data))) };
    };
    const mayDefer = call.httpMethod === 'POST' && !isDryRun && version === undefined;
    const where = call.httpMethod === 'GET' ? 'query' : 'body';
    try {
      const handling = handlingFor(request, response, options.unknownMembers);
      const result = await callMethod(call, {
        ...environmentOf({ ...caller, isDryRun }, { ...options, write }, lifetime),
        version,
        rehearse: isDryRun ? rehearse : undefined,
        defer:
          mayDefer && prefersBackground(request, principal)
            ? () => acceptCall(response, call, principal, options.runs)
            : undefined,
        announce: (deprecation) => announceDeprecation(response, deprecation),
        checkNames: (unknown, known) => handleUnknown(response, handling, where, unknown, known),
        checkInside: (unknown) => handleUnknownInside(response, handling, where, unknown),
      });
      if (!response.headersSent) sendResult(request, response, result);
    } catch (error) {
      // The client disconnected: no response is sent, and its cancelled statement is not an error.
      if (signal.aborted) return;
      const own = responseOfError(
        error,
        application.errorHandlers ?? [],
        localizeFor(write.environment, principal, application.id),
      );
      if (own === undefined) throw errorOfCode(error);
      sendControllerResponse(response, own);
    } finally {
      lifetime.end();
    }
  };
  const one = router.route(`${path}/:serviceName/:methodName`);
  one.get((request, response) => respond(request, response, receiveGet(request)));
  one.post(async (request, response) => {
    const limits = options.write.read.limitsOf(contextOf(request, response).principal);
    await respond(request, response, await receivePost(request, response, options.write.maxBodyBytes, limits));
  });
  // The allowed HTTP methods depend on the service method, not on the route.
  one.all((request, response) =>
    refuseMethod(request, response, servedMethods(services, { ...receivePath(request), supplied: [] })),
  );
}

/** Calls methods for callers who do not wait (contract/services.md#long-running). */
export const createCallInBackground =
  (options: Omit<MethodRouteOptions, 'runs' | 'path' | 'versions' | 'unknownMembers'>): CallInBackground =>
  async (call, caller) => {
    const { principal, signal } = caller;
    const { application } = options;
    const write = await currentWriteDependencies(options.write);
    const lifetime = new OpenLifetime();
    try {
      return await callMethod(call, {
        ...environmentOf({ ...caller, token: '' }, { ...options, write }, lifetime),
        version: undefined,
        rehearse: undefined,
        // They were checked when the call was accepted.
        announce: () => {},
        checkNames: () => {},
        checkInside: () => {},
      });
    } catch (error) {
      signal.throwIfAborted();
      throw new RunFailure(
        failureOf(error, application, localizeFor(write.environment, principal, application.id)),
        error,
      );
    } finally {
      lifetime.end();
    }
  };

/** Converts what a call has thrown, as for a client that waits. */
function failureOf(
  error: unknown,
  { errorHandlers = [] }: MethodRouteOptions['application'],
  localize: (text: string) => string,
): Failure {
  try {
    const own = responseOfError(error, errorHandlers, localize);
    if (own === undefined) return failureOfError(errorOfCode(error));
    const texts = typeof own.body === 'object' ? own.body : { details: own.body };
    return { status: own.status ?? 200, error: '', details: '', ...texts };
  } catch (translated) {
    return failureOfError(errorOfCode(translated));
  }
}

/** The dependencies of a call that follow from its caller. */
function environmentOf(
  caller: ApplicationCaller,
  { write, clock, application, ...options }: ContextDependencies & Pick<MethodRouteOptions, 'clock' | 'application'>,
  lifetime: OpenLifetime,
) {
  const { principal } = caller;
  const { model } = write.environment;
  return {
    model,
    limits: write.read.limitsOf(principal),
    offsets: write.read.limits.dateTimeOffset,
    services: application.restServices,
    context: createContext(caller, lifetime, { ...options, write }),
    writing: {
      model,
      access: write.accessOf(principal),
      instanceNames: true,
      display: write.read.displayIn(principal.locale ?? ''),
    },
    now: new Date(clock.now()).toISOString().slice(0, -1),
    localize: createLocalize(write.environment, principal),
  };
}

const jsonOf = (result: ShapedResult): string =>
  result.kind === 'json' ? result.text : result.kind === 'text' ? JSON.stringify(result.value) : '';

function sendResult(request: Request, response: Response, result: ShapedResult): void {
  response.setHeader('Cache-Control', 'no-store');
  switch (result.kind) {
    case 'empty':
      response.status(204).end();
      return;
    case 'text':
      response.vary('Accept');
      if (prefersJson(request)) sendJsonText(response, JSON.stringify(result.value));
      else sendText(response, result.text);
      return;
    case 'json':
      sendJsonText(response, result.text);
      return;
    default:
      result satisfies never;
  }
}

const TEXTS: readonly string[] = ['text/plain', 'text/*', '*/*'];

/**
 * Whether `Accept` prefers JSON to text and to any type (contract/decisions.md#61): for compatibility, clients that
 * accept any type get the plain text.
 */
function prefersJson(request: Request): boolean {
  // Sorted by quality, then in the order of the header.
  return request.accepts().find((type) => type === 'application/json' || TEXTS.includes(type)) === 'application/json';
}
