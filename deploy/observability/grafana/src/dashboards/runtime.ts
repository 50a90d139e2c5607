import { makeDashboard } from '../make-dashboard.ts';
import { graph } from '../panels.ts';
import { gauge, rateOf } from '../promql.ts';

const perProcess = (metric: string) => ({ '{{instance}}': gauge(metric) });

/** Each process: event loop, processor, memory, collections of garbage. */
export const runtime = makeDashboard({
  uid: 'lintel-runtime',
  title: 'Lintel: processes',
  description: 'Event loop, processor and memory of each process',
  rows: {
    'Event loop and processor': [
      [
        graph('Busy', 'percentunit', perProcess('nodejs_eventloop_utilization_ratio'), {
          description: 'Near 1 for long: it needs another replica',
          max: 1,
        }),
        graph(
          'Processor',
          'percentunit',
          { '{{instance}} {{cpu_mode}}': rateOf('instance, cpu_mode', 'process_cpu_time_seconds_total') },
          {
            description: 'of one core',
          },
        ),
        graph('Connections', 'short', { '{{instance}} {{listener}}': gauge('lintel_http_connections') }),
      ],
      [
        graph('Lateness of the event loop, half of the time', 's', perProcess('nodejs_eventloop_delay_p50_seconds')),
        graph('Lateness, 99 % of the time', 's', perProcess('nodejs_eventloop_delay_p99_seconds')),
        graph('Lateness at the most', 's', perProcess('nodejs_eventloop_delay_max_seconds')),
        graph(
          'Blocked for more than a second',
          'percentunit',
          { '{{instance}}': rateOf('instance', 'lintel_eventloop_blocked_seconds_sum') },
          { description: 'Share of the time; the log names the requests under way' },
        ),
      ],
    ],
    Memory: [
      [
        graph('Resident', 'bytes', perProcess('process_memory_usage_bytes')),
        graph('Heap', 'bytes', perProcess('v8js_memory_heap_used_bytes')),
        graph(
          'Heap, of what it may take',
          'percentunit',
          {
            '{{instance}}': `${gauge('v8js_memory_heap_used_bytes')} / ${gauge('v8js_memory_heap_limit_bytes')}`,
          },
          { max: 1 },
        ),
        graph('Buffers and libraries', 'bytes', perProcess('process_memory_external_bytes')),
      ],
    ],
    'Collections of garbage, and starts': [
      [
        graph('Time for collections', 'percentunit', {
          '{{instance}}': rateOf('instance', 'v8js_gc_duration_seconds_sum'),
        }),
        graph('Collections', 'ops', {
          '{{instance}} {{v8js_gc_type}}': rateOf('instance, v8js_gc_type', 'v8js_gc_duration_seconds_count'),
        }),
        graph('Time since the start', 's', perProcess('process_uptime_seconds')),
      ],
    ],
  },
});
