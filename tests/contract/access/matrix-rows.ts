import { as, demo, query, unique } from '../api.ts';
import { createVictim, type HiddenData } from './hidden-data.ts';

/** Status for: no token · no rest-minimal · nothing may be read · attributes and rows hidden · everything. */
export type Statuses = readonly [none: number, nobody: number, viewer: number, clerk: number, admin: number];

/** A request that every caller sends. */
export interface MatrixRow {
  /** As `registeredRoutes` returns it. */
  readonly route: string;
  readonly method: string;
  readonly target: (data: HiddenData) => string | Promise<string>;
  readonly body?: (data: HiddenData) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request ends the session: it needs one that no other uses. */
  readonly endsSession?: boolean;
  readonly statuses: Statuses;
  /** The response names attributes to every caller, and no values. */
  readonly describesModel?: boolean;
  /** The response to the administrator has the hidden values, so that their absence elsewhere means something. */
  readonly showsHiddenValues?: boolean;
}

type Options = Partial<Omit<MatrixRow, 'route' | 'method' | 'target' | 'statuses'>>;
type Target = string | MatrixRow['target'];

const row = (route: string, method: string, target: Target, statuses: Statuses, options: Options = {}): MatrixRow => ({
  route,
  method,
  target: typeof target === 'string' ? () => target : target,
  statuses,
  ...options,
});

/** The same for every caller. */
const all = (status: number): Statuses => [status, status, status, status, status];
const READ: Statuses = [401, 403, 403, 200, 200];
const OPEN_TO_USERS: Statuses = [401, 403, 200, 200, 200];
const MANAGER: Statuses = [401, 403, 403, 403, 200];
const UNKNOWN_TO_MANAGER: Statuses = [401, 403, 403, 403, 404];

const customers = '/rest/entities/sales_Customer';
const whole = { entity: 'sales_Customer', properties: ['name', 'email', 'creditLimit', 'address', 'orders.number'] };
const plan = query({ fetchPlan: whole, returnNulls: 'true', returnCount: 'true' });
const both = ({ hiddenCustomer, shownCustomer }: HiddenData) => ({
  conditions: [{ property: 'id', operator: 'in', value: [hiddenCustomer, shownCustomer] }],
});
const named = ({ hiddenValues: [hidden = ''], shownValues: [shown = ''] }: HiddenData) => ({
  conditions: [{ property: 'name', operator: 'in', value: [hidden, shown] }],
});
const SHOWS_HIDDEN = { showsHiddenValues: true } as const;

const READING: readonly MatrixRow[] = [
  row(
    'data/read-entities.routes.ts get {path}/:entityName',
    'GET',
    `${customers}${plan}&sort=-createdDate`,
    READ,
    SHOWS_HIDDEN,
  ),
  row(
    'data/read-entities.routes.ts get {path}/:entityName/:entityId',
    'GET',
    ({ shownCustomer }) => `${customers}/${shownCustomer}${plan}`,
    READ,
    SHOWS_HIDDEN,
  ),
  row(
    'data/read-entities.routes.ts get {path}/:entityName/:entityId',
    'GET',
    ({ hiddenCustomer }) => `${customers}/${hiddenCustomer}${plan}`,
    [401, 403, 403, 404, 200],
    SHOWS_HIDDEN,
  ),
  row(
    'data/read-entities.routes.ts get {path}/:entityName/:entityId',
    'GET',
    ({ hiddenOrder }) =>
      `/rest/entities/sales_Order/${hiddenOrder}${query({ fetchPlan: { entity: 'sales_Order', properties: ['customer.name'] } })}`,
    [401, 403, 403, 404, 200],
    SHOWS_HIDDEN,
  ),
  row(
    'data/read-entities.routes.ts get {path}/:entityName/search',
    'GET',
    (data) => `${customers}/search${plan}&filter=${encodeURIComponent(JSON.stringify(both(data)))}`,
    READ,
    SHOWS_HIDDEN,
  ),
  row('data/read-entities.routes.ts post {path}/:entityName/search', 'POST', `${customers}/search`, READ, {
    body: (data) => ({ filter: both(data), fetchPlan: whole, returnCount: true }),
    showsHiddenValues: true,
  }),
  row(
    'data/read-entities.routes.ts post {path}/:entityName/search',
    'POST',
    '/rest/entities/sales_Order/search',
    READ,
    {
      body: (data) => ({
        filter: {
          conditions: [{ property: 'customer.id', operator: 'in', value: [data.hiddenCustomer, data.shownCustomer] }],
        },
        fetchPlan: { entity: 'sales_Order', properties: ['number', 'customer.name', 'customer.creditLimit'] },
      }),
      showsHiddenValues: true,
    },
  ),
  row(
    'data/read-entities.routes.ts post {path}/:entityName/search',
    'POST',
    `${customers}/search`,
    [401, 403, 403, 403, 200],
    { body: () => ({ filter: { conditions: [{ property: 'creditLimit', operator: '>', value: 1 }] } }) },
  ),
  row(
    'data/read-entities.routes.ts get {path}/:entityName/search/count',
    'GET',
    (data) => `${customers}/search/count?filter=${encodeURIComponent(JSON.stringify(both(data)))}`,
    READ,
  ),
  row('data/read-entities.routes.ts post {path}/:entityName/search/count', 'POST', `${customers}/search/count`, READ, {
    body: (data) => ({ filter: both(data) }),
  }),
];

