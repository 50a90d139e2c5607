import { MANAGER, type MatrixRow, OPEN_TO_USERS, row, UNKNOWN_TO_MANAGER } from './row.ts';

const OPERATIONS = '/rest/operations';
const NO_WEBHOOK = `${OPERATIONS}/webhooks/00000000-0000-4000-8000-000000000000/test`;

/** What operators see of the running system, and captions with their sources. */
export const OPERATION_ROWS: readonly MatrixRow[] = [
  row('data/processes.routes.ts get {path}/processes', 'GET', `${OPERATIONS}/processes`, MANAGER),
  row(
    'data/processes.routes.ts get {path}/processes/:processId/settings',
    'GET',
    `${OPERATIONS}/processes/none/settings`,
    UNKNOWN_TO_MANAGER,
  ),
  row('data/processes.routes.ts get {path}/queues', 'GET', `${OPERATIONS}/queues`, MANAGER),
  row('data/tasks.routes.ts get {config.paths.operationsPath}/tasks', 'GET', `${OPERATIONS}/tasks`, MANAGER),
  row('data/links.routes.ts get {path}/links', 'GET', `${OPERATIONS}/links`, MANAGER),
  row('data/processes.routes.ts get {path}/slow-statements', 'GET', `${OPERATIONS}/slow-statements`, MANAGER),
  row('data/unreferenced-files.routes.ts get path', 'GET', `${OPERATIONS}/unreferenced-files`, MANAGER),
  row(
    'data/unreferenced-files.routes.ts post {path}/remove',
    'POST',
    `${OPERATIONS}/unreferenced-files/remove`,
    MANAGER,
    { body: () => ({ fileRefs: ['fs://2026/01/01/none?name=none'] }) },
  ),
  row('data/mailbox.routes.ts get {path}/mailbox', 'GET', `${OPERATIONS}/mailbox`, MANAGER),
  row('data/jobs.routes.ts get {path}/jobs', 'GET', `${OPERATIONS}/jobs`, MANAGER),
  row('data/jobs.routes.ts get {path}/job-runs', 'GET', `${OPERATIONS}/job-runs`, MANAGER),
  row('data/jobs.routes.ts get {path}/job-runs/:runId', 'GET', `${OPERATIONS}/job-runs/none`, UNKNOWN_TO_MANAGER),
  row('data/jobs.routes.ts post {path}/jobs/:jobName/run', 'POST', `${OPERATIONS}/jobs/none/run`, UNKNOWN_TO_MANAGER),
  row(
    'data/jobs.routes.ts post {path}/jobs/:jobName/pause',
    'POST',
    `${OPERATIONS}/jobs/none/pause`,
    UNKNOWN_TO_MANAGER,
  ),
  row(
    'data/jobs.routes.ts post {path}/jobs/:jobName/resume',
    'POST',
    `${OPERATIONS}/jobs/none/resume`,
    UNKNOWN_TO_MANAGER,
  ),
  row(
    'data/jobs.routes.ts post {path}/job-runs/:runId/cancel',
    'POST',
    `${OPERATIONS}/job-runs/none/cancel`,
    UNKNOWN_TO_MANAGER,
  ),
  row(
    'data/jobs.routes.ts post {path}/job-runs/:runId/retry',
    'POST',
    `${OPERATIONS}/job-runs/none/retry`,
    UNKNOWN_TO_MANAGER,
  ),
  row('data/event-handlers.routes.ts get path', 'GET', `${OPERATIONS}/event-handlers`, MANAGER),
  row(
    'data/event-handlers.routes.ts put {path}/:handlerName',
    'PUT',
    `${OPERATIONS}/event-handlers/none`,
    UNKNOWN_TO_MANAGER,
    { body: () => ({ paused: true }) },
  ),
  row('data/schema.routes.ts get {path}/schema', 'GET', `${OPERATIONS}/schema`, MANAGER, { describesModel: true }),
  row('data/security-events.routes.ts get {path}/security-events', 'GET', `${OPERATIONS}/security-events`, MANAGER),
  row(
    'data/identity-providers.routes.ts get {path}/identity-providers',
    'GET',
    `${OPERATIONS}/identity-providers`,
    MANAGER,
  ),
  row(
    'data/identity-providers.routes.ts post {path}/identity-providers/:name/test',
    'POST',
    `${OPERATIONS}/identity-providers/none/test`,
    UNKNOWN_TO_MANAGER,
  ),
  row('data/dead-letters.routes.ts get {path}/dead-letters', 'GET', `${OPERATIONS}/dead-letters`, MANAGER),
  row(
    'data/dead-letters.routes.ts get {path}/dead-letters/:key',
    'GET',
    `${OPERATIONS}/dead-letters/none`,
    UNKNOWN_TO_MANAGER,
  ),
  row(
    'data/dead-letters.routes.ts post {path}/dead-letters/:key/retry',
    'POST',
    `${OPERATIONS}/dead-letters/none/retry`,
    UNKNOWN_TO_MANAGER,
  ),
  row(
    'data/dead-letters.routes.ts delete {path}/dead-letters/:key',
    'DELETE',
    `${OPERATIONS}/dead-letters/none`,
    UNKNOWN_TO_MANAGER,
  ),
  row(
    'data/webhooks.feature.ts post {config.paths.operationsPath}/webhooks/:webhookId/test',
    'POST',
    NO_WEBHOOK,
    UNKNOWN_TO_MANAGER,
  ),
  row('data/messages.routes.ts get {path}/captions', 'GET', '/rest/messages/captions', OPEN_TO_USERS, {
    describesModel: true,
  }),
];
