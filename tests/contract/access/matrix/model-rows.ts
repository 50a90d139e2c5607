import { all, type MatrixRow, OPEN_TO_USERS, READ, row } from './row.ts';

const metadata = (path: string, written: string): MatrixRow =>
  row(`data/metadata.feature.ts get ${written}`, 'GET', `/rest/metadata${path}`, OPEN_TO_USERS);
/** What the API and the application are, and what changes. */
export const MODEL_ROWS: readonly MatrixRow[] = [
  ...[
    ...[
      '/entities',
      '/entities/sales_Customer',
      '/entities/sales_Customer/fetchPlans',
      '/entities/sales_Customer/views',
    ],
    ...['/entities/sales_Customer/fetchPlans/_base', '/entities/sales_Customer/views/_base'],
    ...['/enums', '/enums/sales.OrderStatus'],
  ].map((path) => metadata(path, '{path}{route}')),
  metadata('/datatypes', '{path}/datatypes'),
  row('data/messages.routes.ts get {path}/entities', 'GET', '/rest/messages/entities', OPEN_TO_USERS),
  row('data/messages.routes.ts get {path}/entities/:name', 'GET', '/rest/messages/entities/sales_Order', OPEN_TO_USERS),
  row('data/messages.routes.ts get {path}/enums', 'GET', '/rest/messages/enums', OPEN_TO_USERS),
  row('data/messages.routes.ts get {path}/enums/:name', 'GET', '/rest/messages/enums/sales.OrderStatus', OPEN_TO_USERS),
  // An id that is none ends what otherwise has no end.
  row(
    'data/changes.routes.ts get {options.path}/:entityName',
    'GET',
    '/rest/changes/sales_Customer',
    [401, 403, 403, 400, 400],
    {
      headers: { 'last-event-id': 'none' },
    },
  ),
  row('data/changes.routes.ts get {options.path}/:entityName', 'HEAD', '/rest/changes/sales_Customer', READ),
  row('data/about.feature.ts get /version', 'GET', '/rest/version', [401, 200, 200, 200, 200]),
  row('data/about.feature.ts get paths.capabilitiesPath', 'GET', '/rest/capabilities', [401, 200, 200, 200, 200]),
  ...['openapi.json', 'openapi.yaml', 'openapiDetailed.json', 'openapiDetailed.yaml'].map((file) =>
    row('(documents)', 'GET', `/rest/docs/${file}`, all(200), { describesModel: true }),
  ),
  row('data/openapi.feature.ts get {paths.docsPath}/asyncapi.json', 'GET', '/rest/docs/asyncapi.json', all(200)),
  row('data/explorer.routes.ts get path', 'GET', '/rest/docs', all(200)),
  row('data/explorer.routes.ts get {path}/explorer/:file', 'GET', '/rest/docs/explorer/start.js', all(200)),
  row('data/controllers.routes.ts all path', 'GET', '/rest/sales/public/ping', all(200)),
  row('data/controllers.routes.ts all path', 'GET', '/rest/sales/whoami', OPEN_TO_USERS),
];
