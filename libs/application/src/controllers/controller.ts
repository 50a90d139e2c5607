import type { ServiceContext } from '../services/service-context.ts';

/** Request of a custom controller; independent of web frameworks. */
export interface ControllerRequest extends ServiceContext {
  /** In capitals: `POST`. */
  readonly method: string;
  /** Path below the application's root, e.g. `/rest/sales/whoami`. */
  readonly path: string;
  /** Values of the path's `:names`, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Parameters of the URL, as they were sent. */
  readonly query: URLSearchParams;
  /** The headers of the request as the gateway forwards it; names in any case. */
  readonly headers: Headers;
  /** The whole body, at most `svc.rest.max-body-size`. */
  readonly body: () => Promise<Uint8Array>;
}

/** The response of a controller. */
export interface ControllerResponse {
  /** Default 200, 204 without a body. */
  readonly status?: number;
  /** Headers of the response; a `content-type` replaces the one that follows from the body. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Texts and bytes are sent unchanged, all other values as JSON. */
  readonly body?: unknown;
}

/** The HTTP methods of controllers. */
export type ControllerMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Handles a request. What it throws becomes the response of an error, as for service methods. */
export type ControllerHandler = (request: ControllerRequest) => ControllerResponse | Promise<ControllerResponse>;

/** A function for requests to a path; created by `controller`. */
export interface Controller {
  readonly kind: 'controller';
  /** Undefined: every method. */
  readonly method: ControllerMethod | undefined;
  /** With `:name` for a part that becomes a parameter: `/rest/sales/orders/:id`. */
  readonly path: string;
  /** Called for each request that the method and the path fit. */
  readonly handle: ControllerHandler;
}

/** A router of a web framework at a path; created by `fromExpress` of `@lintel/http`. */
export interface MountedRouter {
  readonly kind: 'router';
  /** A prefix: the router gets all requests at this path and below it. */
  readonly path: string;
  /** The router of the framework, such as an `express.Router`. */
  readonly router: unknown;
}

/** Requests below a path are forwarded to a server of the application's own, with the caller's token. */
export interface UpstreamRoute {
  readonly kind: 'upstream';
  /** A prefix without `:names`; requests at this path and below it are forwarded. */
  readonly path: string;
  /** Address of the server; the path of the request is appended unchanged. */
  readonly url: string;
}

/** An HTTP handler of the application with paths of its own (contract/controllers.md#controllers). */
export type ControllerDefinition = Controller | MountedRouter | UpstreamRoute;

const PATH = /^(?:\/(?:[\w.~-]+|:[A-Za-z]\w*))+(?:\/\*[A-Za-z]\w*)?$/;

/**
 * A path that the gateway and the service interpret equally: segments, `:name` for one, `/*name` at the end for any
 * number.
 */
function checkedPath(path: string): string {
  if (!PATH.test(path)) throw new TypeError(`The path of a controller is like /rest/shop/orders/:id, not ${path}`);
  return path;
}

/**
 * Defines a custom controller: `controller('/rest/shop/hello', handler)` for every HTTP method, or
 * `controller('GET', '/rest/shop/orders/:id', handler)` for one.
 *
 * @throws TypeError for a path of another form
 */
export function controller(path: string, handle: ControllerHandler): Controller;
export function controller(method: ControllerMethod, path: string, handle: ControllerHandler): Controller;
export function controller(first: string, second: string | ControllerHandler, third?: ControllerHandler): Controller {
  const [method, path, handle] =
    typeof second === 'function' ? [undefined, first, second] : [first as ControllerMethod, second, third];
  if (handle === undefined) throw new TypeError(`The controller at ${path} has no handler`);
  return Object.freeze({ kind: 'controller', method, path: checkedPath(path), handle });
}

/**
 * Forwards everything at `path` and below it to a server of the application's own. The request keeps its
 * path; its `Authorization` header is a token that the server can check by the JWKS of the platform.
 *
 * @throws TypeError for a path with `:names`
 */
export function upstreamRoute(path: string, url: string): UpstreamRoute {
  if (/[:*]/.test(path)) throw new TypeError(`The path of an upstream route is a prefix, not ${path}`);
  return Object.freeze({ kind: 'upstream', path: checkedPath(path), url });
}

/** Patterns (`*`, `**`) of the URLs that controllers serve, for the route table of the gateway. */
export const urlPatternsOf = (controllers: readonly ControllerDefinition[]): readonly string[] =>
  controllers.flatMap(({ kind, path }) =>
    kind === 'controller' ? [path.replace(/\/:\w+/g, '/*').replace(/\/\*[A-Za-z]\w*$/, '/**')] : [path, `${path}/**`],
  );

/** Translates an error of the application to a response; returns undefined for unknown errors. */
export type ErrorHandler = (error: unknown) => ControllerResponse | undefined;
