import type { MetricRow } from './metric-row.ts';

const delay = (what: string) =>
  ({
    type: 'gauge',
    unit: 's',
    labels: [],
    description: `How late the event loop was since metrics were collected last: ${what}`,
  }) as const;

/** Metrics of the process itself. */
export const RUNTIME_METRICS = {
  'nodejs.eventloop.delay.p50': delay('half of the time less than this'),
  'nodejs.eventloop.delay.p99': delay('99 % of the time less than this'),
  'nodejs.eventloop.delay.max': delay('at the most'),
  'nodejs.eventloop.utilization': {
    type: 'gauge',
    unit: '1',
    labels: [],
    description: 'Share of the time since metrics were collected last in which the event loop was busy',
  },
  'lintel.eventloop.blocked': {
    type: 'histogram',
    unit: 's',
    buckets: 'runs',
    labels: [],
    description: 'Times that the event loop was blocked for more than a second; the log names the requests under way',
  },
  'v8js.gc.duration': {
    type: 'histogram',
    unit: 's',
    buckets: 'pauses',
    labels: ['v8js.gc.type'],
    description: 'Collections of garbage: `minor`, `major`, `incremental` or `weakcb`',
  },
  'v8js.memory.heap.used': { type: 'updown', unit: 'By', labels: [], description: 'Heap in use' },
  'v8js.memory.heap.limit': { type: 'gauge', unit: 'By', labels: [], description: 'Highest size of the heap' },
  'process.memory.usage': { type: 'updown', unit: 'By', labels: [], description: 'Resident memory of the process' },
  'process.memory.external': {
    type: 'gauge',
    unit: 'By',
    labels: [],
    description: 'Memory of buffers and of libraries outside of the heap',
  },
  'process.cpu.time': {
    type: 'counter',
    unit: 's',
    labels: ['cpu.mode'],
    description: 'Processor time of the process: `user` or `system`',
  },
  'process.uptime': { type: 'gauge', unit: 's', labels: [], description: 'How long the process has been running' },
} as const satisfies Readonly<Record<string, MetricRow>>;
