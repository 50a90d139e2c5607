import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { eventually } from '@lintel/testkit';
import { silentLogger } from '../../test/silent-logger.ts';
import { AmqpConnection } from './amqp-connection.ts';

test('a broker that cannot be reached is reported once for each reason, not at each attempt', async () => {
  let attempts = 0;
  const broker = createServer((socket) => {
    attempts += 1;
    socket.resetAndDestroy();
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  const warnings: object[] = [];
  const connection = new AmqpConnection({
    urls: [`amqp://127.0.0.1:${(broker.address() as AddressInfo).port}`],
    property: 'svc.broker.urls',
    name: 'test',
    heartbeatSeconds: 5,
    responseTimeoutMs: 5_000,
    setUp: async () => {},
    logger: { ...silentLogger, warn: (fields: object) => void warnings.push(fields) } as typeof silentLogger,
  });
  connection.start();
  await eventually(() => expect(attempts).toBeGreaterThan(4));
  await connection.close();
  broker.close();
  const reasons = warnings.map((fields) => String((fields as { readonly err: unknown }).err));
  expect(new Set(reasons).size).toBe(reasons.length);
  expect(warnings[0]).toMatchObject({ property: 'svc.broker.urls', broker: expect.stringContaining('127.0.0.1') });
});
