import { randomBytes } from 'node:crypto';
import { METRICS, SPAN_ATTRIBUTES } from '@lintel/telemetry';
import { eventually } from '@lintel/testkit';
import { createClient } from './test/client.ts';
import { type Collector, type ReceivedSpan, startCollector } from './test/collector.ts';
import { runJourneyWithSecrets } from './test/journey-with-secrets.ts';
import { type RunningServices, SERVICES, type ServiceName, startFiveServices } from './test/running-services.ts';

const [SERVER, CLIENT, PRODUCER, CONSUMER] = [2, 3, 4, 5];
const PROCESS_RUN = 'process reports.events:reports.run.queued.v1:reports.runs';
const YEAR = {
  parameters: [
    { name: 'from', value: '2026-01-01' },
    { name: 'to', value: '2026-12-31' },
  ],
};

let collector: Collector;
let services: RunningServices;
let client: ReturnType<typeof createClient>;
let token = '';

beforeAll(async () => {
  collector = await startCollector();
  services = await startFiveServices(collector.url, { SVC_DATASOURCE_SLOW_QUERY_THRESHOLD: '1ms' });
  client = createClient(services.url);
  token = (await client.logIn('admin', 'admin')).json().access_token;
});
afterAll(async () => {
  await services.stop();
  await collector.close();
});

