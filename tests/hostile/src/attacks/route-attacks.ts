import { genericRoutes, type ParameterDescription, type RouteDescription } from '@lintel/contracts';
import type { HttpRequest, Reply } from '../client/send-request.ts';
import type { Attack, Attacker } from './attack.ts';
import { deepJson, MEBIBYTE, orderId } from './request-shapes.ts';

/** The usual paths (`svc.rest.*-path`). */
const ROUTES = genericRoutes(
  {
    basePath: '/rest',
    entitiesPath: '/entities',
    changesPath: '/changes',
    docsPath: '/docs',
    metadataPath: '/metadata',
    filesPath: '/files',
    messagesPath: '/messages',
    permissionsPath: '/permissions',
    queriesPath: '/queries',
    servicesPath: '/services',
    userInfoPath: '/userInfo',
    userSessionPath: '/user-session',
    apiKeysPath: '/api-keys',
    clientsPath: '/clients',
    operationsPath: '/operations',
    rightsPath: '/rights',
    ticketsPath: '/tickets',
    capabilitiesPath: '/capabilities',
  },
  'sales_Order',
);

/** The parts of a route that its requests need. */
type HostileRoute = Pick<RouteDescription, 'method' | 'path' | 'tag' | 'parameters' | 'request' | 'security'>;

