import { createLogger } from './logging/create-logger.ts';
import { withSpan } from './tracing/spans.ts';
import {
  currentTraceId,
  parseTraceparent,
  runInTrace,
  TraceSnapshot,
  traceOfRequest,
  traceparentOf,
} from './tracing/trace-context.ts';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('a trace continues its parent with a span id of its own, through asynchronous work', async () => {
  const trace = traceOfRequest(PARENT);
  expect(trace.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  expect(trace.spanId).not.toBe('b7ad6b7169203331');
  await runInTrace(trace, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(currentTraceId()).toBe(trace.traceId);
    expect(traceparentOf()).toBe(`00-${trace.traceId}-${trace.spanId}-01`);
  });
  expect(currentTraceId()).toBeUndefined();
  expect(traceparentOf()).toBeUndefined();
});

test.each([
  [undefined],
  ['garbage'],
  ['00-00000000000000000000000000000000-b7ad6b7169203331-01'],
  ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01'],
  ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01'],
  [`${PARENT}-extra`],
])('without a valid parent (%s) the trace is new', (header) => {
  const first = traceOfRequest(header);
  expect(first.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(first.spanId).toMatch(/^[0-9a-f]{16}$/);
  expect(traceOfRequest(header).traceId).not.toBe(first.traceId);
});

test('a callback continues the trace in which its snapshot was made, called from any work', () => {
  const [one, other] = [traceOfRequest(undefined), traceOfRequest(undefined)];
  const snapshot = runInTrace(one, () => new TraceSnapshot());
  const outside = new TraceSnapshot();
  runInTrace(other, () => {
    expect(snapshot.run(() => currentTraceId())).toBe(one.traceId);
    expect(outside.run(() => currentTraceId())).toBeUndefined();
    expect(currentTraceId()).toBe(other.traceId);
  });
});

test('the trace of a stranger goes on, its flag does not', () => {
  const trace = traceOfRequest(PARENT, false);
  expect([trace.traceId, trace.flags]).toEqual(['0af7651916cd43dd8448eb211c80319c', 0]);
});

test('later versions of traceparent may say more', () => {
  expect(parseTraceparent(`01${PARENT.slice(2)}-more`)).toMatchObject({ flags: 1 });
});

test('a log line is JSON with time, level, service, message, trace id and fields, secrets masked', () => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'data', destination: { write: (line) => void lines.push(line) } });
  const trace = traceOfRequest(PARENT);
  runInTrace(trace, () =>
    logger
      .child({ feature: 'entities', secret: 's' })
      .info({ count: 3, headers: { authorization: 'Bearer abc' }, password: 'pw' }, 'loaded'),
  );
  logger.debug({}, 'not written');
  const outer = Object.assign(new Error('outer', { cause: new Error('inner') }), { token: 'abc' });
  logger.error({ error: outer }, 'failed');
  const [line, failure] = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(line).toMatchObject({
    level: 'info',
    service: 'data',
    message: 'loaded',
    feature: 'entities',
    secret: '***',
    count: 3,
    traceId: trace.traceId,
    headers: { authorization: '***' },
    password: '***',
  });
  expect(String(line?.['time'])).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(failure?.['error']).toMatchObject({ message: 'outer', cause: { message: 'inner' }, token: '***' });
  expect(lines).toHaveLength(2);
});

test('lines for people show time, level, service, message, fields and the stack of an error', () => {
  const lines: string[] = [];
  const logger = createLogger({
    service: 'auth',
    pretty: true,
    destination: { write: (line) => void lines.push(line) },
  });
  logger.warn({ user: 'clerk' }, 'slow');
  logger.error({ err: new Error('broken') }, 'failed');
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}\[auth\] slow user=clerk\n$/);
  expect(lines[1]).toContain('Error: broken');
});

test('withSpan passes results and rejections on', async () => {
  expect(await withSpan('x', { entity: 'a' }, async () => 5)).toBe(5);
  await expect(withSpan('x', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