const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };
const WRITTEN = query({ responseFetchPlan: whole });
const WRITING: readonly MatrixRow[] = [
  row(
    'data/write-entities.routes.ts post {path}/:entityName',
    'POST',
    `${customers}${WRITTEN}`,
    [401, 403, 403, 403, 201],
    { body: () => ({ name: unique('made'), creditLimit: 3 }) },
  ),
  row(
    'data/write-entities.routes.ts put {path}/:entityName/:entityId',
    'PUT',
    ({ shownCustomer }) => `${customers}/${shownCustomer}${WRITTEN}`,
    READ,
    { body: () => ({ phone: '030' }), showsHiddenValues: true },
  ),
  row(
    'data/write-entities.routes.ts put {path}/:entityName/:entityId',
    'PUT',
    ({ hiddenCustomer }) => `${customers}/${hiddenCustomer}${WRITTEN}`,
    [401, 403, 403, 404, 200],
    { body: () => ({ phone: '030' }), showsHiddenValues: true },
  ),
  row(
    'data/write-entities.routes.ts put {path}/:entityName',
    'PUT',
    `${customers}${WRITTEN}`,
    [401, 403, 403, 404, 200],
    {
      body: ({ hiddenCustomer, shownCustomer }) => [
        { id: shownCustomer, phone: '031' },
        { id: hiddenCustomer, phone: '031' },
      ],
      showsHiddenValues: true,
    },
  ),
  row(
    'data/write-entities.routes.ts patch {path}/:entityName/:entityId',
    'PATCH',
    ({ shownCustomer }) => `${customers}/${shownCustomer}${WRITTEN}`,
    READ,
    { body: () => ({ phone: '032' }), headers: MERGE_PATCH, showsHiddenValues: true },
  ),
  row(
    'data/write-entities.routes.ts patch {path}/:entityName/:entityId',
    'PATCH',
    ({ hiddenCustomer }) => `${customers}/${hiddenCustomer}${WRITTEN}`,
    [401, 403, 403, 404, 200],
    { body: () => ({ phone: '032' }), headers: MERGE_PATCH, showsHiddenValues: true },
  ),
  row(
    'data/write-entities.routes.ts patch {path}/:entityName/:entityId',
    'PATCH',
    ({ shownCustomer }) => `${customers}/${shownCustomer}${WRITTEN}`,
    // The clerk may not view the limit: it is as unknown as an attribute that does not exist.
    [401, 403, 403, 400, 200],
    {
      body: () => [
        { op: 'replace', path: '/phone', value: '034' },
        { op: 'copy', from: '/creditLimit', path: '/creditLimit' },
      ],
      headers: { 'content-type': 'application/json-patch+json' },
      showsHiddenValues: true,
    },
  ),
  row(
    'data/write-entities.routes.ts patch {path}/:entityName',
    'PATCH',
    `${customers}${WRITTEN}`,
    [401, 403, 403, 404, 200],
    {
      body: ({ hiddenCustomer, shownCustomer }) => [
        { id: shownCustomer, phone: '033' },
        { id: hiddenCustomer, phone: '033' },
      ],
      headers: MERGE_PATCH,
      showsHiddenValues: true,
    },
  ),
  row(
    'data/write-entities.routes.ts patch {path}/:entityName',
    'PATCH',
    `${customers}${WRITTEN}`,
    [401, 403, 403, 404, 200],
    {
      body: ({ hiddenCustomer, shownCustomer }) => [
        { op: 'replace', path: `/${shownCustomer}/phone`, value: '035' },
        { op: 'replace', path: `/${hiddenCustomer}/phone`, value: '035' },
      ],
      headers: { 'content-type': 'application/json-patch+json' },
      showsHiddenValues: true,
    },
  ),
  row(
    'data/write-entities.routes.ts delete {path}/:entityName/:entityId',
    'DELETE',
    async () => `${customers}/${await createVictim()}`,
    [401, 403, 403, 403, 204],
  ),
  row('data/write-entities.routes.ts delete {path}/:entityName', 'DELETE', customers, [401, 403, 403, 403, 204], {
    body: async () => [await createVictim()],
  }),
];