const UNDESCRIBED = { tag: 'Without a document' };
/** Routes that no document describes. */
const OTHER_ROUTES: readonly HostileRoute[] = [
  { ...UNDESCRIBED, method: 'get', path: '/as-login', security: 'none' },
  { ...UNDESCRIBED, method: 'post', path: '/as-login', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/as-login/passkeys.js', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/as-login/security', security: 'none' },
  { ...UNDESCRIBED, method: 'post', path: '/as-login/security', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/as-login/provider/acme', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/as-login/provider/acme/callback', security: 'none' },
  { ...UNDESCRIBED, method: 'post', path: '/as-login/provider/acme/logout', security: 'none' },
  { ...UNDESCRIBED, method: 'post', path: '/as-login/provider/acme/acs', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/as-login/provider/acme/metadata', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/as-login/provider/acme/single-logout', security: 'none' },
  { ...UNDESCRIBED, method: 'post', path: '/as-login/provider/acme/single-logout', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/oauth2/authorize/{uid}', security: 'none' },
  { ...UNDESCRIBED, method: 'post', path: '/oauth2/register', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/oauth2/register/{clientId}', security: 'none' },
  { ...UNDESCRIBED, method: 'put', path: '/oauth2/register/{clientId}', security: 'none' },
  { ...UNDESCRIBED, method: 'delete', path: '/oauth2/register/{clientId}', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/scim/v2/Users', security: 'none' },
  { ...UNDESCRIBED, method: 'post', path: '/scim/v2/Users', security: 'none' },
  { ...UNDESCRIBED, method: 'patch', path: '/scim/v2/Groups/{id}', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/logout', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/rest/docs', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/rest/sales/whoami' },
  { ...UNDESCRIBED, method: 'get', path: '/rest/sales/public/ping', security: 'none' },
  { ...UNDESCRIBED, method: 'post', path: '/internal/datasets', security: 'none' },
  { ...UNDESCRIBED, method: 'get', path: '/health/ready', security: 'none' },
];

/** Values of the path that exist. */
const KNOWN: Readonly<Record<string, string>> = {
  entityName: 'sales_Order',
  entityId: orderId(12),
  queryName: 'ordersByStatus',
  serviceName: 'sales_OrderService',
  methodName: 'ping',
  enumName: 'sales.OrderStatus',
  planName: '_base',
  code: 'no-such-report',
};
const ANY_ID = '00000000-0000-4000-8000-000000000000';
/** Below the limit of a URL, and above it. */
const LONG_PARAMETER = 7_000;
const LONGER_PARAMETER = 14_000;
const SLOW_MS = 1_000;

const pathOf = (route: HostileRoute, replace: (name: string) => string = known): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => replace(name));
const known = (name: string): string => KNOWN[name] ?? ANY_ID;
/** The parameter that hostile values go to: one of the query, else an unknown one. */
const parameterOf = ({ parameters = [] }: HostileRoute): string =>
  parameters.find((parameter: ParameterDescription) => parameter.in === 'query')?.name ?? 'unknown';

type Variant = (route: HostileRoute) => readonly Omit<HttpRequest, 'method'>[];

const formOrJson = (route: HostileRoute): string => {
  const types = Object.keys(route.request?.content ?? {});
  return types.find((type) => type !== '*/*' && type !== 'multipart/form-data') ?? 'application/json';
};
const withBody = (route: HostileRoute, body: string) => ({
  path: pathOf(route),
  headers: { 'content-type': formOrJson(route) },
  body,
});
const withParameter = (route: HostileRoute, value: string) => ({
  path: `${pathOf(route)}?${parameterOf(route)}=${value}`,
});
const takesBody = ({ method }: HostileRoute): boolean => method !== 'get' && method !== 'head';

/** One resource each: what a request may have too much of. */
const VARIANTS: Readonly<Record<string, Variant>> = {
  'huge body': (route) => [withBody(route, `{"a":"${'x'.repeat(4 * MEBIBYTE)}"}`)],
  'deep JSON': (route) => [
    ...(takesBody(route) ? [withBody(route, deepJson(100_000)), withBody(route, deepJson(200))] : []),
    withParameter(route, encodeURIComponent(deepJson(1_000))),
  ],
  'huge parameter': (route) => [
    withParameter(route, 'x'.repeat(LONG_PARAMETER)),
    withParameter(route, 'x'.repeat(LONGER_PARAMETER)),
    { path: pathOf(route, (name) => known(name) + 'x'.repeat(2_000)) },
  ],
  'huge number': (route) => [
    withParameter(route, '9'.repeat(2_000)),
    withParameter(route, '1e999999999'),
    { path: `${pathOf(route)}?limit=${'9'.repeat(300)}&offset=${'9'.repeat(300)}` },
    ...(takesBody(route) ? [withBody(route, `{"limit":1e400,"version":1${'0'.repeat(100_000)}}`)] : []),
  ],
  unicode: (route) => [
    withParameter(route, '%00%ED%A0%80%F4%90%80%80'),
    withParameter(route, '%F0%9F%92%A9'.repeat(500)),
    { path: pathOf(route, (name) => `${known(name)}%E2%80%AE%EF%BF%BF%00`) },
    ...(takesBody(route) ? [withBody(route, '{"name":"\\ud800\\u0000"}')] : []),
  ],
  'many parameters': (route) => [
    { path: `${pathOf(route)}?${'a&'.repeat(4_000)}` },
    { path: `${pathOf(route)}?${'fetchPlan=_base&'.repeat(450)}` },
    ...(takesBody(route)
      ? [withBody(route, `{${Array.from({ length: 50_000 }, (_, at) => `"p${at}":1`).join()}}`)]
      : []),
  ],
};

/** A body of which a byte comes now and then; the connection ends before the body does. */
async function slowBody(route: HostileRoute, attacker: Attacker): Promise<readonly Reply[]> {
  if (!takesBody(route)) return [];
  const head = [
    `${route.method.toUpperCase()} ${pathOf(route)} HTTP/1.1`,
    'Host: localhost',
    ...(attacker.authorization === undefined ? [] : [`Authorization: ${attacker.authorization}`]),
    `Content-Type: ${formOrJson(route)}`,
    'Content-Length: 50000',
  ];
  const connections = await Promise.all(Array.from({ length: 10 }, () => attacker.connect()));
  for (const connection of connections) connection.write(`${head.join('\r\n')}\r\n\r\n{"filter":`);
  const statuses = await Promise.all(connections.map((connection) => connection.status(SLOW_MS)));
  for (const connection of connections) connection.close();
  return statuses.map((status) => ({ status, ms: 0, headers: {}, text: '', byteCount: 0, label: 'slow body' }));
}

const senderOf = ({ security }: HostileRoute): Attack['sender'] => (security === undefined ? 'admin' : 'anonymous');

/** No response, a refusal, or a response in time; a stream has no end. */
const STATUSES: Attack['statuses'] = [
  ...[200, 201, 204, 303, 304, 400, 401, 403, 404, 405, 406, 408, 409, 412, 413, 414, 415, 416, 422, 429, 431, 503],
  ...(['closed', 'timeout'] as const),
];

async function runVariants(route: HostileRoute, attacker: Attacker): Promise<readonly Reply[]> {
  const method = route.method.toUpperCase();
  const isClient = route.security === 'client';
  const requests = Object.entries(VARIANTS).flatMap(([label, variant]) =>
    variant(route).map((request) => ({ label, request })),
  );
  const replies = await Promise.all(
    requests.map(async ({ label, request }) => {
      const headers = { ...(isClient ? { authorization: `Basic ${btoa('client:secret')}` } : {}), ...request.headers };
      const reply = await attacker.send({
        ...request,
        method,
        headers,
        readsHeadersOnly: route.path.includes('/changes/'),
      });
      return { ...reply, label };
    }),
  );
  return replies;
}

const attackOn = (route: HostileRoute): Attack => ({
  finding: `${route.method.toUpperCase()} ${route.path}`,
  title: 'too much of each resource',
  sender: senderOf(route),
  run: async (attacker) => [...(await runVariants(route, attacker)), ...(await slowBody(route, attacker))],
  statuses: STATUSES,
  withinMs: 5_000,
});

/** The routes of a tag that are called alike, one after the other, at last all slowly: replies are labelled with the route. */
function attackOnAll(tag: string, routes: readonly HostileRoute[]): Attack {
  const [first] = routes;
  const labelled = (route: HostileRoute, replies: readonly Reply[]): readonly Reply[] =>
    replies.map((reply) => ({ ...reply, label: `${route.method.toUpperCase()} ${route.path}, ${reply.label}` }));
  const sender = first === undefined ? 'anonymous' : senderOf(first);
  return {
    finding: `${tag}, ${sender}`,
    title: `too much of each resource for ${routes.length} routes`,
    sender,
    async run(attacker) {
      const replies: Reply[] = [];
      for (const route of routes) replies.push(...labelled(route, await runVariants(route, attacker)));
      const slow = await Promise.all(routes.map(async (route) => labelled(route, await slowBody(route, attacker))));
      return [...replies, ...slow.flat()];
    },
    statuses: STATUSES,
    withinMs: 5_000,
    isGroup: true,
  };
}

const ALL_ROUTES: readonly HostileRoute[] = [...ROUTES, ...OTHER_ROUTES];

/** Every route of the API with too much of each resource: by itself, and all of a tag together. */
export const ROUTE_ATTACKS: readonly Attack[] = [
  ...ALL_ROUTES.map((route): Attack => ({ ...attackOn(route), isLong: true })),
  ...[...Map.groupBy(ALL_ROUTES, (route) => `${route.tag} ${senderOf(route)}`).values()].map((routes) =>
    attackOnAll(routes[0]?.tag ?? '', routes),
  ),
];
