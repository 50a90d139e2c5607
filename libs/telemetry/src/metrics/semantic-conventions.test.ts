import * as stable from '@opentelemetry/semantic-conventions';
import * as development from '@opentelemetry/semantic-conventions/incubating';
import { SPAN_ATTRIBUTES } from '../tracing/span-attributes.ts';
import { CONVENTIONAL_METRICS } from './conventional-rows.ts';
import { BUCKETS, type MetricRow } from './metric-row.ts';
import { prometheusNameOf } from './prometheus-name.ts';
import { RUNTIME_METRICS } from './runtime-rows.ts';

type Name = keyof typeof CONVENTIONAL_METRICS;
type Attribute = keyof typeof development & `ATTR_${string}`;

/** Added by the platform to the attributes of a convention: the name of an application in one process. */
const OWN_LABELS = ['listener'];

const HTTP = ['ATTR_HTTP_REQUEST_METHOD', 'ATTR_HTTP_RESPONSE_STATUS_CODE', 'ATTR_ERROR_TYPE'] as const;
const PROTOCOL = ['ATTR_URL_SCHEME', 'ATTR_NETWORK_PROTOCOL_VERSION'] as const;
const SERVER = ['ATTR_SERVER_ADDRESS', 'ATTR_SERVER_PORT'] as const;
const POOL = ['ATTR_DB_CLIENT_CONNECTION_POOL_NAME'] as const;
const DATABASE = [
  'ATTR_DB_SYSTEM_NAME',
  'ATTR_DB_NAMESPACE',
  'ATTR_DB_OPERATION_NAME',
  'ATTR_DB_RESPONSE_STATUS_CODE',
] as const;
const MESSAGES = [
  'ATTR_MESSAGING_SYSTEM_NAME',
  'ATTR_MESSAGING_OPERATION_NAME',
  'ATTR_MESSAGING_DESTINATION_NAME',
] as const;
const TYPED = ['ATTR_MESSAGING_OPERATION_TYPE', 'ATTR_ERROR_TYPE'] as const;

const REQUESTS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const STATEMENTS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

interface Row {
  readonly name: Name;
  readonly constant: string;
  readonly stability: 'stable' | 'development';
  readonly prometheus: string;
  readonly type: MetricRow['type'];
  readonly unit: string;
  readonly attributes: readonly Attribute[];
  /** Boundaries that the conventions advise. */
  readonly buckets?: readonly number[];
}

const row = (
  name: Name,
  constant: string,
  stability: Row['stability'],
  prometheus: string,
  type: MetricRow['type'],
  unit: string,
  attributes: readonly Attribute[],
  buckets?: readonly number[],
): Row => ({ name, constant, stability, prometheus, type, unit, attributes, ...(buckets && { buckets }) });