const ordersOf = '/rest/queries/sales_Order/ordersByCustomers';
const period = { from: '2026-01-01', to: '2026-12-31' };
const ordersUrl = (data: HiddenData): string =>
  `customerIds=${encodeURIComponent(JSON.stringify([data.hiddenCustomer, data.shownCustomer]))}&from=${period.from}&to=${period.to}`;
const ordersBody = (data: HiddenData) => ({ customerIds: [data.hiddenCustomer, data.shownCustomer], ...period });

const QUERIES: readonly MatrixRow[] = [
  row('data/queries.routes.ts get {path}/:entityName', 'GET', '/rest/queries/sales_Order', READ),
  row('data/queries.routes.ts get one', 'GET', (data) => `${ordersOf}?${ordersUrl(data)}`, READ, SHOWS_HIDDEN),
  row('data/queries.routes.ts post one', 'POST', ordersOf, READ, { body: ordersBody, showsHiddenValues: true }),
  row('data/queries.routes.ts get {one}/count', 'GET', (data) => `${ordersOf}/count?${ordersUrl(data)}`, READ),
  row('data/queries.routes.ts post {one}/count', 'POST', `${ordersOf}/count`, READ, { body: ordersBody }),
];

const service = '/rest/services/sales_OrderService';
const SERVICES: readonly MatrixRow[] = [
  row('data/methods.routes.ts get path', 'GET', '/rest/services', OPEN_TO_USERS),
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
];

const metadata = (path: string, written: string): MatrixRow =>
  row(`data/metadata.routes.ts get ${written}`, 'GET', `/rest/metadata${path}`, OPEN_TO_USERS);
