import { METRICS } from './catalogue.ts';
import { prometheusNameOf } from './prometheus-name.ts';
import { type RunningMetrics, startMetrics } from './start-metrics.ts';

let running: RunningMetrics;
beforeEach(async () => {
  running = await startMetrics('lintel-probe');
});
afterEach(() => running.close());

test('what was measured can be read as text: counters, gauges and histograms with their labels', async () => {
  const { metrics } = running;
  metrics.counter('lintel.events.published', { type: 'data.user.changed.v1' }).add(2);
  metrics.histogram('db.client.connection.wait_time', { 'db.client.connection.pool.name': 'data' }).record(0.2);
  const inState = (state: string) => ({
    'db.client.connection.pool.name': 'data',
    'db.client.connection.state': state,
  });
  metrics.observe('db.client.connection.count', () => 3, inState('used'));
  metrics.observe('db.client.connection.count', async () => 4, inState('idle'));
  const lines = (await running.render()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE lintel_events_published_total counter',
      'lintel_events_published_total{type="data.user.changed.v1"} 2',
      '# TYPE db_client_connection_wait_time_seconds histogram',
      'db_client_connection_wait_time_seconds_bucket{db_client_connection_pool_name="data",le="0.1"} 0',
      'db_client_connection_wait_time_seconds_bucket{db_client_connection_pool_name="data",le="0.5"} 1',
      'db_client_connection_wait_time_seconds_sum{db_client_connection_pool_name="data"} 0.2',
      '# TYPE db_client_connection_count gauge',
      'db_client_connection_count{db_client_connection_pool_name="data",db_client_connection_state="used"} 3',
      'db_client_connection_count{db_client_connection_pool_name="data",db_client_connection_state="idle"} 4',
      expect.stringMatching(/^target_info\{.*service_name="lintel-probe".*\} 1$/),
    ]),
  );
});

test('a counter that is kept elsewhere is a counter; what cannot be read is missing, and nothing else', async () => {
  const { metrics } = running;
  metrics.observe('lintel.cache.hits', () => 7, { cache: 'sessions' });
  metrics.observe('lintel.cache.hits', () => Promise.reject(new Error('no')), { cache: 'roles' });
  metrics.observe('lintel.outbox.entries', () => undefined);
  const text = await running.render();
  expect(text).toContain('# TYPE lintel_cache_hits_total counter\nlintel_cache_hits_total{cache="sessions"} 7\n');
  expect(text).not.toMatch(/cache="roles"|^lintel_outbox_entries /m);
});

test('the process itself is measured: event loop, memory, processor time', async () => {
  const text = await running.render();
  for (const name of [
    'nodejs_eventloop_delay_p99_seconds',
    'nodejs_eventloop_utilization_ratio',
    'v8js_memory_heap_used_bytes',
  ])
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  expect(text).toMatch(/^process_cpu_time_seconds_total\{cpu_mode="user"\} \d/m);
});

test('a series without an optional label is one series, whether the label is missing or undefined', async () => {
  const { metrics } = running;
  const labels = {
    listener: 'data',
    'http.request.method': 'GET',
    'url.scheme': 'http',
    'network.protocol.version': '1.1',
  };
  metrics.histogram('http.server.request.duration', { ...labels, 'http.response.status_code': 200 }).record(0.2);
  const explicit = { ...labels, 'http.response.status_code': 200, 'http.route': undefined, 'error.type': undefined };
  metrics.histogram('http.server.request.duration', explicit).record(0.2);
  const text = await running.render();
  expect(text.match(/^http_server_request_duration_seconds_count.*$/gm)).toEqual([
    'http_server_request_duration_seconds_count{listener="data",http_request_method="GET",url_scheme="http",network_protocol_version="1.1",http_response_status_code="200"} 2',
  ]);
});

test('every metric has a name and labels that Prometheus accepts, a unit, and few words', () => {
  const names = Object.keys(METRICS) as (keyof typeof METRICS)[];
  for (const name of names) {
    const { unit, labels, description, type } = METRICS[name];
    expect(name).toMatch(/^[a-z][a-z0-9]*([._][a-z0-9]+)*$/);
    expect(prometheusNameOf(name)).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(unit).toMatch(/^(s|By|1|\{[a-z]+\})$/);
    expect(description).not.toContain('|');
    expect('buckets' in METRICS[name]).toBe(type === 'histogram');
    for (const label of labels) expect(label).toMatch(/^[a-z0-9]+([._][a-z0-9]+)*$/);
  }
  expect(new Set(names.map(prometheusNameOf)).size).toBe(names.length);
});
