import type { Request } from 'express';
import type { Route } from '../requests/routed-request.ts';

/** A route with its parameters in one request. */
export interface FoundRoute<R extends Route = Route> {
  readonly route: R;
  readonly params: Request['params'];
}

/** A segment of the path of a route: a text, or a parameter with any value. */
interface Segment {
  readonly text: string;
  readonly parameter: string | undefined;
}

interface Pattern<R extends Route> {
  readonly route: R;
  readonly segments: readonly Segment[];
}

const toSegment = (text: string): Segment => ({ text, parameter: text.startsWith(':') ? text.slice(1) : undefined });

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
    routes.map((route): Pattern<R> => ({ route, segments: route.path.split('/').map(toSegment) })),
    ({ route, segments }) => keyOf(route.method.toUpperCase(), segments.length),
  );
  return (method = '', path) => {
    if (!PLAIN.test(path)) return undefined;
    const segments = path.split('/');
    const found = patterns.get(keyOf(method, segments.length))?.find((pattern) => matches(pattern, segments));
    return found && { route: found.route, params: paramsOf(found, segments) };
  };
}

const keyOf = (method: string, length: number): string => `${method} ${length}`;

function matches({ segments: pattern }: Pattern<Route>, segments: readonly string[]): boolean {
  for (let at = 0; at < pattern.length; at += 1) {
    const segment = pattern[at];
    if (segment?.parameter === undefined && segment?.text !== segments[at]) return false;
  }
  return true;
}

function paramsOf({ segments: pattern }: Pattern<Route>, segments: readonly string[]): Request['params'] {
  const params: Record<string, string> = Object.create(null);
  for (let at = 0; at < pattern.length; at += 1) {
    const parameter = pattern[at]?.parameter;
    if (parameter !== undefined) params[parameter] = segments[at] ?? '';
  }
  return params;
}