const ABOUT: readonly MatrixRow[] = [
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
  row('data/permissions.routes.ts get options.path', 'GET', '/rest/permissions', OPEN_TO_USERS),
  row('data/user-info.routes.ts get options.path', 'GET', '/rest/userInfo', OPEN_TO_USERS),
  row('data/user-session.routes.ts put {options.path}/locale', 'PUT', '/rest/user-session/locale', OPEN_TO_USERS, {
    headers: { 'accept-language': 'en' },
  }),
  row('data/user-sessions.routes.ts get path', 'GET', '/rest/user-session', OPEN_TO_USERS),
  row('data/user-sessions.routes.ts get {path}/history', 'GET', '/rest/user-session/history', OPEN_TO_USERS),
  row(
    'data/user-sessions.routes.ts get {path}/history',
    'GET',
    '/rest/user-session/history?username=admin',
    [401, 403, 403, 403, 200],
  ),
  row('data/user-sessions.routes.ts get path', 'GET', '/rest/user-session?username=admin', [401, 403, 403, 403, 200]),
  row('data/user-sessions.routes.ts delete path', 'DELETE', '/rest/user-session?clientId=none', OPEN_TO_USERS),
  row(
    'data/user-sessions.routes.ts delete path',
    'DELETE',
    '/rest/user-session?username=admin&clientId=none',
    [401, 403, 403, 403, 200],
  ),
  row(
    'data/user-sessions.routes.ts delete {path}/:sessionId',
    'DELETE',
    '/rest/user-session/none',
    [401, 403, 404, 404, 404],
  ),
  row('data/second-factors.routes.ts get path', 'GET', '/rest/user-session/second-factors', OPEN_TO_USERS),
  row(
    'data/second-factors.routes.ts get path',
    'GET',
    '/rest/user-session/second-factors?username=admin',
    [401, 403, 403, 403, 200],
  ),
  row(
    'data/second-factors.routes.ts post {path}/totp',
    'POST',
    '/rest/user-session/second-factors/totp',
    OPEN_TO_USERS,
  ),
  row(
    'data/second-factors.routes.ts post {path}/totp/confirm',
    'POST',
    '/rest/user-session/second-factors/totp/confirm',
    [401, 403, 400, 400, 400],
    { body: () => ({ offer: 'none', code: '000000', name: 'none' }) },
  ),
  row(
    'data/second-factors.routes.ts post {path}/recovery-codes',
    'POST',
    '/rest/user-session/second-factors/recovery-codes',
    [401, 403, 404, 404, 404],
  ),
  row('data/second-factors.routes.ts delete path', 'DELETE', '/rest/user-session/second-factors', OPEN_TO_USERS),
  row(
    'data/second-factors.routes.ts delete path',
    'DELETE',
    '/rest/user-session/second-factors?username=admin',
    [401, 403, 403, 403, 200],
  ),
  row(
    'data/second-factors.routes.ts delete {path}/:factorId',
    'DELETE',
    '/rest/user-session/second-factors/none',
    [401, 403, 404, 404, 404],
  ),
  row('data/api-keys.routes.ts get path', 'GET', '/rest/api-keys', OPEN_TO_USERS),
  row('data/api-keys.routes.ts get path', 'GET', '/rest/api-keys?username=admin', MANAGER),
  row('data/api-keys.routes.ts post path', 'POST', '/rest/api-keys', [401, 403, 403, 403, 400], {
    body: () => ({ name: '' }),
  }),
  row('data/api-keys.routes.ts delete {path}/:keyId', 'DELETE', '/rest/api-keys/none', [401, 403, 404, 404, 404]),
  row('data/consents.routes.ts get {path}/consents', 'GET', '/rest/user-session/consents', OPEN_TO_USERS),
  row('data/consents.routes.ts get {path}/consents', 'GET', '/rest/user-session/consents?username=admin', MANAGER),
  row(
    'data/consents.routes.ts delete {path}/consents/:clientId',
    'DELETE',
    '/rest/user-session/consents/none',
    [401, 403, 404, 404, 404],
  ),
  row('data/clients.routes.ts get path', 'GET', '/rest/clients', MANAGER),
  row('data/clients.routes.ts post path', 'POST', '/rest/clients', [401, 403, 403, 403, 400], {
    body: () => ({ grantTypes: [] }),
  }),
  row('data/clients.routes.ts get {path}/:clientId', 'GET', '/rest/clients/client', MANAGER),
  row('data/clients.routes.ts put {path}/:clientId', 'PUT', '/rest/clients/none', UNKNOWN_TO_MANAGER, {
    body: () => ({}),
  }),
  row('data/clients.routes.ts delete {path}/:clientId', 'DELETE', '/rest/clients/none', UNKNOWN_TO_MANAGER),
  row('data/clients.routes.ts post {path}/:clientId/secrets', 'POST', '/rest/clients/none/secrets', UNKNOWN_TO_MANAGER),
  row(
    'data/clients.routes.ts delete {path}/:clientId/secrets/:secretId',
    'DELETE',
    '/rest/clients/none/secrets/none',
    UNKNOWN_TO_MANAGER,
  ),
  row('data/tickets.routes.ts post options.path', 'POST', '/rest/tickets', [401, 403, 201, 201, 201], {
    body: () => ({ url: '/rest/changes/sales_Customer' }),
  }),
  row('data/about.routes.ts get /version', 'GET', '/rest/version', [401, 200, 200, 200, 200]),
  row('data/about.routes.ts get options.capabilitiesPath', 'GET', '/rest/capabilities', [401, 200, 200, 200, 200]),
  ...['openapi.json', 'openapi.yaml', 'openapiDetailed.json', 'openapiDetailed.yaml'].map((file) =>
    row('(documents)', 'GET', `/rest/docs/${file}`, all(200), { describesModel: true }),
  ),
  row('data/explorer.routes.ts get path', 'GET', '/rest/docs', all(200)),
  row('data/explorer.routes.ts get {path}/explorer/:file', 'GET', '/rest/docs/explorer/start.js', all(200)),
  row('data/controllers.routes.ts all path', 'GET', '/rest/sales/public/ping', all(200)),
  row('data/controllers.routes.ts all path', 'GET', '/rest/sales/whoami', OPEN_TO_USERS),
];

