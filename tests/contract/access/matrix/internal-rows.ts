import { all, type MatrixRow, row } from './row.ts';

/** Listeners that the gateway never routes to. */
export const INTERNAL_ROWS: readonly MatrixRow[] = [
  ...['', '/owner', '/end', '/history']
    .map((path) => `/user-sessions${path}`)
    .map((path) =>
      row(`auth/sessions.feature.ts post ${path}`, 'POST', `/internal${path}`, all(404), { body: () => ({}) }),
    ),
  ...['', '/offer', '/confirm', '/remove', '/recovery-codes'].map((path) =>
    row(`login/factors.routes.ts post /second-factors${path}`, 'POST', `/internal/second-factors${path}`, all(404), {
      body: () => ({}),
    }),
  ),
  ...[
    'api-keys/list',
    'api-keys/create',
    'api-keys/owner',
    'api-keys/end',
    'consents/list',
    'consents/end',
    'see-as/begin',
    'see-as/end',
    'work-sessions/begin',
  ].map((path) =>
    row(`auth/${path.slice(0, path.indexOf('/'))}.feature.ts post /${path}`, 'POST', `/internal/${path}`, all(404), {
      body: () => ({}),
    }),
  ),
  ...['/identity-providers/list', '/identity-providers/test'].map((path) =>
    row(`auth/login.feature.ts post ${path}`, 'POST', `/internal${path}`, all(404), { body: () => ({}) }),
  ),
  row('auth/security-events.feature.ts post /security-events', 'POST', '/internal/security-events', all(404), {
    body: () => ({}),
  }),
  row(
    'login/require-change.routes.ts post /passwords/require-change',
    'POST',
    '/internal/passwords/require-change',
    all(404),
    {
      body: () => ({}),
    },
  ),
  ...['list', 'get', 'create', 'update', 'remove', 'create-secret', 'remove-secret'].map((operation) =>
    row(`auth/clients.feature.ts post /clients/${operation}`, 'POST', `/internal/clients/${operation}`, all(404), {
      body: () => ({}),
    }),
  ),
  ...['/exchange', '/service-tokens', '/keys/rotate', '/session-locale', '/session-attributes'].map((path) =>
    row(`auth/internal.routes.ts post ${path}`, 'POST', `/internal${path}`, all(404), { body: () => ({}) }),
  ),
  ...['/tickets', '/sessions/check'].map((path) =>
    row(`auth/tickets.feature.ts post ${path}`, 'POST', `/internal${path}`, all(404), { body: () => ({}) }),
  ),
  row('data/datasets.routes.ts post /datasets', 'POST', '/internal/datasets', all(404), { body: () => ({}) }),
  row('data/create-report.routes.ts post /reports', 'POST', '/internal/reports', all(404), {
    body: () => ({}),
  }),
  row('data/file-access.feature.ts post /file-access', 'POST', '/internal/forwarded/file-access', all(404), {
    body: () => ({ key: 'fs://2026/01/01/a.txt' }),
  }),
  ...['GET', 'POST', 'DELETE'].map((method) =>
    row(`files/internal.routes.ts ${method.toLowerCase()} /files`, method, '/internal/files', all(404)),
  ),
  row('files/internal.routes.ts get /files/listing', 'GET', '/internal/files/listing', all(404)),
  row('files/internal.routes.ts post /files/descriptions', 'POST', '/internal/files/descriptions', all(404), {
    body: () => ({ fileRefs: [] }),
  }),
];
