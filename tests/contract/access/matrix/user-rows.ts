import { MANAGER, type MatrixRow, OPEN_TO_USERS, row, UNKNOWN_TO_MANAGER } from './row.ts';

/** Users, their logins and keys, and clients. */
export const USER_ROWS: readonly MatrixRow[] = [
  row('data/permissions.feature.ts get config.paths.permissionsPath', 'GET', '/rest/permissions', OPEN_TO_USERS),
  row('data/user-info.feature.ts get config.paths.userInfoPath', 'GET', '/rest/userInfo', OPEN_TO_USERS),
  row('data/user-session.routes.ts put {path}/locale', 'PUT', '/rest/user-session/locale', OPEN_TO_USERS, {
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
  row('data/list-views.feature.ts get path', 'GET', '/rest/user-session/views', OPEN_TO_USERS),
  row('data/list-views.feature.ts post path', 'POST', '/rest/user-session/views', [401, 403, 400, 400, 400], {
    body: () => ({ entityName: 'sales_Customer', name: '', content: {} }),
  }),
  row(
    'data/list-views.feature.ts put {path}/:viewId',
    'PUT',
    '/rest/user-session/views/00000000-0000-4000-8000-000000000000',
    [401, 403, 403, 404, 404],
    { body: () => ({ entityName: 'sales_Customer', name: 'View', content: {} }) },
  ),
  row(
    'data/list-views.feature.ts delete {path}/:viewId',
    'DELETE',
    '/rest/user-session/views/00000000-0000-4000-8000-000000000000',
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
  row(
    'data/password-change.routes.ts post {path}/password-change',
    'POST',
    '/rest/user-session/password-change?username=unknown',
    [401, 403, 403, 403, 404],
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
  row('data/roles.routes.ts get {path}/roles', 'GET', '/rest/rights/roles', MANAGER, { describesModel: true }),
  row(
    'data/roles.routes.ts get {path}/difference',
    'GET',
    '/rest/rights/difference?first=rest-minimal&second=none',
    UNKNOWN_TO_MANAGER,
  ),
  row('data/roles.routes.ts get {path}/permissions', 'GET', '/rest/rights/permissions?username=clerk', MANAGER),
  row('data/roles.routes.ts post {path}/conditions', 'POST', '/rest/rights/conditions', MANAGER, {
    body: () => ({ entityName: 'sales_Order', whereClause: '1 = 1' }),
  }),
  row(
    'data/needed-right.routes.ts get {path}/needed',
    'GET',
    '/rest/rights/needed?entityName=sales_Order&action=read',
    OPEN_TO_USERS,
    { describesModel: true },
  ),
  row('data/preview.routes.ts post {path}/preview', 'POST', '/rest/rights/preview', MANAGER, {
    body: () => ({ username: 'clerk', entityName: 'sales_Customer' }),
  }),
  row(
    'data/preview.routes.ts get {path}/explanation',
    'GET',
    '/rest/rights/explanation?username=clerk&entityName=sales_Order&id=00000000-0000-4000-8000-000000000000',
    UNKNOWN_TO_MANAGER,
  ),
  row('data/see-as.routes.ts post path', 'POST', '/rest/rights/see-as', [401, 403, 403, 403, 400], {
    body: () => ({ username: '' }),
  }),
  row('data/see-as.routes.ts delete path', 'DELETE', '/rest/rights/see-as', [401, 403, 403, 403, 204]),
  row('data/tickets.feature.ts post ticketsPath', 'POST', '/rest/tickets', [401, 403, 201, 201, 201], {
    body: () => ({ url: '/rest/changes/sales_Customer' }),
  }),
];
