import { counter, histogram, type MetricRow, updown } from './metric-row.ts';

const POOL = ['db.client.connection.pool.name'] as const;
const MESSAGES = ['messaging.system.name', 'messaging.operation.name', 'messaging.destination.name'] as const;

/**
 * The metrics that the semantic conventions of OpenTelemetry define for HTTP, databases and messages, with the units,
 * buckets and attributes of these. The stable ones are `http.*.request.duration` and `db.client.operation.duration`.
 */
export const CONVENTIONAL_METRICS = {
  'http.server.request.duration': {
    type: 'histogram',
    unit: 's',
    buckets: 'requests',
    labels: [
      'listener',
      'http.request.method',
      'http.route',
      'http.response.status_code',
      'url.scheme',
      'network.protocol.version',
      'error.type',
    ],
    optional: ['http.route', 'http.response.status_code', 'error.type'],
    description:
      'Requests and their duration: rate, errors (`error.type`: the status from 500 on, or `disconnected`: the client has gone before the response) and duration by route template; without a route where nothing matched',
  },
  'http.server.active_requests': updown('{request}', ['listener'], 'Requests in progress'),
  'http.client.request.duration': {
    type: 'histogram',
    unit: 's',
    buckets: 'requests',
    labels: [
      'service.peer.name',
      'http.request.method',
      'http.response.status_code',
      'server.address',
      'server.port',
      'url.scheme',
      'network.protocol.version',
      'error.type',
    ],
    optional: [
      'service.peer.name',
      'http.response.status_code',
      'server.address',
      'server.port',
      'url.scheme',
      'error.type',
    ],
    description:
      'Requests of this process to a service of the platform (`service.peer.name`) or, without name and address, to other servers: from sending to the head of the response; `error.type` is the status from 400 on, or why there was no response',
  },
  'db.client.connection.count': updown(
    '{connection}',
    [...POOL, 'db.client.connection.state'],
    'Connections of a pool that are `used` or `idle`',
  ),
  'db.client.connection.idle.max': updown(
    '{connection}',
    POOL,
    'Highest number of idle connections that a pool may keep',
  ),
  'db.client.connection.limit': updown('{connection}', POOL, 'Highest number of connections that a pool may open'),
  'db.client.connection.pending_requests': updown(
    '{request}',
    POOL,
    'Statements and transactions that wait for a connection',
  ),
  'db.client.connection.wait_time': histogram('waits', POOL, 'How long a connection was waited for'),
  'db.client.operation.duration': {
    type: 'histogram',
    unit: 's',
    buckets: 'statements',
    labels: [
      ...POOL,
      'db.system.name',
      'db.namespace',
      'db.operation.name',
      'db.response.status_code',
      'server.address',
      'server.port',
      'error.type',
    ],
    optional: ['db.namespace', 'db.response.status_code', 'server.address', 'server.port', 'error.type'],
    description:
      'Statements, from sending to the result, by their first word; of a cursor each batch. Failed ones have `error.type`: the SQLSTATE, or the kind of the error',
  },
  'messaging.client.sent.messages': {
    type: 'counter',
    unit: '{message}',
    labels: [...MESSAGES, 'error.type'],
    optional: ['error.type'],
    description: 'Events sent to the broker, by exchange and type; those that it did not confirm have `error.type`',
  },
  'messaging.client.operation.duration': {
    type: 'histogram',
    unit: 's',
    buckets: 'requests',
    labels: [...MESSAGES, 'messaging.operation.type', 'error.type'],
    optional: ['error.type'],
    description: 'From sending an event to the confirm of the broker',
  },
  'messaging.client.consumed.messages': counter(
    '{message}',
    MESSAGES,
    'Events delivered to this process, by exchange, type and queue',
  ),
  'messaging.process.duration': {
    type: 'histogram',
    unit: 's',
    buckets: 'requests',
    labels: [...MESSAGES, 'messaging.operation.type', 'error.type'],
    optional: ['error.type'],
    description: 'Attempts to handle an event, or to run a job (system `pg-boss`, destination the job)',
  },
} as const satisfies Readonly<Record<string, MetricRow>>;