const UPLOADS = '/rest/files/uploads';
const TUS = { 'tus-resumable': '1.0.0' };
const tusUpload = (length: number) => ({
  'upload-length': String(length),
  'upload-metadata': `filename ${btoa('matrix.txt')}`,
});

/** The path of an upload of the administrator. */
async function newUpload(length: number): Promise<string> {
  const { headers } = await as('admin', 'POST', '/files/uploads', { headers: { ...TUS, ...tusUpload(length) } });
  return new URL(headers.get('location') ?? '').pathname;
}

const FILES: readonly MatrixRow[] = [
  row('files/transfers.routes.ts post /', 'POST', '/rest/files?name=a.txt', [401, 403, 403, 403, 201], {
    body: () => 'text',
  }),
  row(
    'files/transfers.routes.ts get /',
    'GET',
    ({ fileRef }) => `/rest/files${query({ fileRef })}`,
    [401, 403, 403, 403, 200],
    SHOWS_HIDDEN,
  ),
  row('files/resumable.routes.ts options /', 'OPTIONS', UPLOADS, [401, 403, 403, 403, 204]),
  row('files/resumable.routes.ts post /', 'POST', UPLOADS, [401, 403, 403, 403, 201], {
    headers: { ...TUS, ...tusUpload(4) },
  }),
  row('files/resumable.routes.ts head /:uploadId', 'HEAD', () => newUpload(4), [401, 403, 403, 403, 200], {
    headers: TUS,
  }),
  row('files/resumable.routes.ts get /:uploadId', 'GET', () => newUpload(0), [401, 403, 403, 403, 200]),
  row('files/resumable.routes.ts patch /:uploadId', 'PATCH', () => newUpload(4), [401, 403, 403, 403, 204], {
    headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: () => 'text',
  }),
  row('files/resumable.routes.ts delete /:uploadId', 'DELETE', () => newUpload(4), [401, 403, 403, 403, 204], {
    headers: TUS,
  }),
  row('files/resumable.routes.ts post /:uploadId', 'POST', () => newUpload(4), [401, 403, 403, 403, 204], {
    headers: { ...TUS, 'x-http-method-override': 'DELETE' },
  }),
];

