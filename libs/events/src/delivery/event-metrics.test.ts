import type { Envelope } from '@lintel/contracts';
import { type RunningMetrics, startMetrics } from '@lintel/telemetry';
import { silentLogger } from '../../test/silent-logger.ts';
import { createPublishingMetrics, createQueueMetrics } from './event-metrics.ts';
import { handleWithRetries } from './handle-with-retries.ts';

let running: RunningMetrics;
beforeEach(async () => {
  running = await startMetrics('lintel-probe');
});
afterEach(() => running.close());

const envelope = { id: 'e1', type: 'data.user.changed.v1' } as Envelope;
const final = Object.assign(new Error('no'), { retryable: false });

async function handle(handler: () => Promise<void>, signal = new AbortController().signal) {
  await handleWithRetries(envelope, {
    queue: 'auth.users',
    handle: handler,
    retries: { maxAttempts: 3, initialDelayMs: 1, maxDelayMs: 1 },
    signal,
    logger: silentLogger,
    measured: createQueueMetrics(running.metrics, 'auth.users'),
  });
}

test('what becomes of an event is counted by queue, with its further attempts', async () => {
  let failures = 2;
  await handle(async () => {
    failures -= 1;
    if (failures >= 0) throw new Error('later');
  });
  await handle(() => Promise.reject(final));
  await handle(async () => {}, AbortSignal.abort());
  const text = await running.render();
  const value = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  expect(value('lintel_events_consumed_total{queue="auth.users",outcome="handled"}')).toBe(1);
  expect(value('lintel_events_consumed_total{queue="auth.users",outcome="refused"}')).toBe(1);
  expect(value('lintel_events_consumed_total{queue="auth.users",outcome="abandoned"}')).toBe(1);
  expect(value('lintel_events_retried_total{queue="auth.users"}')).toBe(2);
  expect(value('lintel_events_dead_lettered_total{queue="auth.users"}')).toBe(1);
  expect(value('lintel_events_in_flight{queue="auth.users"}')).toBe(0);
  const from = (operation: string) =>
    `messaging_system_name="rabbitmq",messaging_destination_name="data.events:data.user.changed.v1:auth.users",messaging_operation_name="${operation}"`;
  const process = `messaging_process_duration_seconds_count{${from('process')},messaging_operation_type="process"`;
  expect(value(`messaging_client_consumed_messages_total{${from('deliver')}}`)).toBe(3);
  expect(value(`${process}}`)).toBe(1);
  expect(value(`${process},error_type="Error"}`)).toBe(3);
});

test('what is published is counted by type', async () => {
  const measured = createPublishingMetrics(running.metrics);
  measured.published('a.v1');
  measured.published('a.v1');
  measured.confirmed('a.v1');
  measured.returned('a.v1');
  measured.sent('a.v1', 2);
  measured.sent('a.v1', 2, Object.assign(new Error('no'), { code: 'NACK' }));
  const text = await running.render();
  expect(text).toContain('lintel_events_published_total{type="a.v1"} 2\n');
  expect(text).toContain('lintel_events_confirmed_total{type="a.v1"} 1\n');
  expect(text).toContain('lintel_events_returned_total{type="a.v1"} 1\n');
  const to =
    'messaging_system_name="rabbitmq",messaging_destination_name="a.events:a.v1",messaging_operation_name="publish"';
  expect(text).toContain(`messaging_client_sent_messages_total{${to}} 1\n`);
  expect(text).toContain(`messaging_client_sent_messages_total{${to},error_type="NACK"} 1\n`);
  const durations = `messaging_client_operation_duration_seconds_count{${to},messaging_operation_type="send"`;
  expect(text).toContain(`${durations}} 1\n`);
  expect(text).toContain(`${durations},error_type="NACK"} 1\n`);
});
