import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DirectHandler, pathOf, type Step } from '@lintel/http';
import { type Forwarding, routeOf } from './create-forwarding.ts';
import type { Route } from './routes.ts';

export interface DirectHandlersOptions {
  readonly routes: readonly Route[];
  /** Run before the request is forwarded. */
  readonly steps: readonly Step[];
  readonly forward: Forwarding;
  /** Further paths of the gateway itself. */
  readonly isOwn?: ((path: string) => boolean) | undefined;
}

/** The gateway's own paths, which no pattern of the application may hide. */
const OWN = '/health/';

/**
 * The way past Express for requests that are forwarded, which are nearly all. Express handles streams, its own paths,
 * unknown ones, and targets that are not in origin form.
 */
export function createDirectHandlers({
  routes,
  steps,
  forward,
  isOwn,
}: DirectHandlersOptions): (request: IncomingMessage) => DirectHandler | undefined {
  return ({ url = '' }) => {
    if (!url.startsWith('/') || url.startsWith(OWN)) return undefined;
    const path = pathOf(url);
    if (isOwn?.(path) === true) return undefined;
    const route = routeOf(routes, path);
    if (route === undefined || route.isStream === true) return undefined;
    return (request, response) =>
      pass(steps, request, response) ? forward(route, request, response, noStreams) : undefined;
  };
}

/** Runs the steps in turn. Returns false if one has responded. */
function pass(steps: readonly Step[], request: IncomingMessage, response: ServerResponse): boolean {
  let passed = 0;
  const next = (): void => {
    passed += 1;
  };
  for (let at = 0; at < steps.length; at += 1) {
    steps[at]?.(request, response, next);
    if (passed <= at) return false;
  }
  return true;
}

/** Streams are handled by Express. */
const noStreams = (): void => {};