const REPORTED: Statuses = [401, 403, 403, 403, 200];
/** A run is its user's alone: nobody has this one. */
const NO_RUN = '/rest/reports/runs/00000000-0000-4000-8000-000000000000';
const run = () => ({
  parameters: [
    { name: 'from', value: period.from },
    { name: 'to', value: period.to },
  ],
});
/** Ids of the example's reports and groups are made of their codes. */
const reportId = async (find: (report: { code: string; id: string; group: string }) => string): Promise<string> => {
  const reports: { code: string; id: string; group: string }[] = (await as('admin', 'GET', '/reports/report')).json();
  const report = reports.find(({ code }) => code === 'sales-by-customer');
  if (report === undefined) throw new Error('There is no report sales-by-customer');
  return find(report);
};
const REPORTS: readonly MatrixRow[] = [
  row('reports/definitions.routes.ts get /report', 'GET', '/rest/reports/report', REPORTED),
  row(
    'reports/definitions.routes.ts get /report/:id',
    'GET',
    async () => `/rest/reports/report/${await reportId(({ id }) => id)}`,
    REPORTED,
  ),
  row(
    'reports/definitions.routes.ts get /group/:id',
    'GET',
    async () => `/rest/reports/group/${await reportId(({ group }) => group)}`,
    REPORTED,
  ),
  row('reports/runs.routes.ts post /run/code/:name', 'POST', '/rest/reports/run/code/sales-by-customer', REPORTED, {
    body: run,
  }),
  row(
    'reports/runs.routes.ts post /run/:name',
    'POST',
    async () => `/rest/reports/run/${await reportId(({ id }) => id)}`,
    REPORTED,
    { body: run },
  ),
  ...['GET', 'DELETE'].map((method) =>
    row(`reports/background.routes.ts ${method.toLowerCase()} /runs/:id`, method, NO_RUN, [401, 403, 403, 403, 404]),
  ),
  ...['json', 'yaml'].map((form) => row('(documents)', 'GET', `/rest/reports/docs/openapi.${form}`, REPORTED)),
];