// biome-ignore format: a table
const ROWS: readonly Row[] = [
  row('http.server.request.duration', 'METRIC_HTTP_SERVER_REQUEST_DURATION', 'stable', 'http_server_request_duration_seconds', 'histogram', 's', [...HTTP, ...PROTOCOL, 'ATTR_HTTP_ROUTE'], REQUESTS),
  row('http.server.active_requests', 'METRIC_HTTP_SERVER_ACTIVE_REQUESTS', 'development', 'http_server_active_requests', 'updown', '{request}', []),
  row('http.client.request.duration', 'METRIC_HTTP_CLIENT_REQUEST_DURATION', 'stable', 'http_client_request_duration_seconds', 'histogram', 's', [...HTTP, ...PROTOCOL, ...SERVER, 'ATTR_SERVICE_PEER_NAME'], REQUESTS),
  row('db.client.operation.duration', 'METRIC_DB_CLIENT_OPERATION_DURATION', 'stable', 'db_client_operation_duration_seconds', 'histogram', 's', [...DATABASE, ...SERVER, ...POOL, 'ATTR_ERROR_TYPE'], STATEMENTS),
  row('db.client.connection.count', 'METRIC_DB_CLIENT_CONNECTION_COUNT', 'development', 'db_client_connection_count', 'updown', '{connection}', [...POOL, 'ATTR_DB_CLIENT_CONNECTION_STATE']),
  row('db.client.connection.idle.max', 'METRIC_DB_CLIENT_CONNECTION_IDLE_MAX', 'development', 'db_client_connection_idle_max', 'updown', '{connection}', POOL),
  row('db.client.connection.limit', 'METRIC_DB_CLIENT_CONNECTION_LIMIT', 'development', 'db_client_connection_limit', 'updown', '{connection}', POOL),
  row('db.client.connection.pending_requests', 'METRIC_DB_CLIENT_CONNECTION_PENDING_REQUESTS', 'development', 'db_client_connection_pending_requests', 'updown', '{request}', POOL),
  row('db.client.connection.wait_time', 'METRIC_DB_CLIENT_CONNECTION_WAIT_TIME', 'development', 'db_client_connection_wait_time_seconds', 'histogram', 's', POOL),
  row('messaging.client.sent.messages', 'METRIC_MESSAGING_CLIENT_SENT_MESSAGES', 'development', 'messaging_client_sent_messages_total', 'counter', '{message}', [...MESSAGES, 'ATTR_ERROR_TYPE']),
  row('messaging.client.operation.duration', 'METRIC_MESSAGING_CLIENT_OPERATION_DURATION', 'development', 'messaging_client_operation_duration_seconds', 'histogram', 's', [...MESSAGES, ...TYPED], REQUESTS),
  row('messaging.client.consumed.messages', 'METRIC_MESSAGING_CLIENT_CONSUMED_MESSAGES', 'development', 'messaging_client_consumed_messages_total', 'counter', '{message}', MESSAGES),
  row('messaging.process.duration', 'METRIC_MESSAGING_PROCESS_DURATION', 'development', 'messaging_process_duration_seconds', 'histogram', 's', [...MESSAGES, ...TYPED], REQUESTS),
];

const published: Readonly<Record<'stable' | 'development', Readonly<Record<string, unknown>>>> = {
  stable,
  development,
};

test.each(ROWS)('$name is $constant of the conventions ($stability)', (expected) => {
  const { name, constant, stability, attributes } = expected;
  expect(published[stability][constant]).toBe(name);
  // What is in development is not published as stable.
  expect(constant in stable).toBe(stability === 'stable');
  const { type, unit, labels, buckets }: MetricRow = CONVENTIONAL_METRICS[name];
  expect({ type, unit }).toEqual({ type: expected.type, unit: expected.unit });
  expect(labels.filter((label) => !OWN_LABELS.includes(label)).sort()).toEqual(
    attributes.map((attribute) => published.development[attribute]).sort(),
  );
  if (expected.buckets !== undefined) expect(BUCKETS[buckets ?? 'runs']).toEqual(expected.buckets);
  expect(prometheusNameOf(name)).toBe(expected.prometheus);
});

test('every metric that follows a convention has a row, and the process has those of the conventions, too', () => {
  expect(ROWS.map(({ name }) => name).sort()).toEqual(Object.keys(CONVENTIONAL_METRICS).sort());
  const names: readonly unknown[] = Object.values(development);
  const own = Object.keys(RUNTIME_METRICS).filter((name) => !names.includes(name));
  expect(own).toEqual(['lintel.eventloop.blocked', 'process.memory.external']);
});

test.each(SPAN_ATTRIBUTES.conventional)('the attribute %s of spans is one of the conventions', (name) => {
  const names = Object.entries(development).flatMap(([key, value]) => (key.startsWith('ATTR_') ? [value] : []));
  expect(names).toContain(name);
});

test.each([
  ['nodejs.eventloop.utilization', 'nodejs_eventloop_utilization_ratio'],
  ['v8js.memory.heap.used', 'v8js_memory_heap_used_bytes'],
  ['process.cpu.time', 'process_cpu_time_seconds_total'],
  ['lintel.files.bytes', 'lintel_files_bytes_total'],
  ['lintel.outbox.oldest_age', 'lintel_outbox_oldest_age_seconds'],
  ['lintel.broker.connected', 'lintel_broker_connected'],
] as const)('Prometheus has %s as %s', (name, expected) => {
  expect(prometheusNameOf(name)).toBe(expected);
});
