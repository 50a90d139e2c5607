import type { RoutedRequest } from '../routed-request.ts';

/** The value of a parameter of the path of a route; empty if the route does not have it. */
export function pathParameter({ params }: Pick<RoutedRequest, 'params'>, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}
