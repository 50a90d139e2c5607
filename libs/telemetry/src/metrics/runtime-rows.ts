import { counter, gauge, histogram, type MetricRow, updown } from './metric-row.ts';

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
  'nodejs.eventloop.utilization': gauge(
    '1',
    [],
    'Share of the time since metrics were collected last in which the event loop was busy',
  ),
  'lintel.eventloop.blocked': histogram(
    'runs',
    [],
    'Times that the event loop was blocked for more than a second; the log names the requests under way',
  ),
  'v8js.gc.duration': histogram(
    'pauses',
    ['v8js.gc.type'],
    'Collections of garbage: `minor`, `major`, `incremental` or `weakcb`',
  ),
  'v8js.memory.heap.used': updown('By', [], 'Heap in use'),
  'v8js.memory.heap.limit': gauge('By', [], 'Highest size of the heap'),
  'process.memory.usage': updown('By', [], 'Resident memory of the process'),
  'process.memory.external': gauge('By', [], 'Memory of buffers and of libraries outside of the heap'),
  'process.cpu.time': counter('s', ['cpu.mode'], 'Processor time of the process: `user` or `system`'),
  'process.uptime': gauge('s', [], 'How long the process has been running'),
} as const satisfies Readonly<Record<string, MetricRow>>;
