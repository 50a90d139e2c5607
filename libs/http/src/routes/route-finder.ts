import type { Request } from 'express';
import type { Route } from './routed-request.ts';

/** A route with its parameters in one request. */
export interface FoundRoute<R extends Route = Route> {
  readonly route: R;
  readonly params: Request['params'];
}

interface Pattern<R extends Route> {
  readonly route: R;
  readonly segments: readonly string[];
}

/** No percent-encoding, no empty segment and no slash at the end: Express reads each of these paths in the same way. */
const PLAIN = /^(?:\/[\w$.~-]+)+$/;

/**
 * Finds the first route of a list for a method and a plain path; Express, which has the same routes in the same order,
 * handles all other requests: also HEAD, OPTIONS, and methods that a path does not have.
 *
 * @returns undefined if Express must find the route
 */
export function createRouteFinder<R extends Route>(
  routes: readonly R[],
): (method: string | undefined, path: string) => FoundRoute<R> | undefined {
  const patterns = Map.groupBy(
    routes.map((route): Pattern<R> => ({ route, segments: route.path.split('/') })),
    ({ route, segments }) => keyOf(route.method.toUpperCase(), segments.length),
  );
  return (method = '', path) => {
    if (!PLAIN.test(path)) return undefined;
    const segments = path.split('/');
    for (const { route, segments: pattern } of patterns.get(keyOf(method, segments.length)) ?? [])
      if (matches(pattern, segments)) return { route, params: paramsOf(pattern, segments) };
    return undefined;
  };
}

const keyOf = (method: string, length: number): string => `${method} ${length}`;

const isParameter = (segment: string): boolean => segment.startsWith(':');

const matches = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.every((segment, at) => isParameter(segment) || segment === segments[at]);

function paramsOf(pattern: readonly string[], segments: readonly string[]): Request['params'] {
  const params: Record<string, string> = Object.create(null);
  for (const [at, segment] of pattern.entries())
    if (isParameter(segment)) params[segment.slice(1)] = segments[at] ?? '';
  return params;
}