/** What auth returns depends on the client in the request, never on the token of a user. */
const AUTH: readonly MatrixRow[] = [
  ...[
    ...['/oauth/token', '/oauth2/token', '/oauth/revoke', '/oauth2/revoke'],
    ...['/oauth2/introspect', '/oauth2/device_authorization'],
  ].flatMap((path) => [
    row('auth/token.routes.ts post path', 'POST', path, all(401)),
    row('auth/token.routes.ts all path', 'GET', path, all(405)),
  ]),
  row('auth/login.routes.ts get /oauth2/authorize', 'GET', '/oauth2/authorize', all(400)),
  row('auth/login.routes.ts get /oauth2/authorize/:uid', 'GET', '/oauth2/authorize/none', all(400)),
  row('auth/login.routes.ts get LOGIN_PATH', 'GET', '/as-login', all(400)),
  row('auth/login.routes.ts post LOGIN_PATH', 'POST', '/as-login', all(400)),
  row('auth/login.routes.ts get PASSKEY_SCRIPT_PATH', 'GET', '/as-login/passkeys.js', all(200)),
  row('auth/security.routes.ts get SECURITY_PATH', 'GET', '/as-login/security', all(401)),
  row('auth/security.routes.ts post SECURITY_PATH', 'POST', '/as-login/security', all(401)),
  row('auth/logout.routes.ts get END_SESSION_PATH', 'GET', '/oauth2/logout', all(200)),
  row('auth/logout.routes.ts get {END_SESSION_PATH}/success', 'GET', '/oauth2/logout/success', all(200)),
  row('auth/logout.routes.ts post END_SESSION_PATH', 'POST', '/oauth2/logout', all(303)),
  row('auth/logout.routes.ts post {END_SESSION_PATH}/confirm', 'POST', '/oauth2/logout/confirm', all(400)),
  row('auth/userinfo.routes.ts get USERINFO_PATH', 'GET', '/oauth2/userinfo', [401, 403, 403, 403, 403]),
  row('auth/userinfo.routes.ts post USERINFO_PATH', 'POST', '/oauth2/userinfo', [401, 403, 403, 403, 403]),
  // The system of the tests has no mail server.
  row('auth/reset.routes.ts get FORGOT_PATH', 'GET', '/as-login/password/forgot', all(404)),
  row('auth/reset.routes.ts post FORGOT_PATH', 'POST', '/as-login/password/forgot', all(404)),
  row('auth/reset.routes.ts get RESET_PATH', 'GET', '/as-login/password/reset', all(404)),
  row('auth/reset.routes.ts post RESET_PATH', 'POST', '/as-login/password/reset', all(404)),
  row('auth/sign-up.routes.ts get SIGN_UP_PATH', 'GET', '/as-login/sign-up', all(404)),
  row('auth/sign-up.routes.ts post SIGN_UP_PATH', 'POST', '/as-login/sign-up', all(404)),
  row('auth/sign-up.routes.ts get SIGN_UP_CONFIRM_PATH', 'GET', '/as-login/sign-up/confirm', all(404)),
  row('auth/sign-up.routes.ts post SIGN_UP_CONFIRM_PATH', 'POST', '/as-login/sign-up/confirm', all(404)),
  row('auth/change-api.routes.ts post PASSWORD_API_PATH', 'POST', '/oauth2/password', [401, 400, 400, 400, 400]),
  row('auth/change.routes.ts get PASSWORD_PATH', 'GET', '/as-login/password', all(200)),
  row('auth/change.routes.ts post PASSWORD_PATH', 'POST', '/as-login/password', all(400)),
  row('auth/device.routes.ts get DEVICE_PATH', 'GET', '/oauth2/device', all(200)),
  row('auth/device.routes.ts get {DEVICE_PATH}/:uid', 'GET', '/oauth2/device/none', all(400)),
  row('auth/device.routes.ts post DEVICE_PATH', 'POST', '/oauth2/device', all(400)),
  row('auth/provider-login.routes.ts get /as-login/provider/:name', 'GET', '/as-login/provider/acme', all(400)),
  row(
    'auth/provider-login.routes.ts get /as-login/provider/:name/callback',
    'GET',
    '/as-login/provider/acme/callback',
    all(400),
  ),
  row(
    'auth/openid-logout.routes.ts post /as-login/provider/:name/logout',
    'POST',
    '/as-login/provider/acme/logout',
    all(400),
  ),
  row('auth/saml.routes.ts post /as-login/provider/:name/acs', 'POST', '/as-login/provider/acme/acs', all(400)),
  row('auth/saml.routes.ts get /as-login/provider/:name/metadata', 'GET', '/as-login/provider/acme/metadata', all(400)),
  row(
    'auth/saml.routes.ts get /as-login/provider/:name/single-logout',
    'GET',
    '/as-login/provider/acme/single-logout',
    all(400),
  ),
  row(
    'auth/saml.routes.ts post /as-login/provider/:name/single-logout',
    'POST',
    '/as-login/provider/acme/single-logout',
    all(400),
  ),
  // Without svc.scim.token there is nothing.
  ...['Users', 'Groups'].flatMap((kind) => [
    row(`auth/scim.routes.ts get /scim/v2/${kind}`, 'GET', `/scim/v2/${kind}`, all(404)),
    row(`auth/scim.routes.ts post /scim/v2/${kind}`, 'POST', `/scim/v2/${kind}`, all(404), { body: () => ({}) }),
    row(`auth/scim.routes.ts all /scim/v2/${kind}`, 'DELETE', `/scim/v2/${kind}`, all(404)),
    row(`auth/scim.routes.ts all /scim/v2/${kind}/:id`, 'POST', `/scim/v2/${kind}/1`, all(404), { body: () => ({}) }),
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) =>
      row(`auth/scim.routes.ts ${method.toLowerCase()} /scim/v2/${kind}/:id`, method, `/scim/v2/${kind}/1`, all(404)),
    ),
  ]),
  row('auth/scim.routes.ts all /scim/v2/*rest', 'GET', '/scim/v2/Bulk', all(404)),
  row('auth/scim.routes.ts get /scim/v2/ServiceProviderConfig', 'GET', '/scim/v2/ServiceProviderConfig', all(404)),
  ...['ResourceTypes', 'Schemas'].flatMap((kind) => [
    row(`auth/scim.routes.ts get /scim/v2/${kind}`, 'GET', `/scim/v2/${kind}`, all(404)),
    row(`auth/scim.routes.ts get /scim/v2/${kind}/:id`, 'GET', `/scim/v2/${kind}/User`, all(404)),
  ]),
  row('auth/login.routes.ts all /logout', 'GET', '/logout', [401, 200, 200, 200, 200], { endsSession: true }),
  row('auth/jwks.routes.ts get /oauth2/jwks', 'GET', '/oauth2/jwks', all(200)),
  row(
    'auth/resource-metadata.routes.ts get /.well-known/oauth-protected-resource',
    'GET',
    '/.well-known/oauth-protected-resource',
    all(200),
  ),
  row('(discovery)', 'GET', '/.well-known/openid-configuration', all(200)),
  row('(discovery)', 'GET', '/.well-known/oauth-authorization-server', all(200)),
];

