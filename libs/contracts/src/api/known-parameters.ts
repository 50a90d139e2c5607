import type { RouteDescription } from './route-description.ts';

/** The parameters of a query that any route accepts: older clients send them, or the gateway reads them. */
const EVERYWHERE = ['access_token'];

/** Names that older clients send for others (contract/decisions.md#34, #75). */
const ALIASES: Readonly<Record<string, string>> = { fetchPlan: 'view', responseFetchPlan: 'responseView' };

/**
 * Parameter of the routes that can be rehearsed: the routes with idempotency keys. No document of the API has it, since
 * the response then has another form: the types of generated clients would become unions
 * (contract/writing.md#rehearsal).
 */
const DRY_RUN = 'dryRun';

interface KnownRoute {
  readonly segments: readonly string[];
  readonly literals: number;
  readonly names: ReadonlySet<string>;
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

/**
 * The names of the query parameters of each route of the table, by method and path.
 *
 * @param isOpen routes whose parameters the application declares: nothing is returned for them
 */
export function knownParameters(
  routes: readonly RouteDescription[],
  isOpen: (route: RouteDescription) => boolean = () => false,
): (method: string, path: string) => ReadonlySet<string> | undefined {
  const index = Map.groupBy(
    routes
      .filter((route) => !isOpen(route))
      .map((route) => ({
        key: keyOf(route.method.toUpperCase(), segmentsOf(route.path).length),
        route: knownRoute(route),
      })),
    ({ key }) => key,
  );
  return (method, path) => {
    const segments = segmentsOf(path);
    const candidates = index.get(keyOf(method === 'HEAD' ? 'GET' : method, segments.length));
    let best: KnownRoute | undefined;
    for (const { route } of candidates ?? [])
      if (matches(route, segments) && (best === undefined || route.literals > best.literals)) best = route;
    return best?.names;
  };
}

const keyOf = (method: string, length: number): string => `${method} ${length}`;

const matches = (route: KnownRoute, segments: readonly string[]): boolean =>
  route.segments.every((segment, at) => isParameter(segment) || segment === segments[at]);

function knownRoute({ path, parameters = [] }: RouteDescription): KnownRoute {
  const segments = segmentsOf(path);
  const names = parameters.flatMap((one) => (one.in === 'query' ? [one.name] : []));
  const aliases = names.flatMap((name) => ALIASES[name] ?? []);
  const canRehearse = parameters.some((one) => one.name === 'Idempotency-Key');
  return {
    segments,
    literals: segments.filter((segment) => !isParameter(segment)).length,
    names: new Set([...names, ...aliases, ...(canRehearse ? [DRY_RUN] : []), ...EVERYWHERE]),
  };
}
