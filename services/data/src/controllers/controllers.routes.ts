import type { Application, ControllerDefinition } from '@lintel/application';
import {
  type ContextDependencies,
  createContext,
  currentWriteDependencies,
  localizeFor,
  OpenLifetime,
} from '@lintel/entities';
import { contextOf } from '@lintel/http';
import type { Request, RequestHandler, Response, Router } from 'express';
import { answerOfError } from './answer-of-error.ts';
import { receiveRequest } from './receive-request.ts';
import { sendControllerResponse } from './send-response.ts';
import { sendUpstream } from './send-upstream.ts';

export interface ControllerOptions extends ContextDependencies {
  readonly application: Pick<Application, 'id' | 'errorHandlers'>;
  readonly controllers: readonly ControllerDefinition[];
  /** Path that the router is mounted at; controllers lie below it. */
  readonly mountPath: string;
  /** Runs before each of them. */
  readonly before: readonly RequestHandler[];
}

/** The application's own controllers (contract/controllers.md#controllers), at paths of their own. */
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
    const { principal, signal } = contextOf(request, response);
    const lifetime = new OpenLifetime();
    try {
      const write = await currentWriteDependencies(options.write);
      const context = createContext(principal, signal, lifetime, { ...options, write });
      const received = receiveRequest(request, context, options.write.maxBodyBytes);
      sendControllerResponse(response, await handle(received));
    } catch (error) {
      // A client that disconnected gets no response, and its cancelled statement is no error.
      if (signal.aborted) return;
      const own = answerOfError(
        error,
        options.application.errorHandlers ?? [],
        localizeFor(options.write.environment, principal, options.application.id),
      );
      if (own === undefined) throw error;
      sendControllerResponse(response, own);
    } finally {
      lifetime.end();
    }
  };

/** A router of Express finds the context in `response.locals.lintel`. */
const provideContext =
  (options: ControllerOptions): RequestHandler =>
  async (request, response, next) => {
    const { principal, signal } = contextOf(request, response);
    const write = await currentWriteDependencies(options.write);
    const lifetime = new OpenLifetime();
    response.once('close', () => lifetime.end());
    response.locals['lintel'] = createContext(principal, signal, lifetime, { ...options, write });
    next();
  };
