import type { Application, ControllerDefinition, ControllerRequest, ServiceContext } from '@lintel/application';
import {
  type ContextDependencies,
  createContext,
  currentWriteDependencies,
  localizeFor,
  OpenLifetime,
} from '@lintel/entities';
import { contextOf, readBody } from '@lintel/http';
import type { Request, RequestHandler, Response, Router } from 'express';
import { errorOfCode, responseOfError } from './response-of-error.ts';
import { sendControllerResponse } from './send-response.ts';
import { sendUpstream } from './send-upstream.ts';

export interface ControllerOptions extends ContextDependencies {
  readonly application: Pick<Application, 'id' | 'errorHandlers'>;
  readonly controllers: readonly ControllerDefinition[];
  /** Path of the router; the paths of the controllers begin with it. */
  readonly mountPath: string;
  /** Middleware before each controller. */
  readonly before: readonly RequestHandler[];
}

/** Registers the controllers of the application (contract/controllers.md#controllers). */
export function registerControllerRoutes(router: Router, options: ControllerOptions): void {
  const { before } = options;
  for (const definition of options.controllers) {
    const path = definition.path.slice(options.mountPath.length);
    switch (definition.kind) {
      case 'controller': {
        const handler = controllerHandler(options, definition.handle);
        if (definition.method === undefined) router.all(path, ...before, handler);
        else router[METHODS[definition.method]](path, ...before, handler);
        break;
      }
      case 'router':
        router.use(path, ...before, provideContext(options), definition.router as RequestHandler);
        break;
      case 'upstream':
        router.use(path, ...before, sendUpstream(definition.url));
        break;
      default:
        definition satisfies never;
    }
  }
}

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

type Handle = Extract<ControllerDefinition, { kind: 'controller' }>['handle'];

const controllerHandler =
  (options: ControllerOptions, handle: Handle): RequestHandler =>
  async (request: Request, response: Response) => {
    const caller = contextOf(request, response);
    const { principal, signal } = caller;
    const lifetime = new OpenLifetime();
    try {
      const write = await currentWriteDependencies(options.write);
      const context = createContext(caller, lifetime, { ...options, write });
      const received = receiveRequest(request, context, options.write.maxBodyBytes);
      sendControllerResponse(response, await handle(received));
    } catch (error) {
      // The client disconnected: no response is sent, and its cancelled statement is not an error.
      if (signal.aborted) return;
      const own = responseOfError(
        error,
        options.application.errorHandlers ?? [],
        localizeFor(options.write.environment, principal, options.application.id),
      );
      if (own === undefined) throw errorOfCode(error);
      sendControllerResponse(response, own);
    } finally {
      lifetime.end();
    }
  };

/** Sets `response.locals.lintel`, the context for a router of Express. */
const provideContext =
  (options: ControllerOptions): RequestHandler =>
  async (request, response, next) => {
    const caller = contextOf(request, response);
    const write = await currentWriteDependencies(options.write);
    const lifetime = new OpenLifetime();
    response.once('close', () => lifetime.end());
    response.locals['lintel'] = createContext(caller, lifetime, { ...options, write });
    next();
  };

/** The request in the form for controllers of the application. */
function receiveRequest(request: Request, context: ServiceContext, maxBodyBytes: number): ControllerRequest {
  const [path = '', ...query] = request.originalUrl.split('?');
  const parameters = Object.entries(request.params).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join('/') : String(value),
  ]);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  return {
    ...context,
    method: request.method,
    path,
    parameters: Object.fromEntries(parameters),
    query: new URLSearchParams(query.join('?')),
    headers,
    body: () => readBody(request, maxBodyBytes),
  };
}
