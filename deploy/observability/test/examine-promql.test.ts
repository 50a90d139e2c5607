import { examinePromql } from './examine-promql.ts';

test.each([
  ['a metric that does not exist', 'rate(lintel_gone_total[5m])', 'no process has lintel_gone_total'],
  ['a label to match', 'lintel_outbox_entries{queue="a"}', 'asks for the label queue'],
  ['a label to group by', 'sum by (route) (rate(http_server_request_duration_seconds_count[5m]))', 'the label route'],
  ['a counter as a state', 'sum(lintel_cache_hits_total)', 'lintel_cache_hits_total is a counter, within no function'],
  ['the growth of a state', 'rate(lintel_cache_entries[5m])', 'lintel_cache_entries is a gauge, within rate'],
  [
    'quantiles without buckets',
    'histogram_quantile(0.9, sum(rate(v8js_gc_duration_seconds_bucket[5m])))',
    'the label le',
  ],
  ['sides that never match', 'db_client_connection_count / db_client_connection_limit', 'match'],
  ['a bracket too many', 'sum(up))', 'syntax'],
  ['a range without a unit', 'rate(process_cpu_time_seconds_total[$__rate_interval])', 'syntax'],
])('%s is found', (_case, expression, problem) => {
  expect(examinePromql(expression).problems).toContainEqual(expect.stringContaining(problem));
});

test.each([
  ['sum by (cache) (rate(lintel_cache_hits_total[5m])) > 0', ['cache']],
  [
    'topk(10, sum by (http_route) (rate(http_server_request_duration_seconds_count{listener=~"a|b"}[5m])))',
    ['http_route'],
  ],
  [
    'histogram_quantile(0.9, sum by (le, db_operation_name) (rate(db_client_operation_duration_seconds_bucket[5m])))',
    ['db_operation_name'],
  ],
  [
    'db_client_connection_count / on (instance, db_client_connection_pool_name) group_left () db_client_connection_limit',
    ['db_client_connection_state'],
  ],
  ['sum without (instance) (lintel_outbox_entries)', ['job']],
  ['v8js_memory_heap_used_bytes / v8js_memory_heap_limit_bytes', ['job', 'instance']],
  ['sum(up)', []],
])('%s is good, and has its labels', (expression, labels) => {
  const examined = examinePromql(expression);
  expect(examined.problems).toEqual([]);
  expect([...(examined.labels ?? [])]).toEqual(expect.arrayContaining(labels));
});