/** Listeners that the gateway never routes to. */
const INTERNAL: readonly MatrixRow[] = [
  ...['/user-sessions', '/user-sessions/end', '/user-sessions/history'].map((path) =>
    row(`auth/user-sessions.routes.ts post ${path}`, 'POST', `/internal${path}`, all(404), { body: () => ({}) }),
  ),
  ...['', '/offer', '/confirm', '/remove', '/recovery-codes'].map((path) =>
    row(`auth/factors.routes.ts post /second-factors${path}`, 'POST', `/internal/second-factors${path}`, all(404), {
      body: () => ({}),
    }),
  ),
  row('auth/registration.routes.ts post REGISTRATION_PATH', 'POST', '/oauth2/register', all(404)),
  row('auth/registration.routes.ts all path', 'PATCH', '/oauth2/register', all(404)),
  ...['GET', 'PUT', 'DELETE'].map((method) =>
    row(`auth/registration.routes.ts ${method.toLowerCase()} one`, method, '/oauth2/register/none', all(404)),
  ),
  ...['api-keys/list', 'api-keys/create', 'api-keys/end', 'consents/list', 'consents/end'].map((path) =>
    row(`auth/${path.slice(0, path.indexOf('/'))}.routes.ts post /${path}`, 'POST', `/internal/${path}`, all(404), {
      body: () => ({}),
    }),
  ),
  ...['list', 'get', 'create', 'update', 'remove', 'create-secret', 'remove-secret'].map((operation) =>
    row(`auth/clients.routes.ts post /clients/${operation}`, 'POST', `/internal/clients/${operation}`, all(404), {
      body: () => ({}),
    }),
  ),
  ...['/exchange', '/service-tokens', '/keys/rotate', '/session-locale', '/session-attributes'].map((path) =>
    row(`auth/internal.routes.ts post ${path}`, 'POST', `/internal${path}`, all(404), { body: () => ({}) }),
  ),
  ...['/tickets', '/sessions/check'].map((path) =>
    row(`auth/tickets.routes.ts post ${path}`, 'POST', `/internal${path}`, all(404), { body: () => ({}) }),
  ),
  row('data/datasets.routes.ts post /datasets', 'POST', '/internal/datasets', all(404), { body: () => ({}) }),
  ...['GET', 'POST', 'DELETE'].map((method) =>
    row(`files/internal.routes.ts ${method.toLowerCase()} /files`, method, '/internal/files', all(404)),
  ),
];

const OTHERS: readonly MatrixRow[] = [
  row('(health)', 'GET', '/health/live', all(200)),
  row('(health)', 'GET', '/health/ready', all(200)),
  row('(nothing)', 'GET', '/rest/nothing', [401, 403, 404, 404, 404]),
  row('(nothing)', 'GET', '/nothing', all(404)),
  // The anonymous user may read products (and this URL is listed), other users may not.
  row('(anonymous)', 'GET', `/rest/entities/sales_Product/${demo.product(1)}`, [200, 403, 403, 200, 200]),
  row('(anonymous)', 'POST', '/rest/entities/sales_Product/search', [200, 403, 403, 200, 200], {
    body: () => ({ filter: {} }),
  }),
  row('(search by name)', 'POST', `${customers}/search`, READ, {
    body: (data) => ({ filter: named(data), fetchPlan: '_base' }),
  }),
];

/** Every route, asked by every caller. */
export const MATRIX: readonly MatrixRow[] = [
  ...READING,
  ...WRITING,
  ...QUERIES,
  ...SERVICES,
  ...ABOUT,
  ...FILES,
  ...REPORTS,
  ...AUTH,
  ...INTERNAL,
  ...OTHERS,
];
