import type { HiddenData } from '../hidden-data.ts';
import { type MatrixRow, OPEN_TO_USERS, READ, row, SHOWS_HIDDEN } from './row.ts';

const ordersOf = '/rest/queries/sales_Order/ordersByCustomers';
export const period = { from: '2026-01-01', to: '2026-12-31' };
const ordersUrl = (data: HiddenData): string =>
  `customerIds=${encodeURIComponent(JSON.stringify([data.hiddenCustomer, data.shownCustomer]))}&from=${period.from}&to=${period.to}`;
const ordersBody = (data: HiddenData) => ({ customerIds: [data.hiddenCustomer, data.shownCustomer], ...period });

const QUERIES: readonly MatrixRow[] = [
  row('data/queries.routes.ts get path', 'GET', '/rest/queries', OPEN_TO_USERS),
  row('data/queries.routes.ts get {path}/:entityName', 'GET', '/rest/queries/sales_Order', READ),
  row('data/queries.routes.ts get one', 'GET', (data) => `${ordersOf}?${ordersUrl(data)}`, READ, SHOWS_HIDDEN),
  row('data/queries.routes.ts post one', 'POST', ordersOf, READ, { body: ordersBody, showsHiddenValues: true }),
  row('data/queries.routes.ts get {one}/count', 'GET', (data) => `${ordersOf}/count?${ordersUrl(data)}`, READ),
  row('data/queries.routes.ts post {one}/count', 'POST', `${ordersOf}/count`, READ, { body: ordersBody }),
];

const service = '/rest/services/sales_OrderService';
const SERVICES: readonly MatrixRow[] = [
  row('data/methods.routes.ts get path', 'GET', '/rest/services', OPEN_TO_USERS),
  row('data/methods.routes.ts get path', 'GET', '/rest/services?types=true', OPEN_TO_USERS),
  row('data/methods.routes.ts get {path}/:serviceName', 'GET', service, OPEN_TO_USERS),
  row(
    'data/methods.routes.ts route {path}/:serviceName/:methodName',
    'GET',
    `${service}/byDate?from=2026-02-03&to=2026-02-03`,
    READ,
    SHOWS_HIDDEN,
  ),
  row(
    'data/methods.routes.ts route {path}/:serviceName/:methodName',
    'GET',
    ({ hiddenOrder }) => `${service}/calculateTotal?orderId=${hiddenOrder}`,
    [401, 403, 403, 404, 200],
  ),
  row('data/methods.routes.ts route {path}/:serviceName/:methodName', 'POST', `${service}/byDate`, READ, {
    body: () => ({ from: '2026-02-03', to: '2026-02-03' }),
    showsHiddenValues: true,
  }),
  row('data/call-runs.routes.ts get path', 'GET', '/rest/service-runs', [401, 403, 200, 200, 200]),
  row('data/call-runs.routes.ts get {path}/:runId', 'GET', '/rest/service-runs/none', [401, 403, 404, 404, 404]),
  row('data/call-runs.routes.ts delete {path}/:runId', 'DELETE', '/rest/service-runs/none', [401, 403, 404, 404, 404]),
];

/** Predefined queries and service methods. */
export const CALL_ROWS: readonly MatrixRow[] = [...QUERIES, ...SERVICES];
