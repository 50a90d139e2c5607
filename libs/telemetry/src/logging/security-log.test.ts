import { createLogger, type LogLevel } from './create-logger.ts';
import { createSecurityLog, type SecurityRecord } from './security-log.ts';

function start(maxPerMinute = 600, level: LogLevel = 'info') {
  const lines: Record<string, unknown>[] = [];
  const published: SecurityRecord[] = [];
  const logger = createLogger({
    service: 'test',
    level,
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const log = createSecurityLog({ logger, publish: (record) => published.push(record), maxPerMinute });
  return { log, logger, lines, published };
}

test('an event is a line with a stable name, and is published', () => {
  const { log, lines, published } = start();
  log.record('login.failed', { username: 'anna', address: '1.1.1.1', reason: 'bad-credentials' });
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'warn',
      event: 'security',
      name: 'security.login.failed',
      username: 'anna',
      address: '1.1.1.1',
      reason: 'bad-credentials',
      count: 1,
    }),
  ]);
  expect(published).toEqual([
    { name: 'login.failed', count: 1, username: 'anna', address: '1.1.1.1', reason: 'bad-credentials' },
  ]);
  log.close();
});

test.each(['warn', 'error', 'silent'] as const)('events are written where the level of the log is %s', (level) => {
  const { log, logger, lines } = start(600, level);
  logger.info({}, 'ordinary');
  log.record('login.succeeded', { username: 'anna' });
  log.record('login.failed', { username: 'anna' });
  log.close();
  expect(lines.map(({ name }) => name)).toEqual(['security.login.succeeded', 'security.login.failed']);
});

test('of a flood the first are recorded, then their number; other names are not concerned', () => {
  const { log, published } = start(3);
  for (let at = 0; at < 1_000; at += 1) log.record('login.failed', { nameDigest: `${at}` });
  log.record('login.succeeded', { username: 'anna' });
  expect(published).toHaveLength(4);
  log.close();
  expect(published.at(-1)).toEqual({ name: 'login.failed', count: 997, reason: 'above the limit of lines' });
  expect(published).toHaveLength(5);
});
