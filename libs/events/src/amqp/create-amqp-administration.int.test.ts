import { createTestVhost } from '@lintel/testkit';
import { describeEventAdministration } from '../../test/event-administration-contract.ts';
import { TEST_RETRIES } from '../../test/event-bus-contract.ts';
import { silentLogger } from '../../test/silent-logger.ts';
import { createAmqpAdministration } from './create-amqp-administration.ts';
import { createAmqpBus } from './create-amqp-bus.ts';
import { connectToOne } from './each-dead-letter.ts';
import { tryLockDeadLetters } from './topology.ts';

describeEventAdministration('the administration of RabbitMQ', async () => {
  const vhost = await createTestVhost('adm');
  const bus = await createAmqpBus({
    urls: [vhost.url],
    service: 'demo',
    instanceId: 'test-1',
    clock: { now: () => Date.now() },
    logger: silentLogger,
    retries: TEST_RETRIES,
    drainTimeoutMs: 1_000,
  });
  const administration = createAmqpAdministration({
    urls: [vhost.url],
    services: ['demo', 'absent'],
    queues: { demo: ['orders'], absent: ['none'] },
    timeoutMs: 30_000,
  });
  return {
    bus,
    administration,
    async close() {
      await bus.close();
      await vhost.drop();
    },
  };
});

test('without a broker the refusal has no address', async () => {
  const administration = createAmqpAdministration({
    urls: ['amqp://user:secret@127.0.0.1:1'],
    services: ['demo'],
    queues: {},
    timeoutMs: 1_000,
  });
  await expect(administration.deadLetters(1)).rejects.toMatchObject({
    code: 'BUS_UNAVAILABLE',
    details: 'The message broker cannot be reached',
  });
});

test('dead letters are counted while another process looks at them', async () => {
  const vhost = await createTestVhost('adm-count');
  const options = { urls: [vhost.url], services: ['demo'], timeoutMs: 10_000 };
  const model = await connectToOne(options);
  expect(await tryLockDeadLetters(model)).toBe(true);
  const administration = createAmqpAdministration({ ...options, queues: {} });
  expect(await administration.deadLetters(0)).toEqual({ letters: [], total: 0 });
  await model.close();
  await vhost.drop();
});