/** A trace of a client of our own, to find the spans again. */
const newTrace = () => {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, headers: { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-00` } };
};

/** The spans of a trace when it is whole and has those of interest: they come from five processes, each in its own time. */
async function spansOf(traceId: string, ...wanted: readonly ((span: ReceivedSpan) => boolean)[]) {
  const find = () => collector.spans.filter((span) => span.traceId === traceId);
  await eventually(
    () => {
      const spans = find();
      expect(orphansOf(spans)).toEqual([expect.stringMatching(/^lintel-gateway 2 /)]);
      for (const is of wanted) expect(spans.some(is) || spans.map(described)).toBe(true);
    },
    { timeoutMs: 20_000 },
  );
  return find();
}

/** Every span but the first of the gateway has its parent in the trace. */
function orphansOf(spans: readonly ReceivedSpan[]): readonly string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId)).map(described);
}

const described = ({ service, kind, name }: ReceivedSpan): string => `${service} ${kind} ${name}`;
const has = (service: ServiceName, kind: number, name: string | RegExp) => (span: ReceivedSpan) =>
  span.service === `lintel-${service}` &&
  span.kind === kind &&
  (typeof name === 'string' ? span.name === name : name.test(span.name));

/** The names of a span and of those above it, up to the client. */
function lineOf(span: ReceivedSpan, spans: readonly ReceivedSpan[]): readonly string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [described(span), ...(parent === undefined ? [] : lineOf(parent, spans))];
}

test('an upload is one trace, from the gateway over auth and files to the S3 server', async () => {
  const { traceId, headers } = newTrace();
  const response = await client.ask('POST', '/rest/files?name=note.txt', { token, headers, body: 'text' });
  expect(response.status).toBe(201);
  expect(response.headers.get('x-trace-id')).toBe(traceId);
  const isPut = (span: ReceivedSpan) => has('files', CLIENT, 'PUT')(span) && span.parentSpanId !== undefined;
  const spans = await spansOf(
    traceId,
    isPut,
    has('gateway', SERVER, 'POST /rest/files/**'),
    has('files', SERVER, /./),
    has('auth', SERVER, /./),
  );
  expect(lineOf(spans.find(isPut) as ReceivedSpan, spans)).toEqual([
    'lintel-files 3 PUT',
    'lintel-files 3 s3 write',
    'lintel-files 2 POST /rest/files',
    'lintel-gateway 3 POST',
    'lintel-gateway 2 POST /rest/files/**',
  ]);
});

test('a report in the background is one trace through all five services, and over the broker', async () => {
  const { traceId, headers } = newTrace();
  const run = await client.runInBackground('/rest/reports/run/code/sales-by-customer', { token, headers, body: YEAR });
  expect(run.json()).toMatchObject({ status: 'SUCCEEDED' });
  const isRows = has('data', SERVER, 'POST /internal/datasets');
  const isStored = has('files', SERVER, 'POST /internal/files');
  const isRun = has('reports', CONSUMER, PROCESS_RUN);
  const spans = await spansOf(traceId, isRows, isStored, isRun, has('gateway', SERVER, /./));
  expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(SERVICES.map((name) => `lintel-${name}`)));
  const way = [
    `lintel-reports 5 ${PROCESS_RUN}`,
    'lintel-reports 4 publish reports.events:reports.run.queued.v1',
    'lintel-reports 2 POST /rest/reports/run/code/:name',
    'lintel-gateway 3 POST',
    'lintel-gateway 2 POST /rest/reports/**',
  ];
  for (const [is, name] of [
    [isRows, 'lintel-data 2 POST /internal/datasets'],
    [isStored, 'lintel-files 2 POST /internal/files'],
  ] as const)
    expect(lineOf(spans.find(is) as ReceivedSpan, spans)).toEqual([name, 'lintel-reports 3 POST', ...way]);
  // What the worker writes down is part of it.
  const claim = spans.find(has('reports', CLIENT, 'lintel_report_run_claim')) as ReceivedSpan;
  expect(lineOf(claim, spans)).toEqual(['lintel-reports 3 lintel_report_run_claim', ...way]);
});

test('a write is one trace with its SQL, and goes on over outbox and broker to the consumer', async () => {
  const created = await client.ask('POST', '/rest/entities/sec_User', {
    token,
    body: { username: `traced-${Date.now()}`, password: 'traced-user' },
  });
  const { traceId, headers } = newTrace();
  const path = `/rest/entities/sec_User/${created.json().id}`;
  expect((await client.ask('PUT', path, { token, headers, body: { active: false } })).status).toBe(200);
  const isHandled = has('auth', CONSUMER, /^process data.events:data.user.changed.v1:auth/);
  const spans = await spansOf(traceId, isHandled, has('gateway', SERVER, /./), has('data', SERVER, /./));
  const request = [
    'lintel-data 2 PUT /rest/entities/:entityName/:entityId',
    'lintel-gateway 3 PUT',
    'lintel-gateway 2 PUT /rest/**',
  ];
  expect(lineOf(spans.find(isHandled) as ReceivedSpan, spans)).toEqual([
    expect.stringMatching(/^lintel-auth 5 process data.events:data.user.changed.v1:auth/),
    'lintel-data 4 publish data.events:data.user.changed.v1',
    ...request,
  ]);
  const append = spans.find(has('data', CLIENT, /^lintel_outbox_append/)) as ReceivedSpan;
  expect(lineOf(append, spans).slice(1)).toEqual(request);
  expect(append.attributes).toEqual({
    'db.client.connection.pool.name': 'lintel-data',
    'db.system.name': 'postgresql',
    'db.namespace': expect.any(String),
    'db.operation.name': 'INSERT',
    'db.query.summary': append.name,
    'server.address': expect.any(String),
    'server.port': expect.anything(),
  });
  expect(spans.filter(({ kind }) => kind === PRODUCER).length).toBeGreaterThan(0);
});

test('attributes of spans are those of the semantic conventions, but for our own ones', () => {
  const known = new Set<string>(Object.values(SPAN_ATTRIBUTES).flat());
  const used = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
  const [server] = collector.spans.filter(has('gateway', SERVER, /^PUT/));
  expect(server?.attributes).toEqual({
    'http.request.method': 'PUT',
    'http.response.status_code': expect.anything(),
    'http.route': '/rest/**',
    'network.protocol.version': '1.1',
    'url.scheme': 'http',
  });
  const [handled] = collector.spans.filter(has('reports', CONSUMER, PROCESS_RUN));
  expect(handled?.attributes).toEqual({
    'messaging.system.name': 'rabbitmq',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': PROCESS_RUN.slice('process '.length),
    'messaging.message.id': expect.any(String),
  });
});

test('lines of the log and slow statements carry the trace', async () => {
  const { traceId, headers } = newTrace();
  await client.ask('GET', '/rest/entities/sales_Order?limit=50&fetchPlan=order-list', { token, headers });
  const lines = () =>
    services
      .output()
      .split('\n')
      .filter((line) => line.includes(traceId));
  await eventually(() => expect(lines().join()).toMatch(/gateway .*"message":"request"/));
  await eventually(() => expect(lines().join()).toMatch(/data .*"message":"slow statement"/));
});

test('metrics of all services come by OTLP and as text, under the same names', async () => {
  await eventually(() =>
    expect([...collector.metrics.keys()].sort()).toEqual(SERVICES.map((name) => `lintel-${name}`).sort()),
  );
  for (const name of SERVICES) {
    const text = await (await fetch(`${services.managementUrl(name)}/metrics`)).text();
    expect(text).toMatch(/^http_server_request_duration_seconds_count\{/m);
    await eventually(() => expect(collector.metrics.get(`lintel-${name}`)).toContain('http.server.request.duration'));
  }
});

/** Appear when it happens: a limit, of which there is none here, a failure, or webhooks and replicas, which are off. */
const RARE = [
  'lintel.cache.invalidations',
  'lintel.db.reads',
  'lintel.db.replica.lag',
  'lintel.db.replica.usable',
  'lintel.events.returned',
  'lintel.exchange.unread_age',
  'lintel.gateway.rate_limit.refusals',
  'lintel.outbox.failures',
  'lintel.webhooks.attempts',
  'lintel.webhooks.oldest_age',
  'lintel.webhooks.unread_age',
  'lintel.jobs.runs',
];

test('every metric of the reference comes from a service, and no other', async () => {
  const wanted = Object.keys(METRICS).filter((name) => !RARE.includes(name));
  await eventually(() => {
    const seen = new Set([...collector.metrics.values()].flatMap((names) => [...names]));
    expect([...seen].filter((name) => !RARE.includes(name)).sort()).toEqual(wanted.sort());
  });
});

/** What the journey has left in the metrics, at the least. */
const COUNTED = {
  'lintel_auth_logins_total{outcome="ok"}': 2,
  'lintel_auth_logins_total{outcome="wrong"}': 1,
  'lintel_files_transfers_total{direction="upload",outcome="ok"}': 2,
  'lintel_files_transfers_total{direction="download",outcome="error"}': 2,
  'lintel_files_bytes_total{direction="upload"}': 20,
  'lintel_files_bytes_total{direction="download"}': 20,
  'lintel_reports_run_duration_seconds_count{mode="background",outcome="ok"}': 2,
  'lintel_reports_run_duration_seconds_count{mode="direct",outcome="error"}': 2,
  lintel_reports_runs_waiting: 0,
  lintel_outbox_published_total: 3,
  lintel_outbox_entries: 0,
  'lintel_events_confirmed_total{type="data.user.changed.v1"}': 2,
  'lintel_events_consumed_total{queue="reports.runs",outcome="handled"}': 2,
  'lintel_db_slow_statements_total{pool="lintel-data"}': 1,
};

test('no secrets and nothing personal in any line, metric or span of any process', async () => {
  const { secrets, statuses } = await runJourneyWithSecrets(client, token);
  expect(statuses).toMatchObject({ login: 200, customer: 201, filter: 200, upload: 201, download: 200, run: 200 });
  expect(Object.entries(statuses).filter(([, status]) => status >= 500)).toEqual([]);
  const metrics = await Promise.all(
    SERVICES.map(async (name) => (await fetch(`${services.managementUrl(name)}/metrics`)).text()),
  );
  const counted = metrics.join('\n');
  for (const [series, least] of Object.entries(COUNTED)) {
    const [, value] = new RegExp(`^${RegExp.escape(series)} (\\S+)$`, 'm').exec(counted) ?? [];
    expect([series, Number(value)]).toEqual([series, expect.any(Number)]);
    expect(`${series} ${Number(value) >= least}`).toBe(`${series} true`);
  }
  // What is still to be written and sent is, at the end.
  await services.stop();
  const output = services.output();
  expect(output).toMatch(/"message":"request"/);
  const found = (text: string) =>
    secrets.flatMap((secret) =>
      text
        .split('\n')
        // Security events say who it was, and nothing else of what the secrets stand for.
        .map((line) => (line.includes('"event":"security"') ? line.replace(/"username":"[^"]*"/, '') : line))
        .filter((line) => line.toLowerCase().includes(secret.toLowerCase()))
        .map((line) => line.slice(0, 1_000)),
    );
  expect(found(output)).toEqual([]);
  expect(found(metrics.join('\n'))).toEqual([]);
  expect(secrets.filter((secret) => collector.texts.some((text) => text.includes(secret)))).toEqual([]);
});
