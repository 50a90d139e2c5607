import { createLogger, type LoggerOptions } from './create-logger.ts';
import { isoTime } from './iso-time.ts';
import type { RequestLine } from './logger.ts';

/** A logger and the entries that it writes. */
function setUp(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const logger = createLogger({ service: 'data', destination: { write: (line) => void lines.push(line) }, ...options });
  return { logger, lines, entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const LINE: RequestLine = {
  method: 'GET',
  route: '/rest/**',
  status: 200,
  durationMs: 12.345,
  session: 's-1',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  aborted: false,
};

test('the line of a request has the members that the general way would write, in its order', () => {
  const { logger, entries } = setUp();
  const { aborted: _, durationMs: __, ...fields } = LINE;
  logger.request(LINE);
  logger.request({ ...LINE, aborted: true });
  logger.info({ ...fields, durationMs: 12.3 }, 'request');
  const [line, aborted, expected] = entries().map((entry) => ({ ...entry, time: '' }));
  expect(line).toEqual(expected);
  expect(aborted).toEqual({ ...expected, aborted: true });
  expect(Object.keys(line ?? {})).toEqual([
    ...['level', 'time', 'service', 'traceId', 'method', 'route', 'status', 'durationMs', 'session', 'message'],
  ]);
});

test.each([
  [0, 0],
  [0.04, 0],
  [0.05, 0.1],
  [9.96, 10],
  [1_234.56, 1_234.6],
])('a duration of %d ms is written as %d', (durationMs, written) => {
  const { logger, entries } = setUp();
  logger.request({ ...LINE, durationMs });
  expect(entries()[0]).toHaveProperty('durationMs', written);
});

test('unknown members are left out, texts are escaped, lines end', () => {
  const { logger, lines, entries } = setUp();
  logger.request({ ...LINE, method: undefined, session: undefined, traceId: undefined, route: '/a"b\\c\nd' });
  expect(lines[0]).toMatch(/^[^\n]*\n$/);
  expect(entries()[0]).toMatchObject({ route: '/a"b\\c\nd', status: 200 });
  expect(Object.keys(entries()[0] ?? {})).toEqual(
    expect.not.arrayContaining(['method', 'session', 'traceId', 'aborted']),
  );
});

test('a child adds its fields, and the level applies', () => {
  const { logger, entries } = setUp();
  logger.child({ part: 'a' }).request(LINE);
  expect(entries()[0]).toMatchObject({ service: 'data', part: 'a', message: 'request' });
  const quiet = setUp({ level: 'warn' });
  quiet.logger.request(LINE);
  quiet.logger.child({ part: 'a' }).request(LINE);
  expect(quiet.lines).toEqual([]);
});

test('the time is that of a date, in any order of times', () => {
  for (const ms of [0, 1, 10, 999, 1_000, 1_795_670_765_007, 1_795_670_765_070, 1_795_670_764_700, 1_795_670_766_000])
    expect(isoTime(ms)).toBe(new Date(ms).toISOString());
});
